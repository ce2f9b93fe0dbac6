-- Since when the public manifest is what it is: a restart alone is no change of it.
CREATE TABLE manifest (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  -- SHA-256 of everything in it but this time, hex.
  digest TEXT NOT NULL CHECK (length(digest) = 64),
  -- Unix seconds.
  changed_at INTEGER NOT NULL
) STRICT;
