"""The post-randomization method: matrices, invariance, estimation."""
