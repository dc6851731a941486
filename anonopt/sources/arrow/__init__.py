"""Sources that Arrow counts: datasets, and the parts of Dask frames."""
