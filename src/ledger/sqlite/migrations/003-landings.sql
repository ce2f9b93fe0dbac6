-- What a facilitator says was settled, and whether the chain agrees.

-- The chain transaction a facilitator named while the outcome was open: a hint for looking it up, never believed.
ALTER TABLE payments ADD COLUMN hint_transaction TEXT;

DROP INDEX landings_pending;
DROP INDEX landings_missing;
CREATE TABLE landings_by_network (
  receipt_id TEXT PRIMARY KEY REFERENCES receipts (id),
  network TEXT NOT NULL,
  -- Who reported it; '' where that was not written down.
  facilitator TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'confirmed', 'missing')),
  looks INTEGER NOT NULL DEFAULT 0,
  checked_at INTEGER,
  -- When to look next, ms; null is never again.
  due_at INTEGER,
  -- UTC hour number of the settlement.
  hour INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO landings_by_network (receipt_id, network, facilitator, state, looks, checked_at, due_at, hour)
  SELECT l.receipt_id, r.network, coalesce(r.facilitator, ''), l.state, l.looks, l.checked_at,
    iif(l.state = 'pending', 0, NULL), r.settled_at / 3600000000
  FROM landings l JOIN receipts r ON r.id = l.receipt_id;
DROP TABLE landings;
ALTER TABLE landings_by_network RENAME TO landings;
CREATE INDEX landings_due ON landings (network, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX landings_missing ON landings (checked_at) WHERE state = 'missing';

-- Counted as they change, so that /live costs the same however long the ledger is. 'disbelieved': reported as settled,
-- found never to have been before it was booked.
CREATE TABLE landing_counts (
  -- UTC hour number of the settlement; -1 is all time.
  hour INTEGER NOT NULL,
  network TEXT NOT NULL,
  facilitator TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'confirmed', 'missing', 'disbelieved')),
  count INTEGER NOT NULL CHECK (count >= 0),
  PRIMARY KEY (hour, network, facilitator, state)
) STRICT, WITHOUT ROWID;
INSERT INTO landing_counts (hour, network, facilitator, state, count)
  SELECT hour, network, facilitator, state, count(*) FROM landings GROUP BY 1, 2, 3, 4;
INSERT INTO landing_counts (hour, network, facilitator, state, count)
  SELECT -1, network, facilitator, state, count(*) FROM landings GROUP BY 2, 3, 4;

-- Receipts by the hour, for the totals of a day.
CREATE TABLE receipt_hours (
  -- UTC hour number.
  hour INTEGER NOT NULL,
  label TEXT NOT NULL CHECK (label IN ('organic', 'operator-test')),
  count INTEGER NOT NULL CHECK (count > 0),
  amount INTEGER NOT NULL CHECK (amount > 0),
  PRIMARY KEY (hour, label)
) STRICT, WITHOUT ROWID;
INSERT INTO receipt_hours (hour, label, count, amount)
  SELECT settled_at / 3600000000, label, count(*), sum(amount) FROM receipts GROUP BY 1, 2;

-- Every receipt from here on is looked up, a few seconds after it was written.
CREATE TRIGGER receipts_land AFTER INSERT ON receipts BEGIN
  INSERT INTO receipt_hours (hour, label, count, amount) VALUES (NEW.settled_at / 3600000000, NEW.label, 1, NEW.amount)
    ON CONFLICT (hour, label) DO UPDATE SET count = count + 1, amount = amount + excluded.amount;
  INSERT INTO landings (receipt_id, network, facilitator, state, due_at, hour)
    VALUES (NEW.id, NEW.network, coalesce(NEW.facilitator, ''), 'pending', NEW.settled_at / 1000 + 5000,
      NEW.settled_at / 3600000000);
END;
CREATE TRIGGER landings_count AFTER INSERT ON landings BEGIN
  INSERT INTO landing_counts (hour, network, facilitator, state, count)
    VALUES (NEW.hour, NEW.network, NEW.facilitator, NEW.state, 1), (-1, NEW.network, NEW.facilitator, NEW.state, 1)
    ON CONFLICT (hour, network, facilitator, state) DO UPDATE SET count = count + 1;
END;
CREATE TRIGGER landings_recount AFTER UPDATE OF state ON landings WHEN NEW.state <> OLD.state BEGIN
  UPDATE landing_counts SET count = count - 1
    WHERE hour IN (OLD.hour, -1) AND network = OLD.network AND facilitator = OLD.facilitator AND state = OLD.state;
  INSERT INTO landing_counts (hour, network, facilitator, state, count)
    VALUES (NEW.hour, NEW.network, NEW.facilitator, NEW.state, 1), (-1, NEW.network, NEW.facilitator, NEW.state, 1)
    ON CONFLICT (hour, network, facilitator, state) DO UPDATE SET count = count + 1;
END;
CREATE TRIGGER landings_stay BEFORE DELETE ON landings BEGIN SELECT RAISE(ABORT, 'landings are kept'); END;
