-- Payment channels. What a payer put into one is his money until a voucher earns it; it lies in a contract on the chain,
-- and comes to the node's wallet in two steps, the claim and the sweep. Two tables are written anew for their lists of
-- kinds; nothing that is stored changes.

CREATE TABLE accounts_anew (
  -- 'channel:<id>' is what the node owes a payer; 'escrow:<network>', 'claimed:<network>' and 'wallet:<network>' are where
  -- the money of channels is: in the contract, claimed there, swept to the wallet. As for 'chain', their balance is minus
  -- what is there.
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind = 'credit' OR kind = 'channel' OR kind = 'revenue' OR kind = 'chain'
                            OR kind = 'promotion' OR kind = 'escrow' OR kind = 'claimed' OR kind = 'wallet'),
  posted INTEGER NOT NULL DEFAULT 0,
  pending INTEGER NOT NULL DEFAULT 0 CHECK (pending >= 0),
  created_at INTEGER NOT NULL,
  CHECK ((kind <> 'credit' AND kind <> 'channel') OR posted - pending >= 0)
) STRICT, WITHOUT ROWID;
INSERT INTO accounts_anew (id, kind, posted, pending, created_at)
  SELECT id, kind, posted, pending, created_at FROM accounts;
DROP VIEW postings;
DROP TABLE accounts;
ALTER TABLE accounts_anew RENAME TO accounts;

CREATE TABLE transfers_anew (
  -- Ledger time, microseconds, strictly increasing.
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind = 'debit' OR kind = 'voucher' OR kind = 'sale' OR kind = 'coupon' OR kind = 'plan'
                            OR kind = 'bonus' OR kind = 'refund' OR kind = 'expiry' OR kind = 'correction'
                            OR kind = 'deposit' OR kind = 'claim' OR kind = 'sweep' OR kind = 'return'
                            OR kind = 'loss' OR kind = 'foreign_claim'),
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

-- Every amount is cumulative and only grows, in atomic USDC.
CREATE TABLE channels (
  -- The EIP-712 hash of its configuration, 0x and lower case.
  id TEXT PRIMARY KEY,
  network TEXT NOT NULL,
  token TEXT NOT NULL,
  payer TEXT NOT NULL,
  receiver TEXT NOT NULL,
  -- Canonical JSON of what the hash is over.
  config TEXT NOT NULL,
  label TEXT NOT NULL CHECK (label IN ('organic', 'operator-test')),
  deposited INTEGER NOT NULL DEFAULT 0,
  -- Given back, or withdrawn by the payer.
  refunded INTEGER NOT NULL DEFAULT 0,
  -- Claimed on the chain for what these books know nothing of.
  base INTEGER NOT NULL DEFAULT 0,
  charged INTEGER NOT NULL DEFAULT 0,
  -- Highest voucher, with its signature; null while there is none.
  signed INTEGER NOT NULL DEFAULT 0,
  signature TEXT,
  claimed INTEGER NOT NULL DEFAULT 0,
  -- Charged, and withdrawn by the payer before it was claimed.
  lost INTEGER NOT NULL DEFAULT 0,
  -- Unix seconds; 0 while its payer withdraws nothing.
  withdraw_at INTEGER NOT NULL DEFAULT 0,
  refund_nonce INTEGER NOT NULL DEFAULT 0,
  -- The deposit or refund whose outcome is open: nothing else is accepted meanwhile.
  open_move INTEGER,
  created_at INTEGER NOT NULL,
  -- Of the last voucher, deposit or refund.
  used_at INTEGER NOT NULL,
  -- When the chain was asked last, ms.
  synced_at INTEGER NOT NULL,
  CHECK (base >= 0 AND lost >= 0 AND refunded >= 0 AND base <= claimed),
  CHECK (claimed <= charged - lost AND charged <= signed),
  CHECK (signed - lost <= deposited - refunded),
  CHECK (signature IS NOT NULL OR signed = base)
) STRICT, WITHOUT ROWID;
CREATE INDEX channels_unclaimed ON channels (used_at) WHERE charged - lost > claimed;
CREATE INDEX channels_open_move ON channels (open_move) WHERE open_move IS NOT NULL;
CREATE INDEX channels_withdrawing ON channels (withdraw_at) WHERE withdraw_at > 0;
CREATE INDEX channels_by_use ON channels (used_at);
CREATE TRIGGER channels_only_grow BEFORE UPDATE ON channels
  WHEN NEW.id <> OLD.id OR NEW.config <> OLD.config OR NEW.deposited < OLD.deposited OR NEW.refunded < OLD.refunded
    OR NEW.charged < OLD.charged OR NEW.signed < OLD.signed OR NEW.claimed < OLD.claimed OR NEW.lost < OLD.lost
BEGIN SELECT RAISE(ABORT, 'a channel only grows'); END;

-- What a voucher paid for. The id is that of the transfer that earned it.
CREATE TABLE channel_steps (
  id INTEGER PRIMARY KEY,
  channel TEXT NOT NULL,
  -- The voucher's cumulative amount: each is accepted once.
  signed INTEGER NOT NULL,
  amount INTEGER NOT NULL CHECK (amount > 0),
  product TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  -- SHA-256 of the voucher's signature.
  voucher_sha256 TEXT NOT NULL,
  -- As in payments: what only the buyer knows of it.
  identifier TEXT,
  proof TEXT,
  answer_id INTEGER NOT NULL,
  -- The deposit it came with.
  move_id INTEGER,
  UNIQUE (channel, signed)
) STRICT;
CREATE TRIGGER channel_steps_are_final BEFORE UPDATE ON channel_steps
BEGIN SELECT RAISE(ABORT, 'steps are final'); END;
CREATE TRIGGER channel_steps_stay BEFORE DELETE ON channel_steps BEGIN SELECT RAISE(ABORT, 'steps are final'); END;

-- What was sent to the chain for channels: deposits and refunds of one, claims and sweeps of many.
CREATE TABLE channel_moves (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('deposit', 'refund', 'claim', 'sweep')),
  state TEXT NOT NULL CHECK (state IN ('sending', 'unknown', 'done', 'failed')),
  network TEXT NOT NULL,
  channel TEXT,
  amount INTEGER NOT NULL CHECK (amount >= 0),
  -- Of a deposit or refund: the balance of the channel before, and its refund nonce.
  balance_before INTEGER NOT NULL DEFAULT 0,
  nonce INTEGER NOT NULL DEFAULT 0,
  -- After then, ms, a deposit that is not on the chain never comes.
  valid_until INTEGER NOT NULL DEFAULT 0,
  facilitator TEXT,
  chain_transaction TEXT,
  reason TEXT,
  -- The voucher it came with, and what that is to pay for, as JSON; null for what pays for nothing.
  step TEXT,
  answer_id INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX channel_moves_open ON channel_moves (created_at) WHERE state = 'sending' OR state = 'unknown';
