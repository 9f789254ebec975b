"""The DeonticBench release."""
