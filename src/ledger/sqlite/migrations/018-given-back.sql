-- Money that the operator sent back to a buyer by hand, each with what it was sent for and by: a transfer of its own, and
-- nothing of the sale is changed.
CREATE TABLE given_back (
  -- The transfer's: ledger time, microseconds.
  id INTEGER PRIMARY KEY REFERENCES transfers (id),
  receipt_id TEXT NOT NULL REFERENCES receipts (id),
  amount INTEGER NOT NULL CHECK (amount > 0),
  -- What names it on the operator's side, such as the transaction it was sent by: the same one is written once.
  reference TEXT NOT NULL UNIQUE,
  reason TEXT NOT NULL CHECK (reason <> '')
) STRICT;
CREATE INDEX given_back_by_receipt ON given_back (receipt_id);
CREATE TRIGGER given_back_is_final BEFORE UPDATE ON given_back BEGIN SELECT RAISE(ABORT, 'refunds are final'); END;
CREATE TRIGGER given_back_stays BEFORE DELETE ON given_back BEGIN SELECT RAISE(ABORT, 'refunds are final'); END;
