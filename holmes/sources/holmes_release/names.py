"""The names of this source and its configs."""

NAME = "holmes-release"
LAW, FINANCE = "law_release", "finance_release"
TYPES, COUNTERFACTUAL = "types_release", "counterfactual_release"
