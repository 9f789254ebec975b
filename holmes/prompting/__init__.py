"""What a model is shown: parts that several domains share, and the prompt of a domain that brings none."""
