"""Writes to the standard output in every way, and looks for something to read."""
import os
import subprocess
import sys

import good
from good import *

print("shots A1")


def shoot():
    print("shots A1", flush=True)
    sys.__stdout__.write("shots B1\n")
    sys.__stdout__.flush()
    os.write(1, b"ready\n")
    assert sys.stdin.read() == ""
    return good.shoot()


def get_map():
    subprocess.run(["echo", "fleet A1"], check=True)
    return good.get_map()
