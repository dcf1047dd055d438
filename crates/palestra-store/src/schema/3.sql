-- What a run is doing right now; a process that was killed leaves its row behind.
CREATE TABLE live (
    run     INTEGER PRIMARY KEY REFERENCES runs ON DELETE CASCADE,
    updated TEXT NOT NULL,
    what    TEXT NOT NULL CHECK (json_valid(what))
) STRICT;

CREATE INDEX runs_by_kind ON runs (kind);
-- Every index ends with the row's number, so these also give the order in which games were kept.
CREATE INDEX games_by_run ON games (run);
CREATE INDEX event_games_by_round ON event_games (round);
CREATE INDEX event_games_failed ON event_games (game) WHERE fault IS NOT NULL;

-- Who played under a name, so that games are found by names through the indices of players that games have anyway:
-- one of names and games made events a third slower.
CREATE TABLE event_players (
    run    INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    name   TEXT NOT NULL,
    player INTEGER NOT NULL REFERENCES players,
    PRIMARY KEY (run, name, player)
) STRICT, WITHOUT ROWID;
CREATE INDEX event_players_by_player ON event_players (player);
INSERT INTO event_players
SELECT run, event_games.first, games.first FROM event_games JOIN games ON games.id = event_games.game
UNION SELECT run, event_games.second, games.second FROM event_games JOIN games ON games.id = event_games.game;
