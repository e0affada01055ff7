"""Plays well, but stays: after `quit`, after SIGTERM and after the end of its input (for a quarter of an hour)."""
import signal
import time

from sound import Sound


class Stubborn(Sound):
    def leaves(self):
        return False


signal.signal(signal.SIGTERM, signal.SIG_IGN)
Stubborn().run()
time.sleep(900)
