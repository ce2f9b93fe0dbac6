-- What a payer signed as the most, where the amount of his payment is what was charged of it, as in the SQLite ledger.
ALTER TABLE payments ADD COLUMN authorized bigint CHECK (amount <= authorized);

-- As before, with the charge that is kept with its answer. A node of before sends none.
CREATE OR REPLACE FUNCTION write_payments(a jsonb, p_owner text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  o jsonb;
BEGIN
  FOR o IN SELECT value FROM jsonb_array_elements(a) LOOP
    CASE o ->> 'op'
    WHEN 'begin' THEN
      INSERT INTO payments (id, owner, replay_key, payload_hash, fingerprint, product, network, asset, payer, pay_to,
          amount, valid_until, payload, state, created_at, updated_at)
        VALUES (o ->> 'id', p_owner, o ->> 'replay_key', o ->> 'payload_hash', o ->> 'fingerprint', o ->> 'product',
          o ->> 'network', o ->> 'asset', o ->> 'payer', o ->> 'pay_to', (o ->> 'amount')::bigint,
          (o ->> 'valid_until_ms')::bigint, o ->> 'payload', 'received', (o ->> 'at')::bigint, (o ->> 'at')::bigint);
    WHEN 'restart' THEN
      UPDATE payments SET state = 'received', owner = p_owner, payload_hash = o ->> 'payload_hash',
          fingerprint = o ->> 'fingerprint', product = o ->> 'product', amount = (o ->> 'amount')::bigint,
          payer = o ->> 'payer', valid_until = (o ->> 'valid_until_ms')::bigint, payload = o ->> 'payload',
          facilitator = NULL, reason = NULL, answer = NULL, hint_transaction = NULL, identifier = NULL, proof = NULL,
          purchase = NULL, authorized = NULL, delivered = 1, updated_at = (o ->> 'at')::bigint
        WHERE id = o ->> 'id';
    WHEN 'move' THEN
      -- What ended before money moved is never asked of a chain: of what was signed nothing is kept.
      UPDATE payments SET state = o ->> 'to',
          payload = CASE WHEN o ->> 'to' IN ('rejected', 'abandoned') THEN '' ELSE payload END,
          reason = coalesce(left(o ->> 'reason', 300), reason), facilitator = coalesce(o ->> 'facilitator', facilitator),
          hint_transaction = coalesce(left(o ->> 'hint', 100), hint_transaction), updated_at = (o ->> 'at')::bigint
        WHERE id = o ->> 'id';
    WHEN 'free' THEN
      UPDATE payments SET identifier = NULL WHERE id = o ->> 'id';
    WHEN 'keep' THEN
      UPDATE payments SET state = 'settling', answer = o ->> 'answer', identifier = o ->> 'identifier',
          proof = o ->> 'proof', purchase = o ->> 'purchase', facilitator = coalesce(o ->> 'facilitator', facilitator),
          door = o ->> 'door', amount = coalesce((o ->> 'amount')::bigint, amount),
          authorized = (o ->> 'authorized')::bigint, updated_at = (o ->> 'at')::bigint
        WHERE id = o ->> 'id';
    WHEN 'settle' THEN
      UPDATE payments SET state = 'settled', chain_transaction = o ->> 'chain', reason = NULL,
          delivered = (o ->> 'delivered')::bigint, facilitator = coalesce(o ->> 'facilitator', facilitator),
          purchase = o ->> 'purchase', updated_at = (o ->> 'at')::bigint
        WHERE id = o ->> 'id';
      INSERT INTO receipts (seq, id, payment_id, transfer_id, network, chain_transaction, product, asset, amount, payer,
          pay_to, label, settled_at, facilitator, request_sha256, response_sha256)
        SELECT coalesce((SELECT max(seq) FROM receipts), 0) + 1, o ->> 'receipt_id', id, (o ->> 'transfer_id')::bigint,
          network, o ->> 'chain', product, asset, amount, payer, pay_to, o ->> 'label', (o ->> 'settled_at')::bigint,
          facilitator, fingerprint, encode(sha256(convert_to(answer, 'UTF8')), 'hex')
        FROM payments WHERE id = o ->> 'id';
    WHEN 'deliver' THEN
      UPDATE payments SET delivered = (o ->> 'delivered')::bigint WHERE id = o ->> 'id' AND state = 'settled';
    END CASE;
    PERFORM assert_books(FOUND OR o ->> 'op' = 'deliver', 'payment ' || (o ->> 'id') || ' is there');
  END LOOP;
END $$;
