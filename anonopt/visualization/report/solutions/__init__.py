"""Solutions in their own terms: what a genome of each kind of problem means for the data."""
