"""Pictures of what protects a table: groups, cuts, and categories that become others."""
