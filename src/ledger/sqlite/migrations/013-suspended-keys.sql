-- A key that was bought with a payment which is not on the chain cannot be used until it is there. It is written in the
-- commit that writes what a look at the chain found, so that no crash comes between; a key of several purchases waits
-- for all of them, because its balance is one.

ALTER TABLE keys ADD COLUMN suspended_at INTEGER;
CREATE INDEX keys_suspended ON keys (id) WHERE suspended_at IS NOT NULL;

CREATE TRIGGER landings_suspend AFTER UPDATE OF state ON landings
  WHEN NEW.state <> OLD.state AND (NEW.state = 'missing' OR OLD.state = 'missing')
BEGIN
  UPDATE keys SET suspended_at = iif(
      EXISTS (SELECT 1 FROM grants g JOIN receipts r ON r.payment_id = g.payment_id
                JOIN landings l ON l.receipt_id = r.id WHERE g.key_id = keys.id AND l.state = 'missing'),
      coalesce(suspended_at, NEW.checked_at), NULL)
    WHERE id = (SELECT g.key_id FROM receipts r JOIN grants g ON g.payment_id = r.payment_id
                WHERE r.id = NEW.receipt_id);
END;

-- What was found missing before is suspended now, and looked up once more at once: an endpoint may have been wrong.
UPDATE keys SET suspended_at = (
  SELECT min(l.checked_at) FROM landings l JOIN receipts r ON r.id = l.receipt_id
    JOIN grants g ON g.payment_id = r.payment_id WHERE l.state = 'missing' AND g.key_id = keys.id)
  WHERE EXISTS (SELECT 1 FROM landings WHERE state = 'missing');
UPDATE landings SET due_at = 0 WHERE state = 'missing' AND receipt_id IN (
  SELECT r.id FROM receipts r JOIN grants g ON g.payment_id = r.payment_id);
