"""Commands for experiments: those of the papers."""
