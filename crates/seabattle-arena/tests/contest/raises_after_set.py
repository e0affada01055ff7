"""Raises at the end of every set."""
from good import *


def on_set_end():
    raise RuntimeError("a bad end")
