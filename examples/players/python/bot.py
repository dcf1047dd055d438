#!/usr/bin/env python3
"""A small player for Connect games that speaks UGI.

It wins if it can, blocks if it must, and otherwise plays near the middle.
Try it: palestra engine check connect4 cmd:'python3 bot.py'
"""

import re
import sys


def say(line):
    """Answers the referee. Without flush the line would wait in a buffer while our clock runs."""
    print(line, flush=True)


class Board:
    """Stones in columns, each column from the bottom up."""

    def __init__(self, columns, rows, run):
        self.columns, self.rows, self.run = columns, rows, run
        self.stacks = [[] for _ in range(columns)]
        self.player = 1  # who moves next: 1 or 2

    def legal(self):
        return [column for column in range(self.columns) if len(self.stacks[column]) < self.rows]

    def play(self, column):
        self.stacks[column].append(self.player)
        self.player = 3 - self.player

    def stone(self, column, row):
        if 0 <= column < self.columns and 0 <= row < len(self.stacks[column]):
            return self.stacks[column][row]
        return 0

    def wins(self, column, player):
        """Whether a stone of this player, dropped here, makes a run."""
        row = len(self.stacks[column])
        for step_column, step_row in [(1, 0), (0, 1), (1, 1), (1, -1)]:
            length = 1
            for way in [1, -1]:
                n = 1
                while self.stone(column + way * n * step_column, row + way * n * step_row) == player:
                    n += 1
                length += n - 1
            if length >= self.run:
                return True
        return False


def choose(board):
    """The whole brain: replace this with yours."""
    for player in [board.player, 3 - board.player]:
        for column in board.legal():
            if board.wins(column, player):
                return column
    return min(board.legal(), key=lambda column: abs(2 * column - (board.columns - 1)))


def main():
    size = (7, 6, 4)
    board = Board(*size)
    for line in sys.stdin:  # ends when the referee closes our input
        words = line.split()
        if not words:
            continue
        if words[0] == "ugi":
            say("id name python-example")
            say("id author nobody")
            say("option name UGI_Variant type string default connect:7x6x4")
            say("ugiok")
        elif words[0] == "setoption":
            # setoption name UGI_Variant value connect:7x6x4
            found = re.search(r"connect:(\d+)x(\d+)x(\d+)", line)
            if "UGI_Variant" in words and found:
                size = tuple(int(number) for number in found.groups())
        elif words[0] == "isready":
            say("readyok")
        elif words[0] == "uginewgame":
            board = Board(*size)
        elif words[0] == "position":
            # position startpos moves 4 4 5: always the whole game, columns counted from 1
            board = Board(*size)
            for word in words[3:]:
                board.play(int(word) - 1)
        elif words[0] == "go":
            say(f"bestmove {choose(board) + 1}")
        elif words[0] == "stop":
            pass  # we answer at once, so there is never a search to stop
        elif words[0] == "quit":
            break
        else:
            print("not understood:", line.strip(), file=sys.stderr)


if __name__ == "__main__":
    main()
