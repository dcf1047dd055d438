-- A game of an event: who sat where, and what became of it off the board.
CREATE TABLE event_games (
    game     INTEGER PRIMARY KEY REFERENCES games ON DELETE CASCADE,
    round    INTEGER NOT NULL,
    first    TEXT NOT NULL,            -- names in the event; the players are with the game
    second   TEXT NOT NULL,
    points   REAL NOT NULL,            -- what the game itself gives the first player
    first_ms  INTEGER NOT NULL,        -- what each side used of its clock
    second_ms INTEGER NOT NULL,
    forfeit  TEXT CHECK (forfeit IN ('first', 'second')),
    fault    TEXT,
    detail   TEXT,
    evidence TEXT CHECK (json_valid(evidence))
) STRICT;
