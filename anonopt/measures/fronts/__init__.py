"""Dominance, boxes and indicators of fronts."""
