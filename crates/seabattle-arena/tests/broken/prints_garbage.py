"""Answers `shoot` with bytes that are no text and a line that is no answer."""
import sys

from sound import Sound


class Garbage(Sound):
    def shoot(self, count):
        sys.stdout.buffer.write(b"\xff\xfe\x00\x80\x1b[2J shots? \xc3\x28\r\nlorem ipsum\n")
        sys.stdout.buffer.flush()


Garbage().run()
