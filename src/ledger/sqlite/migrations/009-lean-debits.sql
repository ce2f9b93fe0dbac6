-- What a debit touches. On a long ledger each balance, and each entry of an index by balance, is on a page that no other
-- debit of the same commit changes: the fewer such pages, the less is read, written and copied by a checkpoint.

-- The draws on a balance are the calls of its keys, each of which names the one before; only what expired is none.
DROP INDEX transfers_from_balance;
CREATE INDEX transfers_expired ON transfers (source) WHERE kind = 'expiry';

-- A balance is found where it is kept, not by way of an index.
CREATE TABLE accounts_by_id (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('chain', 'revenue', 'credit', 'promotion')),
  posted INTEGER NOT NULL DEFAULT 0,
  pending INTEGER NOT NULL DEFAULT 0 CHECK (pending >= 0),
  created_at INTEGER NOT NULL,
  CHECK (kind <> 'credit' OR posted - pending >= 0)
) STRICT, WITHOUT ROWID;
INSERT INTO accounts_by_id (id, kind, posted, pending, created_at)
  SELECT id, kind, posted, pending, created_at FROM accounts;
DROP TABLE accounts;
ALTER TABLE accounts_by_id RENAME TO accounts;
