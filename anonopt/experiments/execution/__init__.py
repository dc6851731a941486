"""Runs of an experiment: one job each, on any executor."""
