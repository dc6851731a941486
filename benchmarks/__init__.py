"""Times of the parts that decide how long a search takes, each beside the ways it replaces.

    python -m benchmarks                      # or make benchmark: everything, one Markdown table
    python -m benchmarks lattice wide         # the benchmarks of some files
    python -m benchmarks --quick              # small sizes, to see that everything runs

A file holds one or more :class:`~benchmarks._bench.Benchmark`. What reproduces papers is
``anonopt reproduce``.
"""
