"""Takes too long over a shot."""
import time

from good import *


def shoot():
    time.sleep(60)
