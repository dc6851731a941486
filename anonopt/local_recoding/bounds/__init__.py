"""Lower bounds and exact optima of local recodings."""
