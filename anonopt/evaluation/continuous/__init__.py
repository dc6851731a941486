"""How masked numeric files are measured fast."""
