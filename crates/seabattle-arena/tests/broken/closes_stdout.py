"""Closes its output when asked for the third time to shoot, and lives on (for a quarter of an hour)."""
import os
import time

from sound import Sound


class Closing(Sound):
    asked = 0

    def shoot(self, count):
        self.asked += 1
        if self.asked == 3:
            os.close(1)
            time.sleep(900)
        super().shoot(count)


Closing().run()
