-- The files of programs that played in an event, by the key of the program.
CREATE TABLE archived_programs (
    run      INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    key      BLOB NOT NULL CHECK (length(key) = 32),
    manifest TEXT NOT NULL CHECK (json_valid(manifest)),
    PRIMARY KEY (run, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX archived_programs_by_key ON archived_programs (key);

-- Their contents, once each, compressed as a zlib stream.
CREATE TABLE archived_files (
    hash    TEXT PRIMARY KEY,          -- of the content before it was compressed, as manifests name it
    content BLOB NOT NULL
) STRICT;
