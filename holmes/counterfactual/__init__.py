"""Counterfactual families: a case, its decisive change and its control, told in the same words."""
