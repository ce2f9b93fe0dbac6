-- Debits and holds on prepaid balances. Rows are locked in one order everywhere: an account, then the usage of one of
-- its keys; the commands of a batch come sorted by both. What calls bring in is added up for the batch (run_commands).

CREATE FUNCTION keep_answer_bytes(p_answer jsonb, p_at bigint) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_id bigint := (p_answer ->> 'id')::bigint;
BEGIN
  IF v_id IS NOT NULL THEN
    PERFORM FROM answers WHERE id = v_id;
    IF FOUND THEN RETURN v_id; END IF;
    -- It was dropped meanwhile: its bytes are asked for.
    RAISE EXCEPTION USING ERRCODE = 'LB003', MESSAGE = 'an answer is not kept any more';
  END IF;
  -- Kept bytes are written again when they are used an hour after: pruning goes by their first time.
  SELECT max(id) INTO v_id FROM answers WHERE sha256 = p_answer ->> 'sha256' AND id > p_at - 3600000000;
  IF v_id IS NOT NULL THEN RETURN v_id; END IF;
  INSERT INTO answers (id, body, sha256) VALUES (p_at, p_answer ->> 'body', p_answer ->> 'sha256');
  RETURN p_at;
END $$;

-- Takes a price from what can be spent, or sets it aside, and counts it against the key's day. Null when it was taken;
-- otherwise why not, and nothing is changed. A day that is not the stored one, earlier ones included, starts at zero.
CREATE FUNCTION take_price(p_charge jsonb, p_name text, p_hold boolean) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_account text := p_charge #>> '{root,account}';
  v_key bigint := (p_charge #>> '{key,id}')::bigint;
  v_cap bigint := (p_charge #>> '{key,daily_cap}')::bigint;
  v_amount bigint := (p_charge ->> 'amount')::bigint;
  v_day bigint := (p_charge ->> 'now_ms')::bigint / 86400000;
  v_available bigint;
BEGIN
  IF p_name IS NOT NULL THEN
    SELECT posted - pending INTO v_available FROM account_parts WHERE id = v_account AND part = 0 FOR UPDATE;
    PERFORM FROM call_names WHERE key_id = v_key AND name = p_name;
    IF FOUND THEN
      RETURN jsonb_build_object('ok', false, 'why', 'named_before', 'available', coalesce(v_available, 0)::text);
    END IF;
  END IF;
  UPDATE account_parts SET posted = posted - CASE WHEN p_hold THEN 0 ELSE v_amount END,
      pending = pending + CASE WHEN p_hold THEN v_amount ELSE 0 END
    WHERE id = v_account AND part = 0 AND posted - pending >= v_amount;
  IF NOT FOUND THEN
    SELECT posted - pending INTO v_available FROM account_parts WHERE id = v_account AND part = 0;
    RETURN jsonb_build_object('ok', false, 'why', 'insufficient_credits', 'available', coalesce(v_available, 0)::text);
  END IF;
  UPDATE key_usage SET spent_today = CASE WHEN day = v_day THEN spent_today ELSE 0 END + v_amount, day = v_day
    WHERE key_id = v_key AND (v_cap IS NULL OR CASE WHEN day = v_day THEN spent_today ELSE 0 END + v_amount <= v_cap);
  IF FOUND THEN RETURN NULL; END IF;
  UPDATE account_parts SET posted = posted + CASE WHEN p_hold THEN 0 ELSE v_amount END,
      pending = pending - CASE WHEN p_hold THEN v_amount ELSE 0 END
    WHERE id = v_account AND part = 0 RETURNING posted - pending INTO v_available;
  RETURN jsonb_build_object('ok', false, 'why', 'daily_cap', 'available', v_available::text);
END $$;

-- A lane whose clock is behind must not date a call before the one it names as the one before it.
CREATE FUNCTION after_call(p_at bigint, p_last bigint, p_lane bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_last < p_at THEN p_at ELSE (p_last / 16 + 1) * 16 + p_lane END
$$;

CREATE FUNCTION record_call(p_at bigint, p_key bigint, p_product text, p_access text, p_amount bigint,
  p_answer bigint, p_times bigint, p_lane bigint) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_last bigint;
  v_at bigint;
BEGIN
  SELECT last_call INTO v_last FROM key_usage WHERE key_id = p_key FOR UPDATE;
  v_at := after_call(p_at, v_last, p_lane);
  INSERT INTO calls (id, key_id, previous, product, access, amount, answer_id, times)
    VALUES (v_at, p_key, v_last, p_product, p_access, p_amount, p_answer, p_times);
  UPDATE key_usage SET calls = calls + p_times, spent = spent + p_amount, last_call = v_at WHERE key_id = p_key;
  RETURN v_at;
END $$;

-- The balance went down already: its transfer, its call, its answer, its name.
CREATE FUNCTION book_call(p_charge jsonb, p_answer jsonb, p_account text, p_at bigint, p_lane bigint)
RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_key bigint := (p_charge #>> '{key,id}')::bigint;
  v_product text := p_charge ->> 'product';
  v_amount bigint := (p_charge ->> 'amount')::bigint;
  v_answer bigint := keep_answer_bytes(p_answer, p_at);
  v_at bigint := record_call(p_at, v_key, v_product, 'debit', v_amount, v_answer, 1, p_lane);
  v_available bigint;
BEGIN
  INSERT INTO transfers (id, kind, reference, source, target, amount)
    VALUES (v_at, 'debit', v_product, p_account, 'revenue:calls', v_amount);
  IF jsonb_typeof(p_answer -> 'name') = 'object' THEN
    INSERT INTO call_names (key_id, name, fingerprint, call_id, at)
      VALUES (v_key, p_answer #>> '{name,name}', p_answer #>> '{name,fingerprint}', v_at, v_at);
  END IF;
  SELECT posted - pending INTO v_available FROM account_parts WHERE id = p_account AND part = 0;
  RETURN jsonb_build_object('ok', true, 'call_id', v_at, 'available', v_available::text, 'answer_id', v_answer,
    'came_in', v_amount);
END $$;

CREATE FUNCTION charges_debit(a jsonb, p_at bigint, p_lane bigint) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_denied jsonb := take_price(a -> 0, a #>> '{1,name,name}', false);
BEGIN
  IF v_denied IS NOT NULL THEN RETURN v_denied; END IF;
  RETURN book_call(a -> 0, a -> 1, a #>> '{0,root,account}', p_at, p_lane);
END $$;

CREATE FUNCTION charges_hold(a jsonb, p_at bigint, p_owner text) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_denied jsonb := take_price(a -> 0, a #>> '{1,name}', true);
BEGIN
  IF v_denied IS NOT NULL THEN RETURN v_denied; END IF;
  INSERT INTO holds (id, owner, key_id, account, product, amount, day)
    VALUES (p_at, p_owner, (a #>> '{0,key,id}')::bigint, a #>> '{0,root,account}', a #>> '{0,product}',
      (a #>> '{0,amount}')::bigint, (a #>> '{0,now_ms}')::bigint / 86400000);
  RETURN jsonb_build_object('ok', true, 'id', p_at);
END $$;

CREATE FUNCTION charges_post(a jsonb, p_at bigint, p_lane bigint) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_hold holds;
BEGIN
  UPDATE holds SET state = 'posted' WHERE id = (a ->> 0)::bigint AND state = 'pending' RETURNING * INTO v_hold;
  PERFORM assert_books(FOUND, 'I4: hold ' || (a ->> 0) || ' was ended before');
  UPDATE account_parts SET pending = pending - v_hold.amount, posted = posted - (a #>> '{1,amount}')::bigint
    WHERE id = v_hold.account AND part = 0;
  RETURN book_call(a -> 1, a -> 2, v_hold.account, p_at, p_lane);
END $$;

CREATE FUNCTION give_back(p_hold bigint, p_state text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_hold holds;
BEGIN
  UPDATE holds SET state = p_state WHERE id = p_hold AND state = 'pending' RETURNING * INTO v_hold;
  IF NOT FOUND THEN RETURN false; END IF;
  UPDATE account_parts SET pending = pending - v_hold.amount WHERE id = v_hold.account AND part = 0;
  UPDATE key_usage SET spent_today = greatest(0, spent_today - v_hold.amount)
    WHERE key_id = v_hold.key_id AND day = v_hold.day;
  RETURN true;
END $$;

-- Calls of one key for one product in one minute are one row.
CREATE FUNCTION charges_pass(a jsonb, p_at bigint, p_lane bigint) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_key bigint := (a #>> '{0,key,id}')::bigint;
  v_product text := a #>> '{0,product}';
  v_minute bigint := (a #>> '{0,now_ms}')::bigint / 60000;
  v_times bigint := (a ->> 1)::bigint;
  v_call bigint;
BEGIN
  -- Whoever counts for this key waits here, so that its minute has one row.
  PERFORM FROM key_usage WHERE key_id = v_key FOR UPDATE;
  SELECT call_id INTO v_call FROM pass_minutes WHERE key_id = v_key AND product = v_product AND minute = v_minute;
  IF FOUND THEN
    UPDATE calls SET times = times + v_times WHERE id = v_call;
    UPDATE key_usage SET calls = calls + v_times WHERE key_id = v_key;
    RETURN jsonb_build_object('call_id', v_call);
  END IF;
  v_call := record_call(p_at, v_key, v_product, 'pass', 0, NULL, v_times, p_lane);
  INSERT INTO pass_minutes (key_id, product, minute, call_id) VALUES (v_key, v_product, v_minute, v_call)
    ON CONFLICT (key_id, product) DO UPDATE SET minute = excluded.minute, call_id = excluded.call_id;
  RETURN jsonb_build_object('call_id', v_call);
END $$;

CREATE FUNCTION charges_refund(a jsonb, p_at bigint, p_lane bigint) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_debit transfers;
  v_reference text := 'call:' || (a ->> 0);
BEGIN
  SELECT * INTO v_debit FROM transfers WHERE id = (a ->> 0)::bigint AND kind = 'debit';
  IF NOT FOUND THEN RETURN jsonb_build_object('amount', '0'); END IF;
  PERFORM FROM account_parts WHERE id = v_debit.source AND part = 0 FOR UPDATE;
  PERFORM FROM transfers WHERE kind = 'refund' AND reference = v_reference;
  IF FOUND THEN RETURN jsonb_build_object('amount', '0'); END IF;
  UPDATE account_parts SET posted = posted + v_debit.amount WHERE id = v_debit.source AND part = 0;
  INSERT INTO transfers (id, kind, reference, source, target, amount)
    VALUES (p_at, 'refund', v_reference, 'revenue:calls', v_debit.source, v_debit.amount);
  RETURN jsonb_build_object('amount', v_debit.amount::text, 'came_in', -v_debit.amount);
END $$;

CREATE FUNCTION charges_recover(p_owner text) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_hold bigint;
  v_count bigint := 0;
BEGIN
  FOR v_hold IN SELECT id FROM holds WHERE state = 'pending' AND is_left_to(owner, p_owner) ORDER BY account, key_id LOOP
    PERFORM give_back(v_hold, 'expired');
    v_count := v_count + 1;
  END LOOP;
  RETURN to_jsonb(v_count);
END $$;

CREATE FUNCTION charges_prune_answers(a jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_count bigint;
BEGIN
  DELETE FROM call_names WHERE at < (a ->> 0)::bigint * 1000;
  DELETE FROM answers WHERE id < (a ->> 0)::bigint * 1000;
  GET DIAGNOSTICS v_count = ROW_COUNT;
  RETURN to_jsonb(v_count);
END $$;

CREATE FUNCTION coupons_hold(a jsonb, p_at bigint, p_owner text) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_id text := a #>> '{0,id}';
  v_client text := a #>> '{0,client}';
  v_amount bigint := (a #>> '{0,amount}')::bigint;
BEGIN
  IF EXISTS (SELECT FROM coupons WHERE id = v_id) THEN RETURN to_jsonb('used_before'::text); END IF;
  IF EXISTS (SELECT FROM coupons WHERE client = v_client AND at >= (a #>> '{1,client_since_ms}')::bigint * 1000) THEN
    RETURN to_jsonb('client_used_one'::text);
  END IF;
  IF (SELECT coalesce(sum(amount), 0) FROM coupons WHERE at >= (a #>> '{1,budget_since_ms}')::bigint * 1000)
     + v_amount > (a #>> '{1,budget}')::bigint THEN
    RETURN to_jsonb('budget_spent'::text);
  END IF;
  INSERT INTO coupons (id, owner, client, product, amount, state, at)
    VALUES (v_id, p_owner, v_client, a #>> '{0,product}', v_amount, 'held', p_at);
  RETURN to_jsonb('held'::text);
END $$;

CREATE FUNCTION coupons_use(a jsonb, p_at bigint) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_coupon coupons;
BEGIN
  UPDATE coupons SET state = 'used' WHERE id = a ->> 0 AND state = 'held' RETURNING * INTO v_coupon;
  PERFORM assert_books(FOUND, 'I4: coupon ' || (a ->> 0) || ' is not held');
  PERFORM post_transfer(p_at, 'coupon', 'coupon:' || (a ->> 0), 'promotion:welcome', 'revenue:calls',
    v_coupon.amount, 0);
  INSERT INTO calls (id, key_id, previous, product, access, amount)
    VALUES (p_at, NULL, 0, v_coupon.product, 'coupon', v_coupon.amount);
  RETURN to_jsonb(p_at);
END $$;
