"""What ``anonopt anonymize`` applies: a node or a local recoding, and how it was come by."""
