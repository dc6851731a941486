"""Configurations drafted from tables."""
