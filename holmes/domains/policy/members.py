"""The rule bases that policy questions are asked about: members of the shipped config, so written out."""

from __future__ import annotations

from holmes.errors import InputError
from holmes.logic.language.model import RuleBase
from holmes.registry import domain

HOME = "law"
NAMES = (
    *("breathing_library", "data_protection", "dragon_hatchery", "food_hygiene", "masked_city", "moon_apiary"),
    *("road_traffic", "shadow_market", "tenancy", "workplace_safety", "hospital_access"),
)


def member(name: str) -> RuleBase:
    """Return one of the rule bases; raises InputError for another name."""
    if name not in NAMES:
        raise InputError(f"rule base: found {name!r}, expected one of {', '.join(NAMES)}")
    return domain(HOME).rulebases()[name]
