"""Answers `shoot` with lines without end, the first of them a good one."""
import sys

from sound import Sound


class Flood(Sound):
    def shoot(self, count):
        super().shoot(count)
        while True:
            sys.stdout.write("thinking about it\n" * 100)


Flood().run()
