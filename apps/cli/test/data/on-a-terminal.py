"""Runs a command with a terminal behind its standard error, and prints what it wrote as JSON. COLUMNS is the terminal's width."""
import fcntl
import json
import os
import pty
import struct
import subprocess
import sys
import termios

terminal, its_end = pty.openpty()
fcntl.ioctl(its_end, termios.TIOCSWINSZ, struct.pack("HHHH", 24, int(os.environ.get("COLUMNS", "80")), 0, 0))
child = subprocess.Popen(
    sys.argv[1:], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=its_end, env={**os.environ, "TERM": "xterm"}
)
os.close(its_end)
stderr = b""
while True:
    try:
        part = os.read(terminal, 65536)
    except OSError:  # Linux says so when the other end is closed.
        break
    if not part:
        break
    stderr += part
stdout = child.stdout.read()
print(json.dumps({"code": child.wait(), "stdout": stdout.decode(), "stderr": stderr.decode()}))
