-- SQLite builds a table in memory for each list of more than two values that a row is checked against, each time: a
-- debit met two of them, a sale ten. The same rules as comparisons, in the order in which their values come most often,
-- need none. A rule of a table is changed by writing the table anew; nothing that is stored changes.

DROP VIEW postings;
CREATE TABLE transfers_anew (
  -- Ledger time, microseconds, strictly increasing.
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind = 'debit' OR kind = 'sale' OR kind = 'coupon' OR kind = 'plan' OR kind = 'bonus'
                            OR kind = 'refund' OR kind = 'expiry' OR kind = 'correction'),
  reference TEXT NOT NULL,
  source TEXT NOT NULL REFERENCES accounts (id),
  target TEXT NOT NULL REFERENCES accounts (id),
  amount INTEGER NOT NULL CHECK (amount > 0),
  CHECK (source <> target)
) STRICT;
INSERT INTO transfers_anew (id, kind, reference, source, target, amount)
  SELECT id, kind, reference, source, target, amount FROM transfers ORDER BY id;
DROP TABLE transfers;
ALTER TABLE transfers_anew RENAME TO transfers;
CREATE UNIQUE INDEX transfers_refunds ON transfers (reference) WHERE kind = 'refund';
CREATE INDEX transfers_back ON transfers (target) WHERE kind = 'refund';
CREATE INDEX transfers_expired ON transfers (source) WHERE kind = 'expiry';
CREATE TRIGGER transfers_are_final BEFORE UPDATE ON transfers BEGIN SELECT RAISE(ABORT, 'transfers are final'); END;
CREATE TRIGGER transfers_stay BEFORE DELETE ON transfers BEGIN SELECT RAISE(ABORT, 'transfers are final'); END;
CREATE VIEW postings (transfer_id, account_id, amount) AS
  SELECT id, source, -amount FROM transfers UNION ALL SELECT id, target, amount FROM transfers;

CREATE TABLE calls_anew (
  id INTEGER PRIMARY KEY,
  key_id INTEGER REFERENCES keys (id),
  previous INTEGER NOT NULL,
  product TEXT NOT NULL,
  access TEXT NOT NULL CHECK (access = 'debit' OR access = 'pass' OR access = 'coupon'),
  amount INTEGER NOT NULL CHECK (amount >= 0),
  answer_id INTEGER,
  times INTEGER NOT NULL DEFAULT 1 CHECK (times > 0 AND (times = 1 OR access = 'pass')),
  CHECK ((access = 'debit') = (amount > 0) OR access = 'coupon')
) STRICT;
INSERT INTO calls_anew (id, key_id, previous, product, access, amount, answer_id, times)
  SELECT id, key_id, previous, product, access, amount, answer_id, times FROM calls ORDER BY id;
DROP TABLE calls;
ALTER TABLE calls_anew RENAME TO calls;
CREATE INDEX calls_of_passes ON calls (key_id) WHERE access = 'pass';
CREATE TRIGGER calls_stay BEFORE DELETE ON calls BEGIN SELECT RAISE(ABORT, 'calls are final'); END;
CREATE TRIGGER calls_only_grow BEFORE UPDATE ON calls
  WHEN NEW.id <> OLD.id OR NEW.key_id IS NOT OLD.key_id OR NEW.previous <> OLD.previous OR NEW.product <> OLD.product
    OR NEW.access <> OLD.access OR NEW.amount <> OLD.amount OR NEW.answer_id IS NOT OLD.answer_id
    OR NEW.times < OLD.times
BEGIN SELECT RAISE(ABORT, 'calls are final'); END;

-- The two long texts come last: what is asked most is found without reading over them.
CREATE TABLE payments_anew (
  id TEXT PRIMARY KEY,
  replay_key TEXT NOT NULL UNIQUE,
  payload_hash TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state = 'settling' OR state = 'settled' OR state = 'received' OR state = 'rejected'
                             OR state = 'abandoned' OR state = 'settle_failed' OR state = 'unknown'
                             OR state = 'verified' OR state = 'producing'),
  delivered INTEGER NOT NULL DEFAULT 1 CHECK (delivered IN (0, 1)),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  amount INTEGER NOT NULL CHECK (amount > 0),
  valid_until INTEGER NOT NULL,
  product TEXT NOT NULL,
  network TEXT NOT NULL,
  asset TEXT NOT NULL,
  payer TEXT NOT NULL,
  pay_to TEXT NOT NULL,
  facilitator TEXT,
  reason TEXT,
  chain_transaction TEXT,
  -- What a facilitator named while the outcome was open: a hint for looking it up, never believed.
  hint_transaction TEXT,
  -- SHA-256 of "<payer> <identifier>": the buyer's own name for the payment.
  identifier TEXT,
  -- SHA-256 of "<payer> <Idempotency-Key>": who knows it made the payment.
  proof TEXT,
  -- What was bought besides the answer, as JSON.
  purchase TEXT,
  payload TEXT NOT NULL,
  answer TEXT,
  CHECK (state NOT IN ('settling', 'unknown') OR answer IS NOT NULL),
  CHECK (state <> 'settled' OR chain_transaction IS NOT NULL)
) STRICT;
INSERT INTO payments_anew (id, replay_key, payload_hash, fingerprint, state, delivered, created_at, updated_at, amount,
    valid_until, product, network, asset, payer, pay_to, facilitator, reason, chain_transaction, hint_transaction,
    identifier, proof, purchase, payload, answer)
  SELECT id, replay_key, payload_hash, fingerprint, state, delivered, created_at, updated_at, amount, valid_until,
    product, network, asset, payer, pay_to, facilitator, reason, chain_transaction, hint_transaction, identifier, proof,
    purchase, payload, answer FROM payments ORDER BY rowid;
DROP TABLE payments;
ALTER TABLE payments_anew RENAME TO payments;
CREATE INDEX payments_by_payer ON payments (payer, fingerprint, created_at);
CREATE INDEX payments_with_answer ON payments (created_at) WHERE answer IS NOT NULL;
CREATE UNIQUE INDEX payments_by_identifier ON payments (identifier) WHERE identifier IS NOT NULL;
CREATE INDEX payments_ended ON payments (min(valid_until, updated_at / 1000 + 3600000))
  WHERE state IN ('rejected', 'abandoned');
CREATE INDEX payments_unknown ON payments (created_at) WHERE state = 'unknown';
CREATE INDEX payments_unknown_by_payer ON payments (payer) WHERE state = 'unknown';
-- What is in flight is found at a start without looking at every payment there ever was.
CREATE INDEX payments_running ON payments (created_at)
  WHERE state = 'received' OR state = 'verified' OR state = 'producing';
CREATE INDEX payments_settling ON payments (created_at) WHERE state = 'settling';
-- A payer has few answers that were paid for and never handed over: whether there is one is asked with each payment.
CREATE INDEX payments_undelivered ON payments (payer) WHERE state = 'settled' AND delivered = 0;

DROP TRIGGER receipts_land;
DROP TRIGGER landings_count;
DROP TRIGGER landings_recount;
DROP TRIGGER landings_stay;
CREATE TABLE landings_anew (
  receipt_id TEXT PRIMARY KEY REFERENCES receipts (id),
  network TEXT NOT NULL,
  -- Who reported it; '' where that was not written down.
  facilitator TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state = 'pending' OR state = 'confirmed' OR state = 'missing'),
  looks INTEGER NOT NULL DEFAULT 0,
  checked_at INTEGER,
  -- When to look next, ms; null is never again.
  due_at INTEGER,
  -- UTC hour number of the settlement.
  hour INTEGER NOT NULL,
  doubted INTEGER NOT NULL DEFAULT 0 CHECK (doubted IN (0, 1))
) STRICT, WITHOUT ROWID;
INSERT INTO landings_anew (receipt_id, network, facilitator, state, looks, checked_at, due_at, hour, doubted)
  SELECT receipt_id, network, facilitator, state, looks, checked_at, due_at, hour, doubted FROM landings;
DROP TABLE landings;
ALTER TABLE landings_anew RENAME TO landings;
CREATE INDEX landings_due ON landings (network, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX landings_missing ON landings (checked_at) WHERE state = 'missing';
CREATE INDEX landings_doubted ON landings (network, facilitator, hour) WHERE doubted = 1;

CREATE TABLE landing_counts_anew (
  -- UTC hour number of the settlement; -1 is all time.
  hour INTEGER NOT NULL,
  network TEXT NOT NULL,
  facilitator TEXT NOT NULL,
  state TEXT NOT NULL
    CHECK (state = 'pending' OR state = 'confirmed' OR state = 'missing' OR state = 'disbelieved'),
  count INTEGER NOT NULL CHECK (count >= 0),
  PRIMARY KEY (hour, network, facilitator, state)
) STRICT, WITHOUT ROWID;
INSERT INTO landing_counts_anew (hour, network, facilitator, state, count)
  SELECT hour, network, facilitator, state, count FROM landing_counts;
DROP TABLE landing_counts;
ALTER TABLE landing_counts_anew RENAME TO landing_counts;

CREATE TRIGGER receipts_land AFTER INSERT ON receipts BEGIN
  INSERT INTO receipt_hours (hour, label, count, amount) VALUES (NEW.settled_at / 3600000000, NEW.label, 1, NEW.amount)
    ON CONFLICT (hour, label) DO UPDATE SET count = count + 1, amount = amount + excluded.amount;
  INSERT INTO landings (receipt_id, network, facilitator, state, due_at, hour)
    VALUES (NEW.id, NEW.network, coalesce(NEW.facilitator, ''), 'pending', NEW.settled_at / 1000 + 5000,
      NEW.settled_at / 3600000000);
END;
CREATE TRIGGER landings_count AFTER INSERT ON landings BEGIN
  INSERT INTO landing_counts (hour, network, facilitator, state, count)
    VALUES (NEW.hour, NEW.network, NEW.facilitator, NEW.state, 1)
    ON CONFLICT (hour, network, facilitator, state) DO UPDATE SET count = count + 1;
  INSERT INTO landing_counts (hour, network, facilitator, state, count)
    VALUES (-1, NEW.network, NEW.facilitator, NEW.state, 1)
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
