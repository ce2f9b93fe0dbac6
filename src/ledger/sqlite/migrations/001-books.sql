-- The books: double entry over atomic USDC. Money moves only by transfers; a transfer is never changed or deleted.
CREATE TABLE accounts (
  -- 'chain:<network>' (money that entered or left through a network), 'revenue:sales', later 'credit:<key id>'
  -- (prepaid balances) and 'promotion' (bonus credit).
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('chain', 'revenue', 'credit', 'promotion')),
  posted INTEGER NOT NULL DEFAULT 0,
  pending INTEGER NOT NULL DEFAULT 0 CHECK (pending >= 0),
  created_at INTEGER NOT NULL,
  CHECK (kind <> 'credit' OR posted - pending >= 0)
) STRICT;

CREATE TABLE transfers (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('sale', 'plan', 'bonus', 'debit', 'correction')),
  reference TEXT NOT NULL,
  at INTEGER NOT NULL UNIQUE
) STRICT;

CREATE TABLE postings (
  transfer_id INTEGER NOT NULL REFERENCES transfers (id),
  account_id TEXT NOT NULL REFERENCES accounts (id),
  amount INTEGER NOT NULL CHECK (amount <> 0),
  PRIMARY KEY (transfer_id, account_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX postings_by_account ON postings (account_id);

-- One row per signed payment, found by the replay key that comes from its signed content.
CREATE TABLE payments (
  id TEXT PRIMARY KEY,
  replay_key TEXT NOT NULL UNIQUE,
  payload_hash TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  product TEXT NOT NULL,
  network TEXT NOT NULL,
  asset TEXT NOT NULL,
  payer TEXT NOT NULL,
  pay_to TEXT NOT NULL,
  amount INTEGER NOT NULL CHECK (amount > 0),
  valid_until INTEGER NOT NULL,
  payload TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('received', 'verified', 'producing', 'settling', 'settled',
                                       'rejected', 'abandoned', 'settle_failed', 'unknown')),
  facilitator TEXT,
  reason TEXT,
  answer TEXT,
  chain_transaction TEXT,
  delivered INTEGER NOT NULL DEFAULT 1 CHECK (delivered IN (0, 1)),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CHECK (state NOT IN ('settling', 'unknown') OR answer IS NOT NULL),
  CHECK (state <> 'settled' OR chain_transaction IS NOT NULL)
) STRICT;
-- Indexes hold only what does not change: every state change of a payment would otherwise rewrite them too.
CREATE INDEX payments_unknown ON payments (created_at) WHERE state = 'unknown';
CREATE INDEX payments_running ON payments (created_at) WHERE state IN ('received', 'verified', 'producing', 'settling');
CREATE INDEX payments_by_payer ON payments (payer, fingerprint, created_at);
CREATE INDEX payments_with_answer ON payments (created_at) WHERE answer IS NOT NULL;

CREATE TABLE receipts (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  payment_id TEXT NOT NULL UNIQUE REFERENCES payments (id),
  transfer_id INTEGER NOT NULL UNIQUE REFERENCES transfers (id),
  network TEXT NOT NULL,
  chain_transaction TEXT NOT NULL,
  product TEXT NOT NULL,
  asset TEXT NOT NULL,
  amount INTEGER NOT NULL CHECK (amount > 0),
  payer TEXT NOT NULL,
  pay_to TEXT NOT NULL,
  label TEXT NOT NULL CHECK (label IN ('organic', 'operator-test')),
  settled_at INTEGER NOT NULL UNIQUE
) STRICT;
CREATE INDEX receipts_by_product ON receipts (product, seq);

-- Kept in the same db transaction as each receipt, so that public totals cost the same however long the ledger is.
CREATE TABLE receipt_totals (
  product TEXT NOT NULL,
  label TEXT NOT NULL CHECK (label IN ('organic', 'operator-test')),
  count INTEGER NOT NULL CHECK (count > 0),
  amount INTEGER NOT NULL CHECK (amount > 0),
  last_settled_at INTEGER NOT NULL,
  PRIMARY KEY (product, label)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER transfers_are_final BEFORE UPDATE ON transfers BEGIN SELECT RAISE(ABORT, 'transfers are final'); END;
CREATE TRIGGER transfers_stay BEFORE DELETE ON transfers BEGIN SELECT RAISE(ABORT, 'transfers are final'); END;
CREATE TRIGGER postings_are_final BEFORE UPDATE ON postings BEGIN SELECT RAISE(ABORT, 'postings are final'); END;
CREATE TRIGGER postings_stay BEFORE DELETE ON postings BEGIN SELECT RAISE(ABORT, 'postings are final'); END;
CREATE TRIGGER receipts_are_final BEFORE UPDATE ON receipts BEGIN SELECT RAISE(ABORT, 'receipts are final'); END;
CREATE TRIGGER receipts_stay BEFORE DELETE ON receipts BEGIN SELECT RAISE(ABORT, 'receipts are final'); END;
