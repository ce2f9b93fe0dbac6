-- Whoever holds a wallet signs in and sees what is its own: nonces it signed, each good for one call, and what is found
-- by payer and by purchaser. A nonce is forgotten an hour after the challenge it stood in has ended.
CREATE TABLE used_nonces (
  nonce TEXT PRIMARY KEY,
  -- When its challenge ends, ms.
  until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX used_nonces_by_end ON used_nonces (until);

CREATE INDEX receipts_by_payer ON receipts (payer, network, seq);
CREATE INDEX keys_by_purchaser ON keys (purchaser) WHERE purchaser IS NOT NULL AND parent IS NULL;
