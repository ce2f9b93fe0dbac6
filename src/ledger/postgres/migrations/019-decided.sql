-- Charges of keys are decided by the node, by the functions that decide on SQLite, too (src/ledger/decide). A batch of
-- them is two statements in one transaction: lock_batch locks and reads what they are decided by, write_batch writes
-- what was decided. The functions of before stay: nodes of before, which run on while a newer one starts, call them.

-- What charges are decided by. Balances are locked in the order of their names, as all batches do. The usage of a key
-- is read after its balance was locked: whoever changes what it spent today has that balance. Only the count of a pass
-- has not: it may add a call meanwhile, which write_batch finds.
CREATE FUNCTION lock_charges(a jsonb, p_owner text, p_at bigint, p_lane bigint) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_accounts text[] := (a ->> 'accounts')::text[];
  v_keys bigint[] := (a ->> 'keys')::bigint[];
  v_holds bigint[] := (a ->> 'holds')::bigint[];
  v_debits bigint[] := (a ->> 'debits')::bigint[];
  v_kept bigint[] := (a ->> 'kept')::bigint[];
  v_found jsonb;
  v_left bigint[];
  v_usage bigint[];
  v_days bigint[];
  v_todays bigint[];
  v_last bigint;
BEGIN
  IF (a ->> 'left_holds')::boolean THEN
    v_holds := v_holds || ARRAY(SELECT id FROM holds WHERE state = 'pending' AND is_left_to(owner, p_owner));
  END IF;
  IF cardinality(v_holds) + cardinality(v_debits) > 0 THEN
    v_accounts := ARRAY(
      SELECT account COLLATE "C" AS account FROM unnest(v_accounts) AS asked (account)
      UNION SELECT account FROM holds WHERE id = ANY (v_holds)
      UNION SELECT source FROM transfers WHERE id = ANY (v_debits) AND kind = 'debit'
      ORDER BY account);
    v_keys := ARRAY(SELECT key_id FROM unnest(v_keys) AS asked (key_id)
      UNION SELECT key_id FROM holds WHERE id = ANY (v_holds));
  END IF;

  SELECT jsonb_agg(account ORDER BY n), array_agg(rest ORDER BY n) INTO v_found, v_left
    FROM unnest(v_accounts) WITH ORDINALITY AS asked (account, n)
    JOIN LATERAL (SELECT b.posted - b.pending AS rest FROM account_parts b
      WHERE b.id = asked.account AND b.part = 0 FOR UPDATE) AS locked ON true;
  SELECT array_agg(u.key_id), array_agg(u.day), array_agg(u.spent_today), max(u.last_call)
    INTO v_usage, v_days, v_todays, v_last
    FROM unnest(v_keys) AS asked (key_id) JOIN key_usage u ON u.key_id = asked.key_id;

  RETURN jsonb_build_object(
    -- A lane whose clock is behind must not date a call before the one it names as the one before it.
    'at', greatest(p_at, (v_last / 16 + 1) * 16 + p_lane),
    'accounts', coalesce(v_found, '[]'), 'available', coalesce(v_left, '{}')::text,
    'keys', coalesce(v_usage, '{}')::text, 'days', coalesce(v_days, '{}')::text,
    'todays', coalesce(v_todays, '{}')::text,
    'kept', ARRAY(SELECT id FROM answers WHERE id = ANY (v_kept))::text)
  -- Kept bytes are written again when they are used an hour after: pruning goes by their first time.
  || CASE WHEN jsonb_array_length(a -> 'hashes') > 0 THEN jsonb_build_object('bodies', coalesce((
      SELECT jsonb_object_agg(sha256, id) FROM (
        SELECT s.sha256, max(s.id) AS id FROM answers s
        WHERE s.sha256 = ANY (ARRAY(SELECT jsonb_array_elements_text(a -> 'hashes'))) AND s.id > p_at - 3600000000
        GROUP BY s.sha256) AS bodies), '{}')) ELSE '{}' END
  || CASE WHEN jsonb_array_length(a -> 'names') > 0 THEN jsonb_build_object('names', coalesce((
      SELECT jsonb_agg(jsonb_build_array(n.key_id, n.name)) FROM jsonb_array_elements(a -> 'names') AS asked (pair)
      JOIN call_names n ON n.key_id = (asked.pair ->> 0)::bigint AND n.name = asked.pair ->> 1), '[]')) ELSE '{}' END
  || CASE WHEN cardinality(v_holds) > 0 THEN jsonb_build_object('holds', coalesce((
      SELECT jsonb_agg(jsonb_build_object('id', id, 'key_id', key_id, 'account', account, 'amount', amount::text,
        'day', day, 'is_open', state = 'pending') ORDER BY id)
      FROM (SELECT * FROM holds WHERE id = ANY (v_holds) ORDER BY id FOR UPDATE) AS locked), '[]')) ELSE '{}' END
  || CASE WHEN cardinality(v_debits) > 0 THEN jsonb_build_object('debits', coalesce((
      SELECT jsonb_agg(jsonb_build_object('id', t.id, 'account', t.source, 'amount', t.amount::text, 'is_refunded',
        EXISTS (SELECT FROM transfers r WHERE r.kind = 'refund' AND r.reference = 'call:' || t.id)))
      FROM transfers t WHERE t.id = ANY (v_debits) AND t.kind = 'debit'), '[]')) ELSE '{}' END;
END $$;

-- The first half of a batch. As run_commands: null when the session is not there; a batch that was written before has
-- its results there, and while it is still under way, the second one waits for it at the session's row.
CREATE FUNCTION lock_batch(p_session text, p_batch bigint, p_lane bigint, p_now_ms bigint, p_wanted text)
RETURNS text LANGUAGE plpgsql
-- Whatever was not counted yet, an index leads to every row, and rows are locked in the order they are named in.
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_mergejoin = off
SET enable_hashjoin = off SET join_collapse_limit = 1 AS $$
DECLARE
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
  -- Held until the commit: nobody ends the seat while a batch is under way.
  SELECT ended INTO v_ended FROM seats WHERE owner = v_owner FOR SHARE;
  IF coalesce(v_ended, true) THEN PERFORM assert_seat(v_owner, v_ended); END IF;
  -- Forgotten with the transaction, as its locks are.
  PERFORM set_config('ledger.locked_batch', p_session || ' ' || p_batch, true);
  RETURN jsonb_build_object('charges', lock_charges(p_wanted::jsonb, v_owner, v_at, p_lane))::text;
END $$;

-- The calls of a batch: balances and the usage of keys change once, by the sum of what they do. Lists of one object
-- belong together; one that is shorter has one value, which all rows have. A call names the place of its key, and of
-- the call of that key before it, or 0.
CREATE FUNCTION write_calls(a jsonb, p_lane bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_first bigint := (a ->> 'first')::bigint;
  v_accounts text[] := (a #>> '{balances,accounts}')::text[];
  v_posted bigint[] := (a #>> '{balances,posted}')::bigint[];
  v_pending bigint[] := (a #>> '{balances,pending}')::bigint[];
  v_keys bigint[] := (a #>> '{keys,ids}')::bigint[];
  v_days bigint[] := (a #>> '{keys,days}')::bigint[];
  v_todays bigint[] := (a #>> '{keys,todays}')::bigint[];
  v_counts bigint[] := (a #>> '{keys,calls}')::bigint[];
  v_spent bigint[] := (a #>> '{keys,spent}')::bigint[];
  v_lasts bigint[] := (a #>> '{keys,lasts}')::bigint[];
  v_calls bigint[] := (a #>> '{calls,ids}')::bigint[];
  v_places bigint[] := (a #>> '{calls,places}')::bigint[];
  v_befores bigint[] := (a #>> '{calls,befores}')::bigint[];
  v_products text[] := (a #>> '{calls,products}')::text[];
  v_amounts bigint[] := (a #>> '{calls,amounts}')::bigint[];
  v_answers bigint[] := (a #>> '{calls,answers}')::bigint[];
  v_moved bigint[];
  v_prior bigint[];
BEGIN
  WITH moved AS (
    UPDATE account_parts p SET posted = p.posted + coalesce(own.posted, v_posted[1]),
      pending = p.pending + coalesce(own.pending, v_pending[1])
    FROM unnest(v_accounts, v_posted, v_pending) WITH ORDINALITY AS own (account, posted, pending, n)
    WHERE p.id = own.account AND p.part = CASE WHEN starts_with(own.account, 'credit:') THEN 0 ELSE p_lane END
    RETURNING own.n
  )
  SELECT coalesce(array_agg(n), '{}') INTO v_moved FROM moved;
  IF cardinality(v_moved) < cardinality(v_accounts) THEN
    -- What was never moved in this lane is opened by the first move.
    PERFORM move_balance(account, coalesce(posted, v_posted[1]), p_lane, v_first)
      FROM unnest(v_accounts, v_posted) WITH ORDINALITY AS own (account, posted, n) WHERE n <> ALL (v_moved);
  END IF;

  WITH used AS (
    UPDATE key_usage u SET calls = u.calls + coalesce(own.calls, v_counts[1]),
      spent = u.spent + coalesce(own.spent, v_spent[1]), day = coalesce(own.day, v_days[1]),
      spent_today = coalesce(own.today, v_todays[1]), last_call = greatest(u.last_call, coalesce(own.last, v_lasts[1])),
      prior_call = CASE WHEN coalesce(own.last, v_lasts[1]) > 0 THEN u.last_call ELSE u.prior_call END
    FROM unnest(v_keys, v_days, v_todays, v_counts, v_spent, v_lasts) WITH ORDINALITY
      AS own (key_id, day, today, calls, spent, last, n)
    WHERE u.key_id = own.key_id AND (coalesce(own.last, v_lasts[1]) = 0 OR u.last_call < v_first)
    RETURNING own.n, u.prior_call
  )
  SELECT coalesce(array_agg(prior_call ORDER BY n), '{}') INTO v_prior FROM used;
  IF cardinality(v_prior) < cardinality(v_keys) THEN
    RAISE EXCEPTION USING ERRCODE = '40001', MESSAGE = 'a pass of one of the keys was counted meanwhile';
  END IF;

  INSERT INTO calls (id, key_id, previous, product, access, amount, answer_id)
  SELECT id, v_keys[coalesce(place, v_places[1])],
    CASE WHEN coalesce(before, v_befores[1]) > 0 THEN v_calls[coalesce(before, v_befores[1])]
         ELSE v_prior[coalesce(place, v_places[1])] END,
    coalesce(product, v_products[1]), 'debit', coalesce(amount, v_amounts[1]), coalesce(answer, v_answers[1])
  FROM unnest(v_calls, v_places, v_befores, v_products, v_amounts, v_answers)
    AS own (id, place, before, product, amount, answer);
END $$;

CREATE FUNCTION write_holds(a jsonb, p_owner text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_count bigint;
BEGIN
  INSERT INTO holds (id, owner, key_id, account, product, amount, day)
    SELECT (value ->> 'id')::bigint, p_owner, (value ->> 'key_id')::bigint, value ->> 'account', value ->> 'product',
      (value ->> 'amount')::bigint, (value ->> 'day')::bigint
    FROM jsonb_array_elements(a -> 'holds');
  UPDATE holds h SET state = own.value ->> 'state', charged = (own.value ->> 'charged')::bigint
    FROM jsonb_array_elements(a -> 'ended_holds') AS own
    WHERE h.id = (own.value ->> 'id')::bigint AND h.state = 'pending';
  GET DIAGNOSTICS v_count = ROW_COUNT;
  PERFORM assert_books(v_count = jsonb_array_length(a -> 'ended_holds'), 'I4: a hold ends once');
END $$;

-- The second half of a batch, in the transaction of the first.
CREATE FUNCTION write_batch(p_session text, p_batch bigint, p_lane bigint, p_changes text, p_results text)
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
  UPDATE lanes SET last_us = (a ->> 'next')::bigint WHERE lane = p_lane;
  UPDATE sessions SET batch = p_batch, results = p_results, seen_at = now() WHERE id = p_session;
  RETURN p_results;
END $$;
