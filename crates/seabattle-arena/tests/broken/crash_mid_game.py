"""Ends with status 3 after its fifth shot."""
import sys

from sound import Sound


class Crash(Sound):
    shots = 0

    def shoot(self, count):
        super().shoot(count)
        self.shots += count
        if self.shots >= 5:
            sys.exit(3)


Crash().run()
