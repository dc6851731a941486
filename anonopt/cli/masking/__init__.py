"""``anonopt mask``: one method on columns of a file."""
