"""From a case to its parts, derivations, reference traces and higher-order operations."""
