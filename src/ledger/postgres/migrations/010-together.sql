-- A batch of nothing but debits without names is one function: no JSON is taken apart, no balance or key is locked
-- before it is written, and what belongs to one of them comes added up.

-- What the key's last call was before its last debit: an update tells what it wrote, not what was there.
ALTER TABLE key_usage ADD COLUMN prior_call bigint NOT NULL DEFAULT 0;

-- A node whose seat others ended is told so, and one without a seat is refused while a node is there, as run_commands
-- does it.
CREATE FUNCTION assert_seat(p_owner text, p_ended boolean) RETURNS void LANGUAGE plpgsql
-- Read as a whole. Its caller forbids that, at a price so high that the server would compile the plan, for 50 ms.
SET enable_seqscan = on AS $$
DECLARE
  v_others text;
BEGIN
  SELECT string_agg(name, ', ' ORDER BY name) INTO v_others FROM seats WHERE NOT ended AND owner <> p_owner;
  IF p_ended OR v_others IS NOT NULL THEN
    RAISE EXCEPTION USING ERRCODE = 'LB005',
      MESSAGE = 'this node was silent for too long: the ledger is left to ' || coalesce(v_others, 'others');
  END IF;
END $$;

-- Runs one batch of a session, as run_commands does, and answers to the same number with the same results. It is for
-- debits that are all in order: when one has to be refused, or anything else is unusual, LB006 is raised, nothing is
-- done, and the node sends the batch to run_commands. Debits come in the order of their balances. What is given are
-- lists of balances, the last one being what calls bring in, which gains what is negative; of keys, with the place of
-- the last debit of each; and of debits, each with the places of its key and of the debit of that key before it, or 0.
CREATE FUNCTION run_debits(p_session text, p_batch bigint, p_lane bigint, p_now_ms bigint, p_day bigint,
  p_accounts text[], p_takes bigint[],
  p_keys bigint[], p_calls bigint[], p_spends bigint[], p_caps bigint[], p_lasts bigint[],
  p_places bigint[], p_befores bigint[], p_sources text[], p_products text[], p_amounts bigint[], p_answers bigint[],
  p_kept bigint[], p_bodies text)
RETURNS text LANGUAGE plpgsql
-- As for charges_debits: rows are locked in the order they are named in.
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_mergejoin = off
SET enable_hashjoin = off SET join_collapse_limit = 1 AS $$
DECLARE
  v_owner text;
  v_ended boolean;
  v_done bigint;
  v_results text;
  v_first bigint;
  v_left bigint[];
  v_prior bigint[];
  v_answers bigint[] := p_answers;
  v_body jsonb;
  v_n bigint;
BEGIN
  SELECT owner, batch, results INTO v_owner, v_done, v_results FROM sessions WHERE id = p_session FOR UPDATE;
  IF NOT FOUND THEN RETURN NULL; END IF;
  IF v_done >= p_batch THEN RETURN v_results; END IF;
  PERFORM FROM lanes WHERE lane = p_lane FOR UPDATE;
  -- Held until the commit: nobody ends the seat while a batch is under way.
  SELECT ended INTO v_ended FROM seats WHERE owner = v_owner FOR SHARE;
  IF coalesce(v_ended, true) THEN PERFORM assert_seat(v_owner, v_ended); END IF;

  WITH taken AS (
    UPDATE account_parts p SET posted = p.posted - own.amount
    FROM unnest(p_accounts, p_takes) WITH ORDINALITY AS own (account, amount, n)
    WHERE p.id = own.account AND p.part = CASE WHEN own.amount < 0 THEN p_lane ELSE 0 END
      AND (own.amount < 0 OR p.posted - p.pending >= own.amount)
    RETURNING own.n, p.posted - p.pending AS rest
  )
  SELECT array_agg(rest ORDER BY n) INTO v_left FROM taken;
  IF coalesce(cardinality(v_left), 0) < cardinality(p_accounts) THEN
    RAISE EXCEPTION USING ERRCODE = 'LB006', MESSAGE = 'not every balance has enough for its debits';
  END IF;

  -- Whoever debited one of these keys before has committed, as he held its balance, and his lane says how late it was
  -- then. The count of a pass holds no balance: its key is asked again below.
  UPDATE lanes SET last_us = greatest(p_now_ms * 1000 / 16 * 16 + p_lane, last_us + 16,
      ((SELECT max(l.last_us) FROM lanes l WHERE l.lane > 0) / 16 + 1) * 16 + p_lane) + 16 * cardinality(p_places)
    WHERE lane = p_lane RETURNING last_us - 16 * cardinality(p_places) INTO v_first;

  IF (SELECT count(*) FROM answers WHERE id = ANY (p_kept)) < cardinality(p_kept) THEN
    RAISE EXCEPTION USING ERRCODE = 'LB003', MESSAGE = 'an answer is not kept any more';
  END IF;
  IF p_bodies IS NOT NULL THEN
    FOR v_body IN SELECT value FROM jsonb_array_elements(p_bodies::jsonb) LOOP
      v_n := (v_body ->> 'n')::bigint;
      v_answers[v_n] := keep_answer_bytes(v_body, v_first + 16 * (v_n - 1));
    END LOOP;
  END IF;

  WITH used AS (
    UPDATE key_usage u SET calls = u.calls + own.calls, spent = u.spent + own.amount, day = p_day,
      spent_today = CASE WHEN u.day = p_day THEN u.spent_today ELSE 0 END + own.amount,
      prior_call = u.last_call, last_call = v_first + 16 * (own.last - 1)
    FROM unnest(p_keys, p_calls, p_spends, p_caps, p_lasts) WITH ORDINALITY AS own (key_id, calls, amount, cap, last, n)
    WHERE u.key_id = own.key_id AND u.last_call < v_first
      AND (own.cap IS NULL OR CASE WHEN u.day = p_day THEN u.spent_today ELSE 0 END + own.amount <= own.cap)
    RETURNING own.n, u.prior_call
  )
  SELECT array_agg(prior_call ORDER BY n) INTO v_prior FROM used;
  IF coalesce(cardinality(v_prior), 0) < cardinality(p_keys) THEN
    RAISE EXCEPTION USING ERRCODE = 'LB006', MESSAGE = 'not every key may spend as much today';
  END IF;

  INSERT INTO calls (id, key_id, previous, product, access, amount, answer_id)
  SELECT v_first + 16 * (n - 1), p_keys[place],
    CASE WHEN before > 0 THEN v_first + 16 * (before - 1) ELSE v_prior[place] END, product, 'debit', amount, answer
  FROM unnest(p_places, p_befores, p_products, p_amounts, v_answers) WITH ORDINALITY
    AS asked (place, before, product, amount, answer, n);
  INSERT INTO transfers (id, kind, reference, source, target, amount)
  SELECT v_first + 16 * (n - 1), 'debit', product, source, 'revenue:calls', amount
  FROM unnest(p_sources, p_products, p_amounts) WITH ORDINALITY AS asked (source, product, amount, n);

  v_results := '[{"first":' || v_first || ',"left":"' || v_left::text
    || CASE WHEN p_bodies IS NULL THEN '' ELSE '","answers":"' || v_answers::text END || '"}]';
  UPDATE sessions SET batch = p_batch, results = v_results, seen_at = now() WHERE id = p_session;
  RETURN v_results;
END $$;
