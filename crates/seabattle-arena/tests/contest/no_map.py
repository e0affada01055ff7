"""Lacks the map under both of its names."""
from good import shoot
