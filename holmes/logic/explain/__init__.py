"""Explanation graphs of evaluated cases."""
