"""Options of algorithms, tuned apart from what is reported."""
