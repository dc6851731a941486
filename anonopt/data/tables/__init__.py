"""Tables in CSV files: the dialect they are written in, and what their cells say."""
