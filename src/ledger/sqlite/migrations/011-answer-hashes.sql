-- Whoever holds an answer asks for its proof by its hash: found without a look at any other sale. The earliest from a
-- time on comes first.
CREATE INDEX receipts_by_answer ON receipts (response_sha256, settled_at) WHERE response_sha256 IS NOT NULL;
