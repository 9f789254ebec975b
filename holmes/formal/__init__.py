"""Golds proved by kernels of higher-order logic: one intermediate form, printed for HOL Light and Isabelle."""
