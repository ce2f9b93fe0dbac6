-- What each grant brought keeps an end of its own: a grant without an end made the whole balance endless, and what had
-- ended lived again with the next one. A call changes no lot: how much of it was spent is counted when one ends or
-- another one comes; between the two the order they are spent in is fixed.

CREATE TABLE lots (
  id INTEGER PRIMARY KEY,
  key_id INTEGER NOT NULL REFERENCES keys (id),
  -- It can be spent until then, ms; null is for ever.
  until INTEGER,
  credit INTEGER NOT NULL CHECK (credit >= 0),
  -- As of the last count, held amounts included; below 0 where more came back than was spent of it.
  spent INTEGER NOT NULL,
  expired INTEGER NOT NULL DEFAULT 0 CHECK (expired >= 0),
  -- Ledger time; null while it can be spent.
  ended_at INTEGER,
  -- What booked the rest of it as income.
  transfer_id INTEGER REFERENCES transfers (id),
  at INTEGER NOT NULL,
  CHECK (ended_at IS NULL OR credit = spent + expired),
  CHECK ((expired > 0) = (transfer_id IS NOT NULL))
) STRICT;
CREATE INDEX lots_open ON lots (key_id) WHERE ended_at IS NULL;
CREATE INDEX lots_by_transfer ON lots (transfer_id) WHERE transfer_id IS NOT NULL;
CREATE TRIGGER lots_stay BEFORE DELETE ON lots BEGIN SELECT RAISE(ABORT, 'lots are kept'); END;
CREATE TRIGGER lots_end_once BEFORE UPDATE ON lots WHEN OLD.ended_at IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'a lot ends once'); END;

-- The earliest end of an open lot: a call after it waits until that one is booked.
ALTER TABLE keys ADD COLUMN lot_until INTEGER;
CREATE INDEX keys_by_lot ON keys (lot_until) WHERE lot_until IS NOT NULL;

-- What there is, is one lot with the end it had.
INSERT INTO lots (key_id, until, credit, spent, at)
  SELECT k.id, k.balance_until, total.credit - total.expired, total.credit - total.expired - a.posted, total.at
  FROM keys k JOIN accounts a ON a.id = k.account
  JOIN (SELECT g.key_id, sum(g.credit) AS credit, max(g.at) AS at,
          coalesce((SELECT sum(t.amount) FROM transfers t JOIN keys o ON o.account = t.source
                    WHERE o.id = g.key_id AND t.kind = 'expiry'), 0) AS expired
        FROM grants g GROUP BY g.key_id) AS total ON total.key_id = k.id;
UPDATE keys SET lot_until = balance_until WHERE account IS NOT NULL;
