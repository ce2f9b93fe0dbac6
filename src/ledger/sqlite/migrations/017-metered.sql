-- A charge below what was set aside, or below the step that was signed. Null is the whole of it, as it was before.

ALTER TABLE holds ADD COLUMN charged INTEGER CHECK (charged > 0 AND charged < amount);
-- How far its voucher goes beyond what was charged before it.
ALTER TABLE channel_steps ADD COLUMN allowed INTEGER CHECK (allowed > amount);

-- The highest voucher may go beyond what was charged, and what was not charged may be given back or withdrawn: written
-- anew for the one condition that said otherwise; nothing that is stored changes.
CREATE TABLE channels_anew (
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
  CHECK (charged - lost <= deposited - refunded),
  CHECK (signature IS NOT NULL OR signed = base)
) STRICT, WITHOUT ROWID;
INSERT INTO channels_anew (id, network, token, payer, receiver, config, label, deposited, refunded, base, charged,
    signed, signature, claimed, lost, withdraw_at, refund_nonce, open_move, created_at, used_at, synced_at)
  SELECT id, network, token, payer, receiver, config, label, deposited, refunded, base, charged,
    signed, signature, claimed, lost, withdraw_at, refund_nonce, open_move, created_at, used_at, synced_at
  FROM channels;
DROP TABLE channels;
ALTER TABLE channels_anew RENAME TO channels;
CREATE INDEX channels_unclaimed ON channels (used_at) WHERE charged - lost > claimed;
CREATE INDEX channels_open_move ON channels (open_move) WHERE open_move IS NOT NULL;
CREATE INDEX channels_withdrawing ON channels (withdraw_at) WHERE withdraw_at > 0;
CREATE INDEX channels_by_use ON channels (used_at);
CREATE TRIGGER channels_only_grow BEFORE UPDATE ON channels
  WHEN NEW.id <> OLD.id OR NEW.config <> OLD.config OR NEW.deposited < OLD.deposited OR NEW.refunded < OLD.refunded
    OR NEW.charged < OLD.charged OR NEW.signed < OLD.signed OR NEW.claimed < OLD.claimed OR NEW.lost < OLD.lost
BEGIN SELECT RAISE(ABORT, 'a channel only grows'); END;
