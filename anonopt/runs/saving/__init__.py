"""Runs on disk: checkpoints, saved runs, and going on from them."""
