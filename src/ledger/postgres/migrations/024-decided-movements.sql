-- Payments, coupons, what is given to keys, channels and corrections are decided by the node, as charges of keys are since migration
-- 19 and refunds of sales since migration 20. All of it is booked in the lane that everybody books in, whose row a batch
-- locks first, so what is read here stays as it is until the commit; balances alone are locked, because calls of keys
-- are booked in other lanes. The functions of before stay: nodes of before, which run on while a newer one starts, call
-- them, and lock the same row.

CREATE FUNCTION texts_of(a jsonb) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(array_agg(value), '{}') FROM jsonb_array_elements_text(coalesce(a, '[]'))
$$;

-- A batch locks the balances of the keys it gives something to, those that payments buy for included, with all others:
-- in the order of their names.
CREATE FUNCTION key_names_of(a jsonb) RETURNS text[] LANGUAGE sql AS $$
  SELECT texts_of(a #> '{keys,names}') || ARRAY(
    SELECT purchase::jsonb #>> '{target,public_id}' FROM payments
    WHERE id = ANY (texts_of(a #> '{payments,settling}')) AND purchase IS NOT NULL
      AND purchase::jsonb #>> '{target,public_id}' IS NOT NULL)
$$;

CREATE FUNCTION with_key_balances(a jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_names text[] := key_names_of(a -> 'others');
BEGIN
  IF cardinality(v_names) = 0 THEN RETURN a; END IF;
  RETURN jsonb_set(a, '{accounts}', to_jsonb(ARRAY(
    SELECT account FROM (
      SELECT account COLLATE "C" AS account FROM unnest((a ->> 'accounts')::text[]) AS asked (account)
      UNION SELECT account FROM keys WHERE public_id = ANY (v_names) AND account IS NOT NULL) AS wanted
    ORDER BY account)::text));
END $$;

CREATE FUNCTION lock_payments(a jsonb, p_owner text) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
  RETURN jsonb_build_object(
    'rows', (SELECT jsonb_agg(jsonb_build_object('id', p.id, 'replay_key', p.replay_key, 'state', p.state,
        'network', p.network, 'amount', p.amount::text, 'purchase', p.purchase, 'identifier', p.identifier,
        'receipt_id', r.id, 'is_elsewhere', p.owner <> p_owner AND has_seat(p.owner)))
      FROM (SELECT id FROM payments WHERE id = ANY (texts_of(a -> 'ids') || texts_of(a -> 'settling'))
        UNION SELECT id FROM payments WHERE replay_key = ANY (texts_of(a -> 'replay_keys'))
        UNION SELECT id FROM payments WHERE identifier = ANY (texts_of(a -> 'identifiers')) AND identifier IS NOT NULL)
        AS wanted (id)
      JOIN payments p ON p.id = wanted.id LEFT JOIN receipts r ON r.payment_id = p.id),
    -- Other payments that the same transaction of the chain paid for.
    'paid_for', (SELECT jsonb_agg(jsonb_build_object('chain', r.chain_transaction, 'network', r.network,
        'payment_id', r.payment_id))
      FROM (SELECT DISTINCT value AS chain FROM unnest(texts_of(a -> 'transactions')) AS asked (value)) AS asked
      CROSS JOIN (SELECT DISTINCT network FROM payments WHERE id = ANY (texts_of(a -> 'settling'))) AS own
      JOIN receipts r ON r.network = own.network AND r.chain_transaction = asked.chain),
    -- Payments of a payer for a request that other nodes work on.
    'older', (SELECT jsonb_agg(jsonb_build_object('payer', p.payer, 'fingerprint', p.fingerprint, 'id', p.id))
      FROM (SELECT DISTINCT value ->> 0 AS payer, value ->> 1 AS fingerprint FROM jsonb_array_elements(a -> 'begun'))
        AS asked
      JOIN payments p ON p.payer = asked.payer AND p.fingerprint = asked.fingerprint
      WHERE p.owner <> p_owner AND p.state IN ('received', 'verified', 'producing', 'settling')));
END $$;

-- In their order: one payment may begin and end in one batch.
CREATE FUNCTION write_payments(a jsonb, p_owner text) RETURNS void LANGUAGE plpgsql AS $$
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
          purchase = NULL, delivered = 1, updated_at = (o ->> 'at')::bigint
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
          door = o ->> 'door', updated_at = (o ->> 'at')::bigint
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

CREATE FUNCTION lock_coupons(a jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
  RETURN jsonb_build_object(
    'rows', (SELECT jsonb_agg(jsonb_build_object('id', id, 'product', product, 'amount', amount::text, 'state', state))
      FROM coupons WHERE id = ANY (texts_of(a -> 'ids'))),
    'budgets', (SELECT jsonb_agg(jsonb_build_object('id', asked.value ->> 'id',
        'client_has_one', EXISTS (SELECT FROM coupons c WHERE c.client = asked.value ->> 'client'
          AND c.at >= (asked.value ->> 'client_since')::bigint),
        'spent', (SELECT coalesce(sum(c.amount), 0) FROM coupons c
          WHERE c.at >= (asked.value ->> 'budget_since')::bigint)::text))
      FROM jsonb_array_elements(a -> 'asked') AS asked));
END $$;

CREATE FUNCTION write_coupons(a jsonb, p_owner text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  o jsonb;
BEGIN
  INSERT INTO coupons (id, owner, client, product, amount, state, at)
    SELECT value ->> 'id', p_owner, value ->> 'client', value ->> 'product', (value ->> 'amount')::bigint, 'held',
      (value ->> 'at')::bigint FROM jsonb_array_elements(a -> 'held');
  FOR o IN SELECT value FROM jsonb_array_elements(a -> 'used') LOOP
    UPDATE coupons SET state = 'used' WHERE id = o ->> 'id' AND state = 'held';
    PERFORM assert_books(FOUND, 'I4: coupon ' || (o ->> 'id') || ' is not held');
    INSERT INTO calls (id, key_id, previous, product, access, amount)
      VALUES ((o ->> 'at')::bigint, NULL, 0, o ->> 'product', 'coupon', (o ->> 'amount')::bigint);
  END LOOP;
END $$;

-- Numbers for keys and lots that may come are drawn here, so that what comes later in the batch can name them.
CREATE FUNCTION lock_keys(a jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_bought bigint;
  v_made bigint;
BEGIN
  SELECT count(*), count(*) FILTER (WHERE purchase::jsonb #> '{target,key}' IS NOT NULL) INTO v_bought, v_made
    FROM payments WHERE id = ANY (texts_of(a #> '{payments,settling}')) AND purchase IS NOT NULL;
  RETURN jsonb_build_object(
    'rows', (SELECT jsonb_agg(jsonb_build_object('id', k.id, 'public_id', k.public_id, 'plan', k.plan,
        'account', k.account, 'parent', k.parent, 'badge', k.badge, 'priority', k.priority,
        'priority_until_ms', k.priority_until, 'pass_until_ms', k.pass_until, 'balance_until_ms', k.balance_until,
        'lot_until_ms', k.lot_until, 'revoked_at_ms', k.revoked_at,
        'has_ended_lots', EXISTS (SELECT FROM lots l WHERE l.key_id = k.id AND l.ended_at IS NOT NULL),
        'lots', (SELECT coalesce(jsonb_agg(jsonb_build_object('id', l.id, 'at', l.at, 'until_ms', l.until,
            'credit', l.credit::text, 'spent', l.spent::text)), '[]')
          FROM lots l WHERE l.key_id = k.id AND l.ended_at IS NULL)))
      FROM keys k WHERE k.public_id = ANY (key_names_of(a))),
    'key_ids', ARRAY(SELECT nextval(pg_get_serial_sequence('keys', 'id'))
      FROM generate_series(1, coalesce((a #>> '{keys,new_keys}')::bigint, 0) + v_made)),
    'lot_ids', ARRAY(SELECT nextval(pg_get_serial_sequence('lots', 'id'))
      FROM generate_series(1, coalesce((a #>> '{keys,new_lots}')::bigint, 0) + 2 * v_bought)));
END $$;

CREATE FUNCTION write_keys(a jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO keys (id, public_id, hash, salt, plan, label, purchaser, created_at)
    SELECT (value ->> 'id')::bigint, value ->> 'public_id', decode(value ->> 'hash', 'hex'),
      decode(value ->> 'salt', 'hex'), value ->> 'plan', value ->> 'label', value ->> 'purchaser',
      (value ->> 'at')::bigint FROM jsonb_array_elements(a -> 'made');
  INSERT INTO key_usage (key_id) SELECT (value ->> 'id')::bigint FROM jsonb_array_elements(a -> 'made');
  INSERT INTO lots (id, key_id, until, credit, spent, at)
    SELECT (value ->> 'id')::bigint, (value ->> 'key_id')::bigint, (value ->> 'until_ms')::bigint,
      (value ->> 'credit')::bigint, (value ->> 'spent')::bigint, (value ->> 'at')::bigint
    FROM jsonb_array_elements(a -> 'new_lots');
  UPDATE lots l SET spent = (own.value ->> 'spent')::bigint, until = (own.value ->> 'until_ms')::bigint
    FROM jsonb_array_elements(a -> 'counted_lots') AS own WHERE l.id = (own.value ->> 'id')::bigint;
  UPDATE lots l SET expired = l.credit - l.spent, ended_at = (own.value ->> 'at')::bigint,
      transfer_id = (own.value ->> 'transfer_id')::bigint
    FROM jsonb_array_elements(a -> 'ended_lots') AS own WHERE l.id = (own.value ->> 'id')::bigint;
  UPDATE keys k SET plan = own.value ->> 'plan', account = own.value ->> 'account', badge = own.value ->> 'badge',
      priority = (own.value ->> 'priority')::bigint, priority_until = (own.value ->> 'priority_until_ms')::bigint,
      pass_until = (own.value ->> 'pass_until_ms')::bigint,
      balance_until = (own.value ->> 'balance_until_ms')::bigint, lot_until = (own.value ->> 'lot_until_ms')::bigint
    FROM jsonb_array_elements(a -> 'changed') AS own WHERE k.id = (own.value ->> 'id')::bigint;
  INSERT INTO grants (key_id, plan, payment_id, paid, credit, duration_ms, at)
    SELECT (value ->> 'key_id')::bigint, value ->> 'plan', value ->> 'payment_id', (value ->> 'paid')::bigint,
      (value ->> 'credit')::bigint, (value ->> 'duration_ms')::bigint, (value ->> 'at')::bigint
    FROM jsonb_array_elements(a -> 'grants');
END $$;

-- A deposit names the voucher it came with: whether that amount bought something is asked with those that are named.
CREATE FUNCTION lock_channels(a jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
  RETURN jsonb_build_object(
    'rows', (SELECT jsonb_agg(jsonb_build_object('id', c.id, 'network', c.network, 'token', c.token, 'payer', c.payer,
        'receiver', c.receiver, 'config', c.config, 'label', c.label, 'deposited', c.deposited::text,
        'refunded', c.refunded::text, 'base', c.base::text, 'charged', c.charged::text, 'signed', c.signed::text,
        'signature', c.signature, 'claimed', c.claimed::text, 'lost', c.lost::text, 'withdraw_at', c.withdraw_at,
        'refund_nonce', c.refund_nonce::text, 'open_move', c.open_move, 'used_at', c.used_at, 'synced_at', c.synced_at,
        'has_history', EXISTS (SELECT FROM channel_steps s WHERE s.channel = c.id)
          OR EXISTS (SELECT FROM account_parts b WHERE b.id = 'channel:' || c.id)))
      FROM channels c WHERE c.id = ANY (texts_of(a -> 'ids') || ARRAY(SELECT m.channel FROM channel_moves m
        WHERE m.id = ANY (ARRAY(SELECT value::bigint FROM jsonb_array_elements_text(a -> 'moves') AS asked (value)))))),
    'moves', (SELECT jsonb_agg(jsonb_build_object('id', id, 'state', state, 'channel', channel, 'step', step,
        'answer_id', answer_id)) FROM channel_moves
      WHERE id = ANY (ARRAY(SELECT value::bigint FROM jsonb_array_elements_text(a -> 'moves') AS asked (value)))),
    'used', (SELECT jsonb_agg(jsonb_build_array(s.channel, s.signed::text)) FROM channel_steps s
      JOIN (SELECT value ->> 0 AS channel, (value ->> 1)::bigint AS signed FROM jsonb_array_elements(a -> 'vouchers')
        UNION SELECT m.channel, (m.step::jsonb ->> 'signed')::bigint FROM channel_moves m
          WHERE m.step IS NOT NULL AND m.id = ANY (
            ARRAY(SELECT value::bigint FROM jsonb_array_elements_text(a -> 'moves') AS asked (value)))) AS asked
        ON s.channel = asked.channel AND s.signed = asked.signed));
END $$;

-- In their order: a channel may be opened, used and closed in one batch.
CREATE FUNCTION write_channels(a jsonb, p_owner text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  o jsonb;
BEGIN
  FOR o IN SELECT value FROM jsonb_array_elements(a) LOOP
    CASE o ->> 'op'
    WHEN 'open' THEN
      INSERT INTO channels (id, network, token, payer, receiver, config, label, created_at, used_at, synced_at)
        VALUES (o ->> 'id', o ->> 'network', o ->> 'token', o ->> 'payer', o ->> 'receiver', o ->> 'config',
          o ->> 'label', (o ->> 'at')::bigint, (o ->> 'at')::bigint, 0);
    WHEN 'change' THEN
      UPDATE channels SET deposited = (o ->> 'deposited')::bigint, refunded = (o ->> 'refunded')::bigint,
          base = (o ->> 'base')::bigint, charged = (o ->> 'charged')::bigint, signed = (o ->> 'signed')::bigint,
          signature = o ->> 'signature', claimed = (o ->> 'claimed')::bigint, lost = (o ->> 'lost')::bigint,
          withdraw_at = (o ->> 'withdraw_at')::bigint, refund_nonce = (o ->> 'refund_nonce')::bigint,
          open_move = (o ->> 'open_move')::bigint, used_at = coalesce((o ->> 'used_at')::bigint, used_at),
          synced_at = coalesce((o ->> 'synced_at')::bigint, synced_at)
        WHERE id = o ->> 'id';
    WHEN 'drop' THEN
      DELETE FROM channels WHERE id = o ->> 'id';
    WHEN 'step' THEN
      INSERT INTO channel_steps (id, channel, signed, amount, allowed, product, fingerprint, voucher_sha256, identifier,
          proof, answer_id, move_id)
        VALUES ((o ->> 'id')::bigint, o ->> 'channel', (o ->> 'signed')::bigint, (o ->> 'amount')::bigint,
          (o ->> 'allowed')::bigint, o ->> 'product', o ->> 'fingerprint', o ->> 'voucher_sha256', o ->> 'identifier',
          o ->> 'proof', (o ->> 'answer_id')::bigint, (o ->> 'move_id')::bigint);
    WHEN 'send' THEN
      INSERT INTO channel_moves (id, owner, kind, state, network, channel, amount, balance_before, nonce, valid_until,
          facilitator, step, answer_id, created_at, updated_at)
        VALUES ((o ->> 'id')::bigint, p_owner, o ->> 'kind', 'sending', o ->> 'network', o ->> 'channel',
          (o ->> 'amount')::bigint, (o ->> 'balance_before')::bigint, (o ->> 'nonce')::bigint,
          (o ->> 'valid_until_ms')::bigint, o ->> 'facilitator', o ->> 'step', (o ->> 'answer_id')::bigint,
          (o ->> 'id')::bigint, (o ->> 'id')::bigint);
    WHEN 'end' THEN
      UPDATE channel_moves SET state = o ->> 'state', reason = o ->> 'reason',
          chain_transaction = o ->> 'chain_transaction', updated_at = (o ->> 'at')::bigint
        WHERE id = (o ->> 'id')::bigint AND state IN ('sending', 'unknown');
    WHEN 'note' THEN
      INSERT INTO channel_moves (id, owner, kind, state, network, amount, chain_transaction, created_at, updated_at)
        VALUES ((o ->> 'id')::bigint, p_owner, o ->> 'kind', 'done', o ->> 'network', (o ->> 'amount')::bigint,
          o ->> 'chain_transaction', (o ->> 'id')::bigint, (o ->> 'id')::bigint);
    END CASE;
    PERFORM assert_books(FOUND, 'channel or move ' || (o ->> 'id') || ' is there');
  END LOOP;
END $$;

-- What corrections of sales are decided by: pairs of a receipt and a reference.
CREATE FUNCTION lock_corrections(a jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_ids text[] := ARRAY(SELECT DISTINCT value ->> 0 FROM jsonb_array_elements(a));
  v_references text[] := ARRAY(SELECT DISTINCT value ->> 1 FROM jsonb_array_elements(a));
BEGIN
  -- Whether what a sale bought can still be used: a call of its key must not be given back meanwhile.
  PERFORM FROM account_parts WHERE part = 0 AND id = ANY (ARRAY(
    SELECT k.account FROM receipts r JOIN grants g ON g.payment_id = r.payment_id JOIN keys k ON k.id = g.key_id
    WHERE r.id = ANY (v_ids) AND k.account IS NOT NULL)) ORDER BY id FOR SHARE;
  RETURN jsonb_build_object(
    'sales', (SELECT jsonb_agg(jsonb_build_object('receipt_id', r.id, 'network', r.network, 'amount', r.amount::text,
        'corrected', (SELECT coalesce(sum(c.amount), 0) FROM corrections c WHERE c.receipt_id = r.id)::text,
        'on_chain', l.state, 'key_id', k.public_id, 'is_key_revoked', k.revoked_at IS NOT NULL,
        'balance', coalesce(p.posted, 0)::text))
      FROM receipts r LEFT JOIN landings l ON l.receipt_id = r.id LEFT JOIN grants g ON g.payment_id = r.payment_id
      LEFT JOIN keys k ON k.id = g.key_id LEFT JOIN account_parts p ON p.id = k.account AND p.part = 0
      WHERE r.id = ANY (v_ids)),
    'named', (SELECT jsonb_agg(jsonb_build_object('reference', reference, 'receipt_id', receipt_id,
        'received', received::text)) FROM corrections WHERE reference = ANY (v_references)));
END $$;

CREATE FUNCTION write_corrections(a jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  -- As it is written when the chain shows it: what it bought can be used again.
  UPDATE landings SET state = 'confirmed', checked_at = (own.value ->> 'id')::bigint / 1000, due_at = NULL, doubted = 0
    FROM jsonb_array_elements(a) AS own
    WHERE landings.receipt_id = own.value ->> 'receipt_id' AND (own.value ->> 'confirms')::boolean;
  INSERT INTO corrections (id, receipt_id, amount, received, reference, reason)
    SELECT (value ->> 'id')::bigint, value ->> 'receipt_id', (value ->> 'amount')::bigint,
      (value ->> 'received')::bigint, value ->> 'reference', value ->> 'reason' FROM jsonb_array_elements(a);
END $$;

-- What commands that are no charges of keys are decided by, with the node that asks.
CREATE FUNCTION lock_others(a jsonb, p_owner text, p_lane bigint) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
  PERFORM assert_books(p_lane = 0, 'payments, coupons, keys and channels are booked in the lane of everybody');
  RETURN lock_others(a)
    || CASE WHEN a ? 'corrections' THEN jsonb_build_object('corrections', lock_corrections(a -> 'corrections')) ELSE '{}' END
    || CASE WHEN a ? 'payments' THEN jsonb_build_object('payments', lock_payments(a -> 'payments', p_owner)) ELSE '{}' END
    || CASE WHEN a ? 'coupons' THEN jsonb_build_object('coupons', lock_coupons(a -> 'coupons')) ELSE '{}' END
    || CASE WHEN a ? 'keys' OR jsonb_array_length(coalesce(a #> '{payments,settling}', '[]')) > 0
         THEN jsonb_build_object('keys', lock_keys(a)) ELSE '{}' END
    || CASE WHEN a ? 'channels' THEN jsonb_build_object('channels', lock_channels(a -> 'channels')) ELSE '{}' END;
END $$;

CREATE OR REPLACE FUNCTION write_others(a jsonb, p_lane bigint, p_owner text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF a ? 'refunds' THEN PERFORM write_sale_refunds(a -> 'refunds', p_lane); END IF;
  IF a ? 'corrections' THEN PERFORM write_corrections(a -> 'corrections'); END IF;
  IF a ? 'payments' THEN PERFORM write_payments(a -> 'payments', p_owner); END IF;
  IF a ? 'coupons' THEN PERFORM write_coupons(a -> 'coupons', p_owner); END IF;
  IF a ? 'keys' THEN PERFORM write_keys(a -> 'keys'); END IF;
  IF a ? 'channels' THEN PERFORM write_channels(a -> 'channels', p_owner); END IF;
END $$;

-- As before, with the balances of keys that something is given to. Where no index can help, as with a list, a plan without
-- scans is called dear, and would be compiled each time.
CREATE OR REPLACE FUNCTION lock_batch(p_session text, p_batch bigint, p_lane bigint, p_now_ms bigint, p_wanted text)
RETURNS text LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_mergejoin = off
SET enable_hashjoin = off SET join_collapse_limit = 1 SET jit = off AS $$
DECLARE
  v_wanted jsonb := p_wanted::jsonb;
  v_owner text;
  v_ended boolean;
  v_done bigint;
  v_results text;
  v_at bigint;
BEGIN
  SELECT owner, batch, results INTO v_owner, v_done, v_results FROM sessions WHERE id = p_session FOR UPDATE;
  IF NOT FOUND OR (v_done >= p_batch AND v_results IS NULL) THEN RETURN NULL; END IF;
  IF v_done >= p_batch THEN RETURN jsonb_build_object('results', v_results)::text; END IF;
  SELECT greatest(p_now_ms * 1000 / 16 * 16 + p_lane, last_us + 16) INTO v_at FROM lanes WHERE lane = p_lane FOR UPDATE;
  SELECT ended INTO v_ended FROM seats WHERE owner = v_owner FOR SHARE;
  IF coalesce(v_ended, true) THEN PERFORM assert_seat(v_owner, v_ended); END IF;
  PERFORM set_config('ledger.locked_batch', p_session || ' ' || p_batch, true);
  IF v_wanted ? 'others' THEN v_wanted := with_key_balances(v_wanted); END IF;
  RETURN (jsonb_build_object('charges', lock_charges(v_wanted, v_owner, v_at, p_lane))
    || CASE WHEN v_wanted ? 'others' THEN lock_others(v_wanted -> 'others', v_owner, p_lane) ELSE '{}' END)::text;
END $$;
ALTER FUNCTION write_batch(text, bigint, bigint, text, text) SET jit = off;
