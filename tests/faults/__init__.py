"""What becomes of the commands, and of their files, under faults and kills."""
