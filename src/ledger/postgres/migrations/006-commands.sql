-- What is left of the commands, and the one door to all of them.

CREATE FUNCTION landings_note(a jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_state text := a #>> '{1,state}';
BEGIN
  -- What was confirmed once stays confirmed, whatever an endpoint says later.
  UPDATE landings SET state = v_state, looks = looks + 1, checked_at = (a #>> '{1,checked_at_ms}')::bigint,
      due_at = (a #>> '{1,due_at_ms}')::bigint,
      doubted = CASE WHEN v_state = 'confirmed' THEN 0
                     ELSE greatest(doubted, CASE WHEN (a #>> '{1,doubted}')::boolean THEN 1 ELSE 0 END) END
    WHERE receipt_id = a ->> 0 AND state <> 'confirmed';
  RETURN 'null'::jsonb;
END $$;

CREATE FUNCTION landings_postpone(a jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
  UPDATE landings SET due_at = (a ->> 1)::bigint WHERE receipt_id = a ->> 0 AND state <> 'confirmed';
  RETURN 'null'::jsonb;
END $$;

CREATE FUNCTION landings_confirm_payment(a jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
  UPDATE landings SET state = 'confirmed', looks = looks + 1, checked_at = (a ->> 1)::bigint, due_at = NULL, doubted = 0
    WHERE receipt_id = (SELECT id FROM receipts WHERE payment_id = a ->> 0) AND state <> 'confirmed';
  RETURN 'null'::jsonb;
END $$;

CREATE FUNCTION landings_disbelieve(a jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO landing_counts AS c (hour, network, facilitator, state, count)
    SELECT hour, a #>> '{0,network}', a #>> '{0,facilitator}', 'disbelieved', 1
    FROM unnest(ARRAY[(a #>> '{0,at_ms}')::bigint / 3600000, -1]) AS hour
    ON CONFLICT (hour, network, facilitator, state) DO UPDATE SET count = c.count + 1;
  RETURN 'null'::jsonb;
END $$;

CREATE FUNCTION records_append(a jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_record jsonb;
  v_last records;
BEGIN
  FOR v_record IN SELECT value FROM jsonb_array_elements(a -> 1) LOOP
    SELECT * INTO v_last FROM records WHERE realm = a ->> 0 AND chain = v_record ->> 'chain' ORDER BY seq DESC LIMIT 1;
    -- The first of a chain names a hash of the chain's name, which the caller knows.
    IF coalesce(v_last.seq, 0) + 1 <> (v_record ->> 'seq')::bigint
       OR (v_last.seq IS NOT NULL AND v_last.record_hash <> v_record ->> 'prev_hash') THEN
      RAISE EXCEPTION USING ERRCODE = 'LB004', MESSAGE = 'the chain has moved on';
    END IF;
    INSERT INTO records (realm, chain, seq, record_json, record_hash, beside_json, recorded_at)
      VALUES (a ->> 0, v_record ->> 'chain', (v_record ->> 'seq')::bigint, v_record ->> 'text',
        v_record ->> 'record_hash', v_record ->> 'beside_json', (v_record ->> 'recorded_at_ms')::bigint);
  END LOOP;
  RETURN to_jsonb(true);
END $$;

CREATE FUNCTION records_settle(a jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO record_outcomes (realm, chain, seq, outcome_json, outcome_hash, beside_json, scored_at)
    VALUES (a ->> 0, a #>> '{1,chain}', (a #>> '{1,seq}')::bigint, a #>> '{1,text}', a #>> '{1,outcome_hash}',
      a #>> '{1,beside_json}', (a #>> '{1,scored_at_ms}')::bigint);
  RETURN 'null'::jsonb;
END $$;

CREATE FUNCTION manifest_note(a jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO manifest (id, digest, changed_at) VALUES (1, a #>> '{0,digest}', (a #>> '{0,changed_at}')::bigint)
    ON CONFLICT (id) DO UPDATE SET digest = excluded.digest, changed_at = excluded.changed_at;
  RETURN 'null'::jsonb;
END $$;

-- Rows changed by a command that says how many, or nothing.
CREATE FUNCTION change_rows(p_name text, a jsonb, p_owner text) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_count bigint;
BEGIN
  CASE p_name
    WHEN 'payments.markDelivered' THEN UPDATE payments SET delivered = 1 WHERE id = a ->> 0 AND state = 'settled';
    WHEN 'payments.markUndelivered' THEN UPDATE payments SET delivered = 0 WHERE id = a ->> 0 AND state = 'settled';
    WHEN 'coupons.release' THEN DELETE FROM coupons WHERE id = a ->> 0 AND state = 'held';
    WHEN 'coupons.recover' THEN DELETE FROM coupons WHERE state = 'held' AND is_left_to(owner, p_owner);
  END CASE;
  GET DIAGNOSTICS v_count = ROW_COUNT;
  RETURN to_jsonb(v_count);
END $$;

-- Returns null when the caller has the books from now on for so many seconds; otherwise who has them.
CREATE FUNCTION take_lease(p_owner text, p_seconds double precision) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO lease AS l (id, owner, until)
    VALUES (1, p_owner, clock_timestamp() + make_interval(secs => p_seconds))
    ON CONFLICT (id) DO UPDATE SET owner = excluded.owner, until = excluded.until
      WHERE l.owner = excluded.owner OR l.until < clock_timestamp();
  IF FOUND THEN RETURN NULL; END IF;
  RETURN (SELECT owner FROM lease WHERE id = 1);
END $$;

CREATE FUNCTION run_command(p_name text, a jsonb, p_at bigint, p_lane bigint, p_owner text, p_now_ms bigint)
RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
  RETURN CASE p_name
    WHEN 'charges.debit' THEN charges_debit(a, p_at, p_lane)
    WHEN 'charges.hold' THEN charges_hold(a, p_at, p_owner)
    WHEN 'charges.post' THEN charges_post(a, p_at, p_lane)
    WHEN 'charges.void' THEN to_jsonb(give_back((a ->> 0)::bigint, 'voided'))
    WHEN 'charges.pass' THEN charges_pass(a, p_at, p_lane)
    WHEN 'charges.refund' THEN charges_refund(a, p_at, p_lane)
    WHEN 'charges.recover' THEN charges_recover(p_owner)
    WHEN 'charges.pruneAnswers' THEN charges_prune_answers(a)
    WHEN 'payments.begin' THEN payments_begin(a, p_owner, p_now_ms)
    WHEN 'payments.note' THEN to_jsonb(move_payment(a ->> 0, '{received,verified,producing}', a ->> 1, p_now_ms, NULL,
      a ->> 2, NULL))
    WHEN 'payments.drop' THEN to_jsonb(move_payment(a ->> 0, '{received,verified,producing}', a #>> '{2,state}',
      p_now_ms, a #>> '{2,reason}', NULL, NULL))
    WHEN 'payments.end' THEN must_move_payment(a ->> 0,
      CASE WHEN a ->> 1 = 'settle_failed' THEN '{settling,unknown}' ELSE '{received,verified,producing}' END::text[],
      a ->> 1, p_now_ms, a ->> 2, NULL, NULL)
    WHEN 'payments.wake' THEN payments_wake(a, p_now_ms)
    WHEN 'payments.keepAnswer' THEN payments_keep_answer(a, p_now_ms)
    WHEN 'payments.markUnknown' THEN must_move_payment(a ->> 0, '{settling,unknown}', 'unknown', p_now_ms, a ->> 1,
      a #>> '{2,facilitator}', a #>> '{2,transaction}')
    WHEN 'payments.settle' THEN payments_settle(a, p_at, p_now_ms)
    WHEN 'payments.markDelivered' THEN change_rows(p_name, a, p_owner)
    WHEN 'payments.markUndelivered' THEN change_rows(p_name, a, p_owner)
    WHEN 'payments.recover' THEN payments_recover(p_owner, p_now_ms)
    WHEN 'payments.pruneAnswers' THEN payments_prune_answers(a)
    WHEN 'payments.pruneSome' THEN payments_prune_some(a)
    WHEN 'keys.issue' THEN keys_issue(a, p_at, p_now_ms)
    WHEN 'keys.grant' THEN keys_grant(a, p_at, p_now_ms)
    WHEN 'keys.mint' THEN keys_mint(a, p_at)
    WHEN 'keys.amend' THEN keys_amend(a)
    WHEN 'keys.revoke' THEN keys_revoke(a, p_now_ms)
    WHEN 'keys.expire' THEN keys_expire(a, p_at, p_now_ms)
    WHEN 'keys.dropSalts' THEN keys_drop_salts(a)
    WHEN 'coupons.hold' THEN coupons_hold(a, p_at, p_owner)
    WHEN 'coupons.use' THEN coupons_use(a, p_at)
    WHEN 'coupons.release' THEN change_rows(p_name, a, p_owner)
    WHEN 'coupons.recover' THEN change_rows(p_name, a, p_owner)
    WHEN 'landings.note' THEN landings_note(a)
    WHEN 'landings.postpone' THEN landings_postpone(a)
    WHEN 'landings.confirmPayment' THEN landings_confirm_payment(a)
    WHEN 'landings.countDisbelieved' THEN landings_disbelieve(a)
    WHEN 'manifest.note' THEN manifest_note(a)
    WHEN 'records.append' THEN records_append(a)
    WHEN 'records.settle' THEN records_settle(a)
    WHEN 'books.flush' THEN to_jsonb(true)
    WHEN 'books.lead' THEN to_jsonb(take_lease(p_owner, 20) IS NULL)
  END;
END $$;

-- Runs one batch of a session: all of its commands or none, in one commit. A batch that was committed before, and whose
-- results were lost with the connection, is not run again: its results are there. While the first one is still under
-- way, the second waits for it at the session's row. Returns null when the session is not there.
CREATE FUNCTION run_commands(p_session text, p_batch bigint, p_lane bigint, p_now_ms bigint, p_commands text)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_owner text;
  v_leader text;
  v_done bigint;
  v_results text;
  v_at bigint;
  v_first bigint;
  v_command jsonb;
  v_result jsonb;
  v_all jsonb[] := '{}';
  v_came_in bigint := 0;
BEGIN
  SELECT owner, batch, results INTO v_owner, v_done, v_results FROM sessions WHERE id = p_session FOR UPDATE;
  IF NOT FOUND THEN RETURN NULL; END IF;
  IF v_done >= p_batch THEN RETURN v_results; END IF;
  -- Held until the commit: nobody takes the books over while a batch is under way.
  SELECT owner INTO v_leader FROM lease WHERE id = 1 FOR SHARE;
  IF v_leader <> v_owner THEN
    RAISE EXCEPTION USING ERRCODE = 'LB005', MESSAGE = 'another node (' || v_leader || ') has taken the ledger over';
  END IF;
  SELECT greatest(p_now_ms * 1000 / 16 * 16 + p_lane, last_us + 16) INTO v_at FROM lanes WHERE lane = p_lane FOR UPDATE;
  v_first := v_at;
  FOR v_command IN SELECT value FROM jsonb_array_elements(p_commands::jsonb) LOOP
    v_result := run_command(v_command ->> 0, v_command -> 1, v_at, p_lane, v_owner, p_now_ms);
    PERFORM assert_books(v_result IS NOT NULL, 'a command is known: ' || (v_command ->> 0));
    v_all := v_all || v_result;
    IF jsonb_typeof(v_result) = 'object' THEN
      v_came_in := v_came_in + coalesce((v_result ->> 'came_in')::bigint, 0);
      v_at := greatest(v_at, coalesce((v_result ->> 'call_id')::bigint / 16 * 16 + p_lane, 0));
    END IF;
    -- A charge takes one moment; a settlement or a grant has some transfers of its own.
    v_at := v_at + CASE WHEN p_lane = 0 THEN 128 ELSE 16 END;
  END LOOP;
  IF v_came_in <> 0 THEN PERFORM move_balance('revenue:calls', v_came_in, p_lane, v_first); END IF;
  UPDATE lanes SET last_us = v_at WHERE lane = p_lane;
  v_results := to_jsonb(v_all)::text;
  UPDATE sessions SET batch = p_batch, results = v_results, seen_at = now() WHERE id = p_session;
  RETURN v_results;
END $$;
