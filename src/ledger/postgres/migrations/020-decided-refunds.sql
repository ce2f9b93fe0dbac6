-- Refunds of sales are decided by the node, as charges of keys are since migration 19. The functions of before stay:
-- nodes of before, which run on while a newer one starts, call them. Both lock the lane that everybody books in first,
-- so of two refunds of one sale the second one is decided on what the first one left.

-- What refunds of sales are decided by: pairs of a receipt and a reference.
CREATE FUNCTION lock_sales(a jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_ids text[] := ARRAY(SELECT DISTINCT value ->> 0 FROM jsonb_array_elements(a));
  v_references text[] := ARRAY(SELECT DISTINCT value ->> 1 FROM jsonb_array_elements(a));
BEGIN
  PERFORM FROM receipts WHERE id = ANY (v_ids) ORDER BY id FOR SHARE;
  -- Whether what a sale bought can still be used: a call of its key must not be given back meanwhile. In the order of
  -- their names, as all batches lock balances.
  PERFORM FROM account_parts WHERE part = 0 AND id = ANY (ARRAY(
    SELECT k.account FROM receipts r JOIN grants g ON g.payment_id = r.payment_id JOIN keys k ON k.id = g.key_id
    WHERE r.id = ANY (v_ids) AND k.account IS NOT NULL)) ORDER BY id FOR SHARE;
  RETURN jsonb_build_object(
    'sales', (SELECT jsonb_agg(jsonb_build_object('receipt_id', r.id, 'network', r.network, 'amount', r.amount::text,
        'never_landed', coalesce(l.state = 'missing', false),
        'given_back', (SELECT coalesce(sum(b.amount), 0) FROM given_back b WHERE b.receipt_id = r.id)::text,
        'key_id', k.public_id, 'is_revoked', k.revoked_at IS NOT NULL, 'balance', coalesce(p.posted, 0)::text))
      FROM receipts r LEFT JOIN landings l ON l.receipt_id = r.id LEFT JOIN grants g ON g.payment_id = r.payment_id
      LEFT JOIN keys k ON k.id = g.key_id LEFT JOIN account_parts p ON p.id = k.account AND p.part = 0
      WHERE r.id = ANY (v_ids)),
    'named', (SELECT jsonb_agg(jsonb_build_object('reference', reference, 'receipt_id', receipt_id,
        'amount', amount::text)) FROM given_back WHERE reference = ANY (v_references)));
END $$;

CREATE FUNCTION write_sale_refunds(a jsonb, p_lane bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM assert_books(p_lane = 0, 'refunds are booked in the lane of everybody');
  INSERT INTO given_back (id, receipt_id, amount, reference, reason)
    SELECT (value ->> 'id')::bigint, value ->> 'receipt_id', (value ->> 'amount')::bigint, value ->> 'reference',
      value ->> 'reason' FROM jsonb_array_elements(a);
END $$;

-- What commands that are no charges of keys are decided by, and what they change.
CREATE FUNCTION lock_others(a jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
  RETURN CASE WHEN a ? 'refunds' THEN jsonb_build_object('refunds', lock_sales(a -> 'refunds')) ELSE '{}' END;
END $$;

CREATE FUNCTION write_others(a jsonb, p_lane bigint, p_owner text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF a ? 'refunds' THEN PERFORM write_sale_refunds(a -> 'refunds', p_lane); END IF;
END $$;

-- As before, and what others than charges are decided by, where there are any.
CREATE OR REPLACE FUNCTION lock_batch(p_session text, p_batch bigint, p_lane bigint, p_now_ms bigint, p_wanted text)
RETURNS text LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_mergejoin = off
SET enable_hashjoin = off SET join_collapse_limit = 1 AS $$
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
  RETURN (jsonb_build_object('charges', lock_charges(v_wanted, v_owner, v_at, p_lane))
    || CASE WHEN v_wanted ? 'others' THEN lock_others(v_wanted -> 'others') ELSE '{}' END)::text;
END $$;

-- As before, and what others than charges change, where there are any.
CREATE OR REPLACE FUNCTION write_batch(p_session text, p_batch bigint, p_lane bigint, p_changes text, p_results text)
RETURNS text LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_mergejoin = off
SET enable_hashjoin = off SET join_collapse_limit = 1 AS $$
DECLARE
  a jsonb := p_changes::jsonb;
  v_kinds text[] := (a #>> '{transfers,kinds}')::text[];
  v_references text[] := (a #>> '{transfers,references}')::text[];
  v_sources text[] := (a #>> '{transfers,sources}')::text[];
  v_targets text[] := (a #>> '{transfers,targets}')::text[];
  v_amounts bigint[] := (a #>> '{transfers,amounts}')::bigint[];
BEGIN
  IF current_setting('ledger.locked_batch', true) IS DISTINCT FROM p_session || ' ' || p_batch THEN
    -- Another connection: that of the locks is gone, and they with it. Nothing was written, so it is decided anew.
    RAISE EXCEPTION USING ERRCODE = '40001', MESSAGE = 'what this batch had locked is locked no more';
  END IF;
  INSERT INTO answers (id, body, sha256)
    SELECT (value ->> 'id')::bigint, value ->> 'body', value ->> 'sha256' FROM jsonb_array_elements(a -> 'answers');
  PERFORM write_calls(a, p_lane);
  INSERT INTO transfers (id, kind, reference, source, target, amount)
    SELECT id, coalesce(kind, v_kinds[1]), coalesce(reference, v_references[1]), coalesce(source, v_sources[1]),
      coalesce(target, v_targets[1]), coalesce(amount, v_amounts[1])
    FROM unnest((a #>> '{transfers,ids}')::bigint[], v_kinds, v_references, v_sources, v_targets, v_amounts)
      AS own (id, kind, reference, source, target, amount);
  INSERT INTO call_names (key_id, name, fingerprint, call_id, at)
    SELECT (value ->> 'key_id')::bigint, value ->> 'name', value ->> 'fingerprint', (value ->> 'call_id')::bigint,
      (value ->> 'call_id')::bigint FROM jsonb_array_elements(a -> 'names');
  IF jsonb_array_length(a -> 'holds') + jsonb_array_length(a -> 'ended_holds') > 0 THEN
    PERFORM write_holds(a, (SELECT owner FROM sessions WHERE id = p_session));
  END IF;
  IF a ? 'others' THEN
    PERFORM write_others(a -> 'others', p_lane, (SELECT owner FROM sessions WHERE id = p_session));
  END IF;
  UPDATE lanes SET last_us = (a ->> 'next')::bigint WHERE lane = p_lane;
  UPDATE sessions SET batch = p_batch, results = p_results, seen_at = now() WHERE id = p_session;
  RETURN p_results;
END $$;
