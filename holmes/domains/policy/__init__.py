"""Questions about policies themselves: relations, transformations, compositions, selections, quantification."""
