"""Turns a Kaggle agent of ConnectX into a UGI engine: python3 kaggle.py AGENT.py

The last callable of the file is the agent: agent(observation, configuration) -> column, counted from 0.
What the agent prints goes to standard error and does not mix with the protocol.
"""

import os
import sys
import time
import traceback


class Struct(dict):
    """A dictionary whose keys are attributes as well, as Kaggle's are."""

    def __getattr__(self, name):
        if name not in self:
            raise AttributeError(name)
        return self[name]

    def __setattr__(self, name, value):
        self[name] = value


def load(path):
    """The last callable of a file with its name."""
    folder = os.path.dirname(os.path.abspath(path))
    sys.path.insert(0, folder)
    with open(path, encoding="utf-8") as file:
        code = compile(file.read(), path, "exec")
    names = {"__name__": "agent", "__file__": os.path.abspath(path)}
    exec(code, names)
    callables = [key for key, value in names.items() if callable(value) and not key.startswith("__")]
    if not callables:
        raise SystemExit(f"{path} has no function")
    return callables[-1], names[callables[-1]]


def describe(name, agent):
    """What was taken as the agent: "function agent (line 5)"."""
    if isinstance(agent, type):
        return f"class {name}"
    code = getattr(agent, "__code__", None)
    if code is None:
        return f"{name}, an object of class {type(agent).__name__}"
    return f"function {name} (line {code.co_firstlineno})"


def column_of(answer, described):
    """The column that the agent returned."""
    try:
        return int(answer)
    except (TypeError, ValueError):
        raise SystemExit(
            f"{sys.argv[1]}: the agent is the last callable of the file, {described}, and it returned "
            f"{type(answer).__name__} instead of a column; on Kaggle it would fail as well. "
            "Put the agent's function last."
        ) from None


def parameters(variant):
    """Columns, rows and run of connect:7x6x4."""
    name, _, numbers = variant.partition(":")
    columns, rows, run = (int(number) for number in numbers.split("x")[:3])
    if name != "connect":
        raise ValueError(f"{variant} is not a game of connect")
    return columns, rows, run


def place(columns, rows, moves):
    """The board after these moves as a flat list, rows from the top; 1 is the first player."""
    board = [0] * (columns * rows)
    for ply, move in enumerate(moves):
        column = int(move) - 1
        free = [row for row in range(rows) if board[row * columns + column] == 0]
        board[max(free) * columns + column] = ply % 2 + 1
    return board


def arguments(function):
    """Number of arguments that a function takes, at most 2: some agents leave the configuration out."""
    code = getattr(function, "__code__", None)
    if code is None or code.co_flags & 0x04:
        return 2
    bound = 1 if hasattr(function, "__self__") else 0
    return min(2, code.co_argcount - bound)


def main():
    # Only this function has the real standard output: what the agent or its libraries print goes to standard error.
    answers = os.fdopen(os.dup(1), "w", buffering=1, encoding="utf-8", newline="\n")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    name, agent = load(sys.argv[1])
    described = describe(name, agent)
    n_arguments = arguments(agent)
    variant, moves, bank = "connect:7x6x4", [], 60.0
    for line in iter(sys.stdin.readline, ""):
        words = line.split()
        if not words:
            continue
        if words[0] == "ugi":
            answers.write(
                "id name " + os.path.basename(sys.argv[1]) + ": " + described + "\n"
                "id author a Kaggle agent\n"
                "option name UGI_Variant type string default connect:7x6x4\n"
                "ugiok\n"
            )
        elif words[0] == "isready":
            answers.write("readyok\n")
        elif words[:3] == ["setoption", "name", "UGI_Variant"]:
            variant = words[-1]
        elif words[0] == "uginewgame":
            moves = []
        elif words[0] == "position":
            moves = words[words.index("moves") + 1 :] if "moves" in words else []
        elif words[0] == "go":
            limits = dict(zip(words[1::2], words[2::2]))
            seconds = float(limits.get("movetime", 2000)) / 1000
            own = "p1time" if len(moves) % 2 == 0 else "p2time"
            bank = float(limits.get(own, 60000)) / 1000
            columns, rows, run = parameters(variant)
            observation = Struct(
                board=place(columns, rows, moves),
                mark=len(moves) % 2 + 1,
                step=len(moves),
                remainingOverageTime=bank,
            )
            configuration = Struct(
                columns=columns, rows=rows, inarow=run, actTimeout=seconds, timeout=seconds, episodeSteps=1000
            )
            column = column_of(agent(*(observation, configuration)[:n_arguments]), described)
            answers.write(f"bestmove {column + 1}\n")
        elif words[0] == "quit":
            break


if __name__ == "__main__":
    try:
        main()
    except Exception:
        traceback.print_exc()
        sys.exit(1)
