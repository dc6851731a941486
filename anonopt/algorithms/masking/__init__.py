"""The searches of Mares 2013: masked files, PRAM matrices, equations."""
