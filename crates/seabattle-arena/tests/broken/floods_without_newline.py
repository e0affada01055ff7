"""Answers `shoot` with a line that never ends."""
import sys

from sound import Sound


class Flood(Sound):
    def shoot(self, count):
        while True:
            sys.stdout.write("shots " * 1000)


Flood().run()
