-- Prepaid keys, coupons, and what both sides need to prove a call.

-- A transfer names its two accounts itself, so that it cannot be out of balance; its id is its ledger time, so that the
-- books of a busy node keep no second index.
DROP TRIGGER transfers_are_final;
DROP TRIGGER transfers_stay;
DROP TRIGGER postings_are_final;
DROP TRIGGER postings_stay;
DROP TRIGGER receipts_are_final;
CREATE TABLE transfers_by_time (
  -- Ledger time, microseconds, strictly increasing.
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL
    CHECK (kind IN ('sale', 'plan', 'bonus', 'debit', 'coupon', 'refund', 'expiry', 'correction')),
  reference TEXT NOT NULL,
  source TEXT NOT NULL REFERENCES accounts (id),
  target TEXT NOT NULL REFERENCES accounts (id),
  amount INTEGER NOT NULL CHECK (amount > 0),
  CHECK (source <> target)
) STRICT;
INSERT INTO transfers_by_time (id, kind, reference, source, target, amount)
  SELECT t.at, t.kind, t.reference, s.account_id, g.account_id, g.amount
  FROM transfers t
  JOIN postings s ON s.transfer_id = t.id AND s.amount < 0
  JOIN postings g ON g.transfer_id = t.id AND g.amount > 0;
UPDATE receipts SET transfer_id = (SELECT at FROM transfers t WHERE t.id = receipts.transfer_id);
DROP TABLE postings;
DROP TABLE transfers;
ALTER TABLE transfers_by_time RENAME TO transfers;
-- A call is given back once.
CREATE UNIQUE INDEX transfers_refunds ON transfers (reference) WHERE kind = 'refund';
CREATE VIEW postings (transfer_id, account_id, amount) AS
  SELECT id, source, -amount FROM transfers UNION ALL SELECT id, target, amount FROM transfers;

ALTER TABLE receipts ADD COLUMN facilitator TEXT;
-- SHA-256 of the request that was paid for and of the answer's bytes: what a signed receipt states.
ALTER TABLE receipts ADD COLUMN request_sha256 TEXT;
ALTER TABLE receipts ADD COLUMN response_sha256 TEXT;
CREATE INDEX receipts_by_transaction ON receipts (network, chain_transaction);

-- Whether a settlement that a facilitator reported was found on the chain.
CREATE TABLE landings (
  receipt_id TEXT PRIMARY KEY REFERENCES receipts (id),
  state TEXT NOT NULL CHECK (state IN ('pending', 'confirmed', 'missing')),
  looks INTEGER NOT NULL DEFAULT 0,
  checked_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX landings_pending ON landings (receipt_id) WHERE state = 'pending';
CREATE INDEX landings_missing ON landings (receipt_id) WHERE state = 'missing';

-- SHA-256 of "<payer> <identifier>": the buyer's own name for a payment (extension payment-identifier).
ALTER TABLE payments ADD COLUMN identifier TEXT;
-- SHA-256 of a secret only the buyer knows (his identifier, or an Idempotency-Key): proves who sends a payment that is
-- public by now.
ALTER TABLE payments ADD COLUMN proof TEXT;
-- What a plan purchase does when it settles, as JSON.
ALTER TABLE payments ADD COLUMN purchase TEXT;
CREATE UNIQUE INDEX payments_by_identifier ON payments (identifier) WHERE identifier IS NOT NULL;

-- API keys. The key itself is nowhere: only its hash.
CREATE TABLE keys (
  id INTEGER PRIMARY KEY,
  -- Shown everywhere: key_…
  public_id TEXT NOT NULL UNIQUE,
  hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
  -- The key may be rebuilt from this and the node's secret for as long as a purchase can be recovered; then it is null.
  salt BLOB,
  plan TEXT NOT NULL,
  -- The balance it draws on: its own, or its parent's. Null when it never had one.
  account TEXT REFERENCES accounts (id),
  parent INTEGER REFERENCES keys (id),
  label TEXT,
  -- Who bought it, as on chain.
  purchaser TEXT,
  badge TEXT UNIQUE,
  priority INTEGER NOT NULL DEFAULT 1 CHECK (priority BETWEEN 1 AND 4),
  priority_until INTEGER,
  -- Calls are free of debits until then (ms); null when it is no pass.
  pass_until INTEGER,
  -- The balance can be spent until then (ms); null is for ever.
  balance_until INTEGER,
  -- The key itself ends then (ms); null is never. Children only.
  expires_at INTEGER,
  revoked_at INTEGER,
  daily_cap INTEGER CHECK (daily_cap > 0),
  call_cap INTEGER CHECK (call_cap > 0),
  -- JSON list of product ids; null is all.
  products TEXT,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX keys_by_parent ON keys (parent) WHERE parent IS NOT NULL;

-- What every call changes, apart from the key, so that many fit a page.
CREATE TABLE key_usage (
  key_id INTEGER PRIMARY KEY REFERENCES keys (id),
  calls INTEGER NOT NULL DEFAULT 0,
  spent INTEGER NOT NULL DEFAULT 0,
  -- UTC day number of spent_today, which counts holds too.
  day INTEGER NOT NULL DEFAULT 0,
  spent_today INTEGER NOT NULL DEFAULT 0 CHECK (spent_today >= 0),
  -- The newest call: each call names the one before, which makes a statement without an index.
  last_call INTEGER NOT NULL DEFAULT 0
) STRICT;

-- What was bought for a key, or given to it.
CREATE TABLE grants (
  id INTEGER PRIMARY KEY,
  key_id INTEGER NOT NULL REFERENCES keys (id),
  plan TEXT NOT NULL,
  payment_id TEXT UNIQUE REFERENCES payments (id),
  -- Atomic USDC paid, and credit issued for it.
  paid INTEGER NOT NULL CHECK (paid >= 0),
  credit INTEGER NOT NULL CHECK (credit >= 0),
  duration_ms INTEGER,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX grants_by_key ON grants (key_id);

-- Credit set aside while an answer is being produced.
CREATE TABLE holds (
  id INTEGER PRIMARY KEY,
  key_id INTEGER NOT NULL REFERENCES keys (id),
  account TEXT NOT NULL REFERENCES accounts (id),
  product TEXT NOT NULL,
  amount INTEGER NOT NULL CHECK (amount > 0),
  day INTEGER NOT NULL,
  state TEXT NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'posted', 'voided', 'expired'))
) STRICT;
CREATE INDEX holds_pending ON holds (id) WHERE state = 'pending';

-- Answers that were charged to a key: equal bytes are kept once. Dropped after the replay window.
CREATE TABLE answers (
  id INTEGER PRIMARY KEY,
  body TEXT NOT NULL,
  sha256 TEXT NOT NULL
) STRICT;

-- Every call that a key or a coupon paid for. The id is the ledger time, and that of the debit's transfer.
CREATE TABLE calls (
  id INTEGER PRIMARY KEY,
  key_id INTEGER REFERENCES keys (id),
  previous INTEGER NOT NULL,
  product TEXT NOT NULL,
  access TEXT NOT NULL CHECK (access IN ('debit', 'pass', 'coupon')),
  amount INTEGER NOT NULL CHECK (amount >= 0),
  answer_id INTEGER,
  CHECK ((access = 'debit') = (amount > 0) OR access = 'coupon')
) STRICT;

-- A call the holder named himself (Idempotency-Key): the same name again gets the same answer, charged once.
CREATE TABLE call_names (
  key_id INTEGER NOT NULL REFERENCES keys (id),
  name TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  call_id INTEGER NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (key_id, name)
) STRICT, WITHOUT ROWID;

-- First calls that were free.
CREATE TABLE coupons (
  id TEXT PRIMARY KEY,
  -- Keyed hash of the client's network: the address itself is not kept.
  client TEXT NOT NULL,
  product TEXT NOT NULL,
  amount INTEGER NOT NULL CHECK (amount > 0),
  state TEXT NOT NULL CHECK (state IN ('held', 'used')),
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX coupons_by_client ON coupons (client, at);
CREATE INDEX coupons_by_time ON coupons (at);

CREATE TRIGGER transfers_are_final BEFORE UPDATE ON transfers BEGIN SELECT RAISE(ABORT, 'transfers are final'); END;
CREATE TRIGGER transfers_stay BEFORE DELETE ON transfers BEGIN SELECT RAISE(ABORT, 'transfers are final'); END;
CREATE TRIGGER receipts_are_final BEFORE UPDATE ON receipts BEGIN SELECT RAISE(ABORT, 'receipts are final'); END;
CREATE TRIGGER grants_are_final BEFORE UPDATE ON grants BEGIN SELECT RAISE(ABORT, 'grants are final'); END;
CREATE TRIGGER grants_stay BEFORE DELETE ON grants BEGIN SELECT RAISE(ABORT, 'grants are final'); END;
CREATE TRIGGER calls_stay BEFORE DELETE ON calls BEGIN SELECT RAISE(ABORT, 'calls are final'); END;
