"""How PRAM matrices are measured: by draws, or in expectation."""
