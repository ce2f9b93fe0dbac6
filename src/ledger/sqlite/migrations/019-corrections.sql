-- What came in for a sale, as the operator found it, where the books said something else: a transfer of its own, and
-- nothing of the sale is changed.
CREATE TABLE corrections (
  -- Ledger time, microseconds; the transfer's where money moves between accounts.
  id INTEGER PRIMARY KEY,
  receipt_id TEXT NOT NULL REFERENCES receipts (id),
  -- What the books took off the sale; below zero: put back.
  amount INTEGER NOT NULL,
  -- What came in for the sale from this correction on.
  received INTEGER NOT NULL CHECK (received >= 0),
  -- What names it on the operator's side: the same one is written once.
  reference TEXT NOT NULL UNIQUE,
  reason TEXT NOT NULL CHECK (reason <> '')
) STRICT;
CREATE INDEX corrections_by_receipt ON corrections (receipt_id);
CREATE TRIGGER corrections_are_final BEFORE UPDATE ON corrections
  BEGIN SELECT RAISE(ABORT, 'corrections are final'); END;
CREATE TRIGGER corrections_stay BEFORE DELETE ON corrections BEGIN SELECT RAISE(ABORT, 'corrections are final'); END;

-- What came to a wallet and is no sale, as the operator explained it: his own transfers, gifts, dust. No money moves.
CREATE TABLE explained_transfers (
  network TEXT NOT NULL,
  chain_transaction TEXT NOT NULL,
  reference TEXT NOT NULL,
  reason TEXT NOT NULL CHECK (reason <> ''),
  -- Ledger time, microseconds.
  at INTEGER NOT NULL,
  PRIMARY KEY (network, chain_transaction)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER explained_transfers_are_final BEFORE UPDATE ON explained_transfers
  BEGIN SELECT RAISE(ABORT, 'explanations are final'); END;
CREATE TRIGGER explained_transfers_stay BEFORE DELETE ON explained_transfers
  BEGIN SELECT RAISE(ABORT, 'explanations are final'); END;
