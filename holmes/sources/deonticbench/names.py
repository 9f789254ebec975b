"""The names of this source and its configs."""

NAME = "deonticbench"
