-- What moves a prepaid balance, found by its account, and calls of a pass by their key: a statement is these in order.
-- Each index holds only its own kind of rows, in the order of their ids.
CREATE INDEX transfers_from_balance ON transfers (source) WHERE kind IN ('debit', 'expiry');
CREATE INDEX transfers_back ON transfers (target) WHERE kind = 'refund';
CREATE INDEX calls_of_passes ON calls (key_id) WHERE access = 'pass';
