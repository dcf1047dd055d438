"""Plays the first column of ORDER that is not full."""
import sys

ORDER = "4352617"

moves = []
for line in sys.stdin:
    words = line.split()
    if words[:1] == ["ugi"]:
        print("id name python\nugiok", flush=True)
    elif words[:1] == ["isready"]:
        print("readyok", flush=True)
    elif words[:1] == ["position"]:
        moves = words[3:]
    elif words[:1] == ["go"]:
        # WHAT GOES WRONG
        print("bestmove", next(column for column in ORDER if moves.count(column) < 6), flush=True)
    elif words[:1] == ["quit"]:
        break
