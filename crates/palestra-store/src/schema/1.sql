CREATE TABLE runs (
    id       INTEGER PRIMARY KEY,
    name     TEXT NOT NULL UNIQUE,
    kind     TEXT NOT NULL,
    plan     TEXT NOT NULL,
    plan_key TEXT NOT NULL,
    seed     TEXT NOT NULL,            -- a whole number of 64 bits without sign, which SQLite has not
    version  TEXT NOT NULL,
    weights  TEXT NOT NULL CHECK (json_valid(weights)),
    state    TEXT NOT NULL CHECK (state IN ('running', 'interrupted', 'done', 'failed')),
    created  TEXT NOT NULL,
    updated  TEXT NOT NULL,
    seconds  REAL NOT NULL DEFAULT 0,
    n_games  INTEGER NOT NULL DEFAULT 0,
    outcome  TEXT CHECK (json_valid(outcome))
) STRICT;
CREATE INDEX runs_by_plan ON runs (plan_key);

CREATE TABLE players (
    id     INTEGER PRIMARY KEY,
    hash   TEXT NOT NULL UNIQUE,
    game   TEXT NOT NULL,
    player TEXT NOT NULL
) STRICT;

-- A fitness that is not a number is NULL.
CREATE TABLE generations (
    run         INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    number      INTEGER NOT NULL,
    n_games     INTEGER NOT NULL,
    best        REAL,
    mean        REAL,
    worst       REAL,
    best_number INTEGER NOT NULL,
    spread      REAL,
    angle       REAL,
    vitals      TEXT NOT NULL CHECK (json_valid(vitals)),
    PRIMARY KEY (run, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE candidates (
    run        INTEGER NOT NULL,
    generation INTEGER NOT NULL,
    number     INTEGER NOT NULL,
    weights    BLOB NOT NULL CHECK (length(weights) % 8 = 0),
    fitness    REAL,
    PRIMARY KEY (run, generation, number),
    FOREIGN KEY (run, generation) REFERENCES generations ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE hall (
    run        INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    number     INTEGER NOT NULL,
    generation INTEGER NOT NULL,
    label      TEXT NOT NULL,
    weights    BLOB NOT NULL CHECK (length(weights) % 8 = 0),
    fitness    REAL,
    PRIMARY KEY (run, number)
) STRICT, WITHOUT ROWID;

-- Results can be long, and a table without rowid would keep them among its keys.
CREATE TABLE batches (
    run     INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    key     BLOB NOT NULL CHECK (length(key) = 32),
    result  BLOB NOT NULL,
    n_games INTEGER NOT NULL,
    PRIMARY KEY (run, key)
) STRICT;

CREATE TABLE units (
    run     INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    key     BLOB NOT NULL CHECK (length(key) = 32),
    unit    INTEGER NOT NULL,
    result  BLOB NOT NULL,
    n_games INTEGER NOT NULL,
    PRIMARY KEY (run, key, unit)
) STRICT;

CREATE TABLE games (
    id           INTEGER PRIMARY KEY,
    run          INTEGER REFERENCES runs ON DELETE CASCADE,
    batch        BLOB,
    number       INTEGER,
    first        INTEGER NOT NULL REFERENCES players,
    second       INTEGER NOT NULL REFERENCES players,
    game         TEXT NOT NULL,
    setup        TEXT,
    opening      TEXT NOT NULL,
    moves        TEXT NOT NULL,
    winner       TEXT CHECK (winner IN ('first', 'second')),
    margin       INTEGER NOT NULL,
    reason       TEXT NOT NULL,
    plies        INTEGER NOT NULL,
    seed         TEXT NOT NULL,
    microseconds INTEGER,
    UNIQUE (run, batch, number)
) STRICT;
CREATE INDEX games_by_first ON games (first);
CREATE INDEX games_by_second ON games (second);

CREATE TABLE champions (
    name    TEXT PRIMARY KEY,
    game    TEXT NOT NULL,
    player  TEXT NOT NULL,
    run     INTEGER REFERENCES runs ON DELETE SET NULL,
    verdict TEXT NOT NULL CHECK (json_valid(verdict)),
    created TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX champions_by_run ON champions (run);
