"""Regions of a local recoding that are grouped anew: a group and the groups nearest to it."""
