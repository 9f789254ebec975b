"""Tests of the baggage statute."""
