"""PRAM matrices, and the equations that build them, as genomes."""
