"""Plays well, and leaves two children behind: one in its process group, one in a session of its own.

Their process ids are added to the file that its argument names, one a line, before the bot is ready.
"""
import os
import subprocess
import sys

from sound import Sound

children = [subprocess.Popen(["sleep", "1000"], start_new_session=own) for own in (False, True)]
with open(sys.argv[1], "a") as file:
    file.write("".join(f"{child.pid}\n" for child in children))
Sound().run()
os._exit(0)  # without a word about the children
