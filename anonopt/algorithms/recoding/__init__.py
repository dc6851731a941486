"""Searches of local recodings, and the methods that build one."""
