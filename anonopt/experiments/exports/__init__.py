"""What is read by other tools: tables, the folders of IOHinspector and moocore, pymoo's results."""
