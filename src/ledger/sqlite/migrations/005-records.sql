-- Records nobody can edit afterwards: hash-chained statements such as signals, and what became of them.
CREATE TABLE records (
  -- 'sandbox': made of simulated markets, never to be read as the other.
  realm TEXT NOT NULL CHECK (realm IN ('live', 'sandbox')),
  chain TEXT NOT NULL,
  seq INTEGER NOT NULL CHECK (seq > 0),
  -- RFC 8785 text: its SHA-256 is record_hash.
  record_json TEXT NOT NULL CHECK (json_valid(record_json)),
  record_hash TEXT NOT NULL CHECK (length(record_hash) = 64),
  -- Kept with it, hashed only where the record holds its hash.
  beside_json TEXT NOT NULL CHECK (json_valid(beside_json)),
  -- ms.
  recorded_at INTEGER NOT NULL,
  PRIMARY KEY (realm, chain, seq),
  UNIQUE (realm, record_hash)
) STRICT;

CREATE TABLE record_outcomes (
  realm TEXT NOT NULL,
  chain TEXT NOT NULL,
  seq INTEGER NOT NULL,
  outcome_json TEXT NOT NULL CHECK (json_valid(outcome_json)),
  outcome_hash TEXT NOT NULL CHECK (length(outcome_hash) = 64),
  beside_json TEXT NOT NULL CHECK (json_valid(beside_json)),
  scored_at INTEGER NOT NULL,
  PRIMARY KEY (realm, chain, seq),
  FOREIGN KEY (realm, chain, seq) REFERENCES records (realm, chain, seq)
) STRICT;

-- The next of its chain, naming the one before it: also what INSERT OR REPLACE runs into.
CREATE TRIGGER records_follow BEFORE INSERT ON records BEGIN
  SELECT RAISE(ABORT, 'a record must be the next of its chain')
    WHERE NEW.seq <> coalesce((SELECT max(seq) FROM records WHERE realm = NEW.realm AND chain = NEW.chain), 0) + 1
       OR json_extract(NEW.record_json, '$.seq') IS NOT NEW.seq;
  SELECT RAISE(ABORT, 'a record must name the one before it') FROM records
    WHERE realm = NEW.realm AND chain = NEW.chain AND seq = NEW.seq - 1
      AND record_hash IS NOT json_extract(NEW.record_json, '$.prev_hash');
  SELECT RAISE(ABORT, 'a record must not be older than the one before it') FROM records
    WHERE realm = NEW.realm AND chain = NEW.chain AND seq = NEW.seq - 1 AND recorded_at > NEW.recorded_at;
END;
CREATE TRIGGER records_are_final BEFORE UPDATE ON records BEGIN SELECT RAISE(ABORT, 'records are final'); END;
CREATE TRIGGER records_stay BEFORE DELETE ON records BEGIN SELECT RAISE(ABORT, 'records are final'); END;
CREATE TRIGGER outcomes_once BEFORE INSERT ON record_outcomes BEGIN
  SELECT RAISE(ABORT, 'an outcome is stated once')
    FROM record_outcomes WHERE realm = NEW.realm AND chain = NEW.chain AND seq = NEW.seq;
END;
CREATE TRIGGER outcomes_are_final BEFORE UPDATE ON record_outcomes BEGIN SELECT RAISE(ABORT, 'outcomes are final'); END;
CREATE TRIGGER outcomes_stay BEFORE DELETE ON record_outcomes BEGIN SELECT RAISE(ABORT, 'outcomes are final'); END;
