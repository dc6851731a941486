"""What `anonopt mask` makes of its options: the method, and the roles of columns."""
