"""Items of Dewri 2010, a file for each kind of experiment."""
