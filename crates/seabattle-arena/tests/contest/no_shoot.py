"""Lacks a function that every module must have."""
from good import get_map
