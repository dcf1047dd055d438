"""A small Connect player as a Kaggle function: wins if it can, blocks if it must, else plays near the middle.

The last function of the file is the agent. It gets the board and answers with a column, counted from 0.
Try it: palestra engine check connect4 'cmd(protocol=kaggle):python3 agent.py'
"""


def wins(board, columns, rows, run, column, player):
    """Whether a stone of this player, dropped in this column, makes a run. The board is listed from the top row."""

    def stone(column, row):
        inside = 0 <= column < columns and 0 <= row < rows
        return board[row * columns + column] if inside else 0

    row = max(row for row in range(rows) if stone(column, row) == 0)
    for step_column, step_row in [(1, 0), (0, 1), (1, 1), (1, -1)]:
        length = 1
        for way in [1, -1]:
            n = 1
            while stone(column + way * n * step_column, row + way * n * step_row) == player:
                n += 1
            length += n - 1
        if length >= run:
            return True
    return False


def agent(observation, configuration):
    board, columns, rows = observation.board, configuration.columns, configuration.rows
    legal = [column for column in range(columns) if board[column] == 0]
    for player in [observation.mark, 3 - observation.mark]:
        for column in legal:
            if wins(board, columns, rows, configuration.inarow, column, player):
                return column
    return min(legal, key=lambda column: abs(2 * column - (columns - 1)))
