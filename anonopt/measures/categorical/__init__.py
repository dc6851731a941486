"""Information loss and disclosure risk of masked files of categories."""
