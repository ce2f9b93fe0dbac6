-- The durable half of the payment state machine. Ages of payments are told by the caller's clock (p_now_ms).

CREATE FUNCTION payments_begin(a jsonb, p_owner text, p_now_ms bigint) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  p jsonb := a -> 0;
  v_at bigint := p_now_ms * 1000;
  v_id text;
BEGIN
  INSERT INTO payments (id, owner, replay_key, payload_hash, fingerprint, product, network, asset, payer, pay_to, amount,
      valid_until, payload, state, created_at, updated_at)
    VALUES (p ->> 'id', p_owner, p ->> 'replay_key', p ->> 'payload_hash', p ->> 'fingerprint', p ->> 'product',
      p ->> 'network', p ->> 'asset', p ->> 'payer', p ->> 'pay_to', (p ->> 'amount')::bigint,
      (p ->> 'valid_until_ms')::bigint, p ->> 'payload', 'received', v_at, v_at)
    ON CONFLICT (replay_key) DO NOTHING RETURNING id INTO v_id;
  IF v_id IS NULL THEN
    UPDATE payments SET state = 'received', owner = p_owner, payload_hash = p ->> 'payload_hash',
        fingerprint = p ->> 'fingerprint', product = p ->> 'product', amount = (p ->> 'amount')::bigint,
        payer = p ->> 'payer', valid_until = (p ->> 'valid_until_ms')::bigint, payload = p ->> 'payload',
        facilitator = NULL, reason = NULL, answer = NULL, hint_transaction = NULL, identifier = NULL, proof = NULL,
        purchase = NULL, delivered = 1, updated_at = v_at
      WHERE replay_key = p ->> 'replay_key' AND state IN ('rejected', 'abandoned', 'settle_failed')
      RETURNING id INTO v_id;
  END IF;
  RETURN jsonb_build_object('started', v_id IS NOT NULL, 'id', coalesce(v_id,
    (SELECT id FROM payments WHERE replay_key = p ->> 'replay_key')));
END $$;

-- What ended before money moved is never asked of a chain: of what was signed nothing is kept.
CREATE FUNCTION move_payment(p_id text, p_from text[], p_to text, p_now_ms bigint, p_reason text, p_facilitator text,
  p_hint text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  UPDATE payments SET state = p_to, payload = CASE WHEN p_to IN ('rejected', 'abandoned') THEN '' ELSE payload END,
      reason = coalesce(left(p_reason, 300), reason), facilitator = coalesce(p_facilitator, facilitator),
      hint_transaction = coalesce(left(p_hint, 100), hint_transaction), updated_at = p_now_ms * 1000
    WHERE id = p_id AND state = ANY (p_from);
  RETURN FOUND;
END $$;

CREATE FUNCTION must_move_payment(p_id text, p_from text[], p_to text, p_now_ms bigint, p_reason text,
  p_facilitator text, p_hint text) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
  PERFORM assert_books(move_payment(p_id, p_from, p_to, p_now_ms, p_reason, p_facilitator, p_hint),
    'payment ' || p_id || ' cannot become ' || p_to || ': it is not ' || array_to_string(p_from, ' or '));
  RETURN 'null'::jsonb;
END $$;

-- A row in flight that nothing works on. Before 'settling' nothing was charged; from then on the chain has the word.
CREATE FUNCTION payments_wake(a jsonb, p_now_ms bigint) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_payment payments;
BEGIN
  SELECT * INTO v_payment FROM payments WHERE id = a ->> 0 FOR UPDATE;
  IF NOT FOUND THEN RETURN to_jsonb(false); END IF;
  IF v_payment.state = 'settling' THEN
    PERFORM move_payment(v_payment.id, '{settling}', 'unknown', p_now_ms, 'left in settling', NULL, NULL);
  ELSIF v_payment.state IN ('received', 'verified', 'producing') THEN
    PERFORM move_payment(v_payment.id, '{received,verified,producing}', 'abandoned', p_now_ms,
      'left in ' || v_payment.state, NULL, NULL);
  END IF;
  RETURN to_jsonb(true);
END $$;

-- The answer is there before money moves. A buyer's own name goes over to the attempt that gets as far as this.
CREATE FUNCTION payments_keep_answer(a jsonb, p_now_ms bigint) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_id text := a ->> 0;
  v_kept jsonb := a -> 2;
  v_identifier text := v_kept ->> 'identifier';
BEGIN
  IF v_identifier IS NOT NULL THEN
    UPDATE payments SET identifier = NULL WHERE identifier = v_identifier AND id <> v_id
      AND state IN ('rejected', 'abandoned', 'settle_failed');
    PERFORM FROM payments WHERE identifier = v_identifier AND id <> v_id;
    IF FOUND THEN
      PERFORM refuse('identifier_conflict',
        'This payment identifier stands for another payment. Nothing was charged.');
    END IF;
  END IF;
  UPDATE payments SET state = 'settling', answer = a ->> 1, identifier = v_identifier, proof = v_kept ->> 'proof',
      purchase = v_kept ->> 'purchase', updated_at = p_now_ms * 1000
    WHERE id = v_id AND state IN ('received', 'verified', 'producing');
  IF NOT FOUND THEN
    PERFORM refuse('ledger_unavailable', 'The ledger could not take the payment. Nothing was charged.');
  END IF;
  RETURN 'null'::jsonb;
END $$;

-- One commit: settled, the transfer, the receipt, and what was bought. Two who learn of one settlement (the request and
-- the reconciler, on whatever node) wait for each other here; the first one books it.
CREATE FUNCTION payments_settle(a jsonb, p_at bigint, p_now_ms bigint) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_payment payments;
  v_chain text := a #>> '{1,chain_transaction}';
  v_other text;
  v_receipt text;
  v_transfer bigint;
  v_bought jsonb;
  v_key keys;
BEGIN
  SELECT * INTO v_payment FROM payments WHERE id = a ->> 0 FOR UPDATE;
  PERFORM assert_books(FOUND, 'payment ' || (a ->> 0) || ' exists');
  SELECT id INTO v_receipt FROM receipts WHERE payment_id = v_payment.id;
  IF v_payment.state = 'settled' AND v_receipt IS NOT NULL THEN
    RETURN jsonb_build_object('receipt_id', v_receipt, 'changed_key', v_payment.purchase IS NOT NULL);
  END IF;
  SELECT payment_id INTO v_other FROM receipts
    WHERE network = v_payment.network AND chain_transaction = v_chain AND payment_id <> v_payment.id;
  IF FOUND THEN
    PERFORM must_move_payment(v_payment.id, '{settling,unknown}', 'unknown', p_now_ms,
      'transaction ' || v_chain || ' paid for ' || v_other, NULL, NULL);
    RETURN 'null'::jsonb;
  END IF;
  v_bought := v_payment.purchase::jsonb;
  UPDATE payments SET state = 'settled', chain_transaction = v_chain, reason = NULL,
      delivered = CASE WHEN (a #>> '{1,delivered}')::boolean THEN 1 ELSE 0 END,
      facilitator = coalesce(a #>> '{1,facilitator}', facilitator), updated_at = p_now_ms * 1000,
      -- From the settlement on, the key's own row holds the salt, and drops it in time.
      purchase = CASE WHEN v_bought #> '{target,key,salt}' IS NULL THEN purchase
                      ELSE (v_bought #- '{target,key,salt}')::text END
    WHERE id = v_payment.id AND state IN ('settling', 'unknown');
  PERFORM assert_books(FOUND, 'I5: payment ' || v_payment.id || ' cannot settle from ' || v_payment.state);
  IF v_bought IS NULL THEN
    v_transfer := post_transfer(p_at + 16, 'sale', v_payment.id, 'chain:' || v_payment.network, 'revenue:sales',
      v_payment.amount, 0);
  ELSE
    IF v_bought #> '{target,key}' IS NULL THEN
      v_key := need_key(v_bought #>> '{target,public_id}');
    ELSE
      v_key := insert_key(v_bought #> '{target,key}', v_bought #>> '{grant,plan}', NULL, p_at + 16);
    END IF;
    v_transfer := give(v_key, v_bought -> 'grant', jsonb_build_object('by', 'payment', 'payment_id', v_payment.id,
      'network', v_payment.network, 'paid', v_payment.amount), p_at + 16, p_now_ms);
  END IF;
  v_receipt := coalesce(v_bought ->> 'receipt_id', a ->> 2);
  INSERT INTO receipts (seq, id, payment_id, transfer_id, network, chain_transaction, product, asset, amount, payer,
      pay_to, label, settled_at, facilitator, request_sha256, response_sha256)
    SELECT coalesce((SELECT max(seq) FROM receipts), 0) + 1, v_receipt, id, v_transfer, network, v_chain, product, asset,
      amount, payer, pay_to, a #>> '{1,label}', p_at, facilitator, fingerprint,
      encode(sha256(convert_to(answer, 'UTF8')), 'hex')
    FROM payments WHERE id = v_payment.id;
  RETURN jsonb_build_object('receipt_id', v_receipt, 'changed_key', v_bought IS NOT NULL);
END $$;

CREATE FUNCTION payments_recover(p_owner text, p_now_ms bigint) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_abandoned bigint;
  v_unknown bigint;
BEGIN
  UPDATE payments SET state = 'abandoned', reason = 'the node stopped before settling', updated_at = p_now_ms * 1000
    WHERE state IN ('received', 'verified', 'producing') AND is_left_to(owner, p_owner);
  GET DIAGNOSTICS v_abandoned = ROW_COUNT;
  UPDATE payments SET state = 'unknown', reason = 'the node stopped while settling', updated_at = p_now_ms * 1000
    WHERE state = 'settling' AND is_left_to(owner, p_owner);
  GET DIAGNOSTICS v_unknown = ROW_COUNT;
  RETURN jsonb_build_object('abandoned', v_abandoned, 'unknown', v_unknown);
END $$;

CREATE FUNCTION payments_prune_answers(a jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_before bigint := (a ->> 0)::bigint * 1000;
  v_count bigint;
BEGIN
  UPDATE payments SET answer = NULL WHERE answer IS NOT NULL AND created_at < v_before AND updated_at < v_before
    AND state NOT IN ('settling', 'unknown');
  GET DIAGNOSTICS v_count = ROW_COUNT;
  RETURN to_jsonb(v_count);
END $$;

-- At most so many that died before a time, the oldest first.
CREATE FUNCTION payments_prune_some(a jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_count bigint;
BEGIN
  WITH dead AS (
    SELECT id FROM payments WHERE state IN ('rejected', 'abandoned')
      AND least(valid_until, updated_at / 1000 + 3600000) < (a ->> 0)::bigint
    ORDER BY least(valid_until, updated_at / 1000 + 3600000) LIMIT (a ->> 1)::bigint FOR UPDATE
  ), gone AS (
    DELETE FROM payments p USING dead d WHERE p.id = d.id AND p.state IN ('rejected', 'abandoned')
    RETURNING p.network, p.state
  ), counted AS (
    INSERT INTO pruned_payments AS c (network, state, count) SELECT network, state, count(*) FROM gone GROUP BY 1, 2
    ON CONFLICT (network, state) DO UPDATE SET count = c.count + excluded.count
  )
  SELECT count(*) INTO v_count FROM gone;
  RETURN to_jsonb(v_count);
END $$;
