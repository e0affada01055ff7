"""Ends the process without an error when it is to shoot."""
import sys

from good import *


def shoot():
    sys.exit(0)
