"""What the config counterfactual is made of: written out, so that a further domain changes none of its rows."""

from __future__ import annotations

from collections.abc import Mapping

NAME = "counterfactual"
MEMBERS: Mapping[str, tuple[str, ...]] = {  # domain -> the configs that hold its shipped cases
    "law": ("law",),
    "finance": ("finance",),
    "deontic": ("deontic_sara_numeric", "deontic_sara_binary"),
}
WHOLE = ("law",)
"""Domains whose cases are also held to a gate all together, not answer by answer alone."""
SHOWN = "law"
"""The domain of the family that the card prints."""
