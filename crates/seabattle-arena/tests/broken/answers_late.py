"""Takes half a second over each shot, or as many seconds as its argument says."""
import sys
import time

from sound import Sound


class Late(Sound):
    def shoot(self, count):
        time.sleep(float(sys.argv[1]) if len(sys.argv) > 1 else 0.5)
        super().shoot(count)


Late().run()
