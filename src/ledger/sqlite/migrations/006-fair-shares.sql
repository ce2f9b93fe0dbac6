-- What hostile and heavy use may cost: passes, refused payments, facilitators that lie.

-- Calls of a pass are added up by the minute: a row stands for this many. All others stand for one call each.
ALTER TABLE calls ADD COLUMN times INTEGER NOT NULL DEFAULT 1 CHECK (times > 0 AND (times = 1 OR access = 'pass'));
CREATE TRIGGER calls_only_grow BEFORE UPDATE ON calls
  WHEN NEW.id <> OLD.id OR NEW.key_id IS NOT OLD.key_id OR NEW.previous <> OLD.previous OR NEW.product <> OLD.product
    OR NEW.access <> OLD.access OR NEW.amount <> OLD.amount OR NEW.answer_id IS NOT OLD.answer_id
    OR NEW.times < OLD.times
BEGIN SELECT RAISE(ABORT, 'calls are final'); END;

-- Payments that ended before money moved go a day after they died. How many there were stays here.
CREATE TABLE pruned_payments (
  network TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('rejected', 'abandoned')),
  count INTEGER NOT NULL CHECK (count > 0),
  PRIMARY KEY (network, state)
) STRICT, WITHOUT ROWID;
-- When one died, ms: with its signature, but an hour after it ended at the latest, because the end of a signature is
-- its sender's choice.
CREATE INDEX payments_ended ON payments (min(valid_until, updated_at / 1000 + 3600000))
  WHERE state IN ('rejected', 'abandoned');

-- A payer has few payments whose outcome is open.
CREATE INDEX payments_unknown_by_payer ON payments (payer) WHERE state = 'unknown';

-- A settlement that was reported and that the chain does not know although it should: until it is seen, its facilitator
-- is not believed on that network.
ALTER TABLE landings ADD COLUMN doubted INTEGER NOT NULL DEFAULT 0 CHECK (doubted IN (0, 1));
CREATE INDEX landings_doubted ON landings (network, facilitator, hour) WHERE doubted = 1;
