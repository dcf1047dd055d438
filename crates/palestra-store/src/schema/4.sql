-- A row counts only while its checksum fits; rows of earlier schemas get theirs in this migration.
ALTER TABLE batches ADD COLUMN checksum INTEGER;
ALTER TABLE units ADD COLUMN checksum INTEGER;
ALTER TABLE generations ADD COLUMN checksum INTEGER;
ALTER TABLE candidates ADD COLUMN checksum INTEGER;
ALTER TABLE hall ADD COLUMN checksum INTEGER;
ALTER TABLE games ADD COLUMN checksum INTEGER;
ALTER TABLE event_games ADD COLUMN checksum INTEGER;

-- What the optimizer was told after each generation: training is repeated from it without games.
CREATE TABLE replies (
    run        INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    generation INTEGER NOT NULL,
    reply      BLOB NOT NULL,
    n_games    INTEGER NOT NULL,
    checksum   INTEGER,
    PRIMARY KEY (run, generation)
) STRICT, WITHOUT ROWID;
