-- Which door a call by key came through. What was called before is of none that is known.
ALTER TABLE calls ADD COLUMN door TEXT;

DROP TRIGGER calls_only_grow;
CREATE TRIGGER calls_only_grow BEFORE UPDATE ON calls
  WHEN NEW.id <> OLD.id OR NEW.key_id IS NOT OLD.key_id OR NEW.previous <> OLD.previous OR NEW.product <> OLD.product
    OR NEW.access <> OLD.access OR NEW.amount <> OLD.amount OR NEW.answer_id IS NOT OLD.answer_id
    OR NEW.times < OLD.times OR NEW.door IS NOT OLD.door
BEGIN SELECT RAISE(ABORT, 'calls are final'); END;
