"""Ends with status 3 before it is ready."""
import sys

sys.exit(3)
