"""Mutation testing: small faults are put into the library, one at a time, and the tests must fail.

Cosmic Ray makes the mutants; this script draws a sample of them, runs each against the tests of
its own room (those that mirror its file, then those of its folder and above, the contracts last),
and writes a table of scores with the mutants that no test noticed. Cosmic Ray's own runner knows
one test command for everything.

The sample is drawn by a hash of the seed and of the mutant itself, one mutant a place, so that
it stays the same for a line that stays the same. What cannot be told from the original by any
test stands in `equivalent.toml`, with the reason.

    python -m tests.mutation --sample 450 --seed 1
"""
