"""Allotments: complaints about garden plots, as a domain of holmes."""

from holmes.domains.base import RuleBaseDomain


class Allotments(RuleBaseDomain):
    """Gardeners before the committee of their club; the rule base beside this file says everything else."""

    name = "allotments"
    question = "What does the committee decide about {X}?"


ALLOTMENTS = Allotments()
