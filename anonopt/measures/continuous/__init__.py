"""Information loss and disclosure risk of masked numeric files."""
