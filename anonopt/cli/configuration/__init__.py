"""The configuration file of a table: its keys, the table, its hierarchies, its problems."""
