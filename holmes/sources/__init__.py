"""Where cases come from: ours, and the releases of the authors."""
