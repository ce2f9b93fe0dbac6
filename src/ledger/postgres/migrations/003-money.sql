-- What moves money. Every function here runs inside the transaction of the batch it belongs to. A broken invariant is
-- raised as LB001 and stops the node that met it; an answer to the caller as LB002, its code in the detail.

CREATE FUNCTION assert_books(p_holds boolean, p_message text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF p_holds IS NOT TRUE THEN RAISE EXCEPTION USING ERRCODE = 'LB001', MESSAGE = p_message; END IF;
END $$;

CREATE FUNCTION refuse(p_code text, p_message text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION USING ERRCODE = 'LB002', MESSAGE = p_message, DETAIL = p_code;
END $$;

CREATE FUNCTION open_account(p_account text, p_lane bigint, p_at bigint) RETURNS void LANGUAGE sql AS $$
  INSERT INTO account_parts (id, part, kind, created_at)
  SELECT p_account, CASE WHEN kind = 'credit' THEN 0 ELSE p_lane END, kind, p_at
  FROM split_part(p_account, ':', 1) AS kind
  ON CONFLICT (id, part) DO NOTHING
$$;

-- Nearly every move finds its account there: it is opened only when the balance does not follow.
CREATE FUNCTION move_balance(p_account text, p_amount bigint, p_lane bigint, p_at bigint)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_part smallint := CASE WHEN starts_with(p_account, 'credit:') THEN 0 ELSE p_lane END;
BEGIN
  UPDATE account_parts SET posted = posted + p_amount WHERE id = p_account AND part = v_part;
  IF FOUND THEN RETURN; END IF;
  PERFORM open_account(p_account, p_lane, p_at);
  UPDATE account_parts SET posted = posted + p_amount WHERE id = p_account AND part = v_part;
  PERFORM assert_books(FOUND, 'I2: there is no account ' || p_account);
END $$;

CREATE FUNCTION post_transfer(p_at bigint, p_kind text, p_reference text, p_source text, p_target text,
  p_amount bigint, p_lane bigint) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
  PERFORM assert_books(p_amount > 0, 'I1: a transfer moves a positive amount');
  PERFORM move_balance(p_source, -p_amount, p_lane, p_at);
  PERFORM move_balance(p_target, p_amount, p_lane, p_at);
  INSERT INTO transfers (id, kind, reference, source, target, amount)
    VALUES (p_at, p_kind, p_reference, p_source, p_target, p_amount);
  RETURN p_at;
END $$;

-- Whether what a node left in flight is to be ended by the caller: what is its own, and everybody's while it alone has
-- the books.
CREATE FUNCTION is_left_to(p_owner text, p_caller text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT p_owner = p_caller OR EXISTS (SELECT FROM lease WHERE owner = p_caller)
$$;

-- What a plan, or the operator, gives a key. Returns the transfer that carries what was paid, or 0.
CREATE FUNCTION give(p_key keys, p_grant jsonb, p_funding jsonb, p_at bigint, p_now_ms bigint)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_from_ms bigint := coalesce((p_grant ->> 'from_ms')::bigint, 0);
  -- Not the ledger's time: that never goes back, so a clock that was wrong for a moment would stretch every pass.
  v_now bigint := CASE WHEN p_now_ms >= v_from_ms AND p_now_ms - v_from_ms < 60000 THEN v_from_ms ELSE p_now_ms END;
  v_credit bigint := (p_grant ->> 'credit')::bigint;
  v_duration bigint := (p_grant ->> 'duration_ms')::bigint;
  v_pass boolean := (p_grant ->> 'pass')::boolean;
  v_priority bigint := (p_grant ->> 'priority')::bigint;
  v_is_paid boolean := p_funding ->> 'by' = 'payment';
  v_paid bigint := CASE WHEN v_is_paid THEN (p_funding ->> 'paid')::bigint ELSE 0 END;
  v_payment text := CASE WHEN v_is_paid THEN p_funding ->> 'payment_id' END;
  v_reference text := coalesce(v_payment, 'grant:' || p_at);
  v_account text := coalesce(p_key.account, CASE WHEN v_credit > 0 THEN 'credit:' || p_key.public_id END);
  v_t bigint := p_at;
  v_carried bigint := 0;
  v_running bigint;
  v_end bigint;
  v_has_time boolean;
BEGIN
  IF v_account IS NOT NULL THEN PERFORM open_account(v_account, 0, p_at); END IF;
  IF v_is_paid THEN
    v_t := v_t + 16;
    v_carried := post_transfer(v_t, 'plan', v_reference, 'chain:' || (p_funding ->> 'network'),
      CASE WHEN v_account IS NOT NULL AND v_credit > 0 THEN v_account ELSE 'revenue:plans' END, v_paid, 0);
  END IF;
  -- What was paid goes to the balance; what the plan gives on top is the node's own expense.
  IF v_account IS NOT NULL AND v_credit > v_paid THEN
    v_t := v_t + 16;
    PERFORM post_transfer(v_t, 'bonus', v_reference,
      CASE WHEN v_is_paid THEN 'promotion:bonus' ELSE 'promotion:goodwill' END, v_account, v_credit - v_paid, 0);
  ELSIF v_account IS NOT NULL AND v_credit > 0 AND v_credit < v_paid THEN
    v_t := v_t + 16;
    PERFORM post_transfer(v_t, 'plan', v_reference, v_account, 'revenue:plans', v_paid - v_credit, 0);
  END IF;

  -- The operator gives a balance more time, and no credit.
  v_has_time := v_credit > 0 OR (v_credit = 0 AND NOT v_pass AND v_duration IS NOT NULL AND p_key.account IS NOT NULL);
  -- The higher priority while it lasts; of equal ones the one that lasts longer.
  v_running := CASE WHEN p_key.priority_until IS NULL OR p_key.priority_until > v_now THEN p_key.priority ELSE 1 END;
  v_end := greatest(v_now, CASE WHEN v_pass THEN coalesce(p_key.pass_until, 0) ELSE 0 END) + v_duration;
  UPDATE keys SET
    plan = p_grant ->> 'plan',
    account = v_account,
    -- A pass is paid for by its length: a second one begins where the first ends.
    pass_until = CASE WHEN v_pass THEN greatest(v_now, coalesce(p_key.pass_until, 0)) + v_duration
                      ELSE p_key.pass_until END,
    balance_until = CASE
      WHEN NOT v_has_time THEN p_key.balance_until
      WHEN p_key.account IS NULL THEN v_now + v_duration
      WHEN v_duration IS NULL OR p_key.balance_until IS NULL THEN NULL
      ELSE greatest(v_now + v_duration, p_key.balance_until) END,
    priority = greatest(v_running, v_priority),
    priority_until = CASE
      WHEN v_running > v_priority THEN p_key.priority_until
      WHEN v_running < v_priority THEN v_end
      WHEN v_end IS NULL OR p_key.priority_until IS NULL THEN NULL
      ELSE greatest(v_end, p_key.priority_until) END,
    badge = coalesce(badge, p_grant ->> 'badge')
  WHERE id = p_key.id;
  INSERT INTO grants (key_id, plan, payment_id, paid, credit, duration_ms, at)
    VALUES (p_key.id, p_grant ->> 'plan', v_payment, v_paid, v_credit, v_duration, p_at);
  RETURN v_carried;
END $$;

-- The key, held until the end of the transaction: what is decided on is not to change meanwhile.
CREATE FUNCTION need_key(p_public_id text) RETURNS keys LANGUAGE plpgsql AS $$
DECLARE
  v_key keys;
BEGIN
  SELECT * INTO v_key FROM keys WHERE public_id = p_public_id FOR UPDATE;
  IF NOT FOUND THEN PERFORM refuse('not_found', 'No such key.'); END IF;
  RETURN v_key;
END $$;

CREATE FUNCTION insert_key(p_key jsonb, p_plan text, p_parent keys, p_at bigint) RETURNS keys LANGUAGE plpgsql AS $$
DECLARE
  v_key keys;
BEGIN
  INSERT INTO keys (public_id, hash, salt, plan, parent, label, purchaser, expires_at, daily_cap, call_cap, products,
    created_at)
  VALUES (p_key ->> 'public_id', decode(p_key ->> 'hash', 'hex'), decode(nullif(p_key ->> 'salt', ''), 'hex'), p_plan,
    p_parent.id, p_key ->> 'label', coalesce(p_key ->> 'purchaser', p_parent.purchaser),
    (p_key ->> 'expires_at_ms')::bigint, (p_key ->> 'daily_cap')::bigint, (p_key ->> 'call_cap')::bigint,
    CASE WHEN jsonb_typeof(p_key -> 'products') = 'array' THEN p_key ->> 'products' END, p_at)
  RETURNING * INTO v_key;
  INSERT INTO key_usage (key_id) VALUES (v_key.id);
  RETURN v_key;
END $$;

CREATE FUNCTION keys_issue(a jsonb, p_at bigint, p_now_ms bigint) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_key keys := insert_key(a -> 0, a #>> '{1,plan}', NULL, p_at);
BEGIN
  PERFORM give(v_key, a -> 1, a -> 2, p_at, p_now_ms);
  RETURN to_jsonb(v_key.public_id);
END $$;

CREATE FUNCTION keys_grant(a jsonb, p_at bigint, p_now_ms bigint) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_key keys := need_key(a ->> 0);
BEGIN
  IF v_key.parent IS NOT NULL THEN
    PERFORM refuse('invalid_parameter', 'A child key has no balance of its own.');
  ELSIF v_key.revoked_at IS NOT NULL THEN
    PERFORM refuse('api_key_revoked', 'This key was revoked.');
  END IF;
  PERFORM give(v_key, a -> 1, a -> 2, p_at, p_now_ms);
  RETURN to_jsonb(v_key.public_id);
END $$;

CREATE FUNCTION keys_mint(a jsonb, p_at bigint) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_parent keys := need_key(a #>> '{0,public_id}');
  v_key keys;
BEGIN
  IF (SELECT count(*) FROM keys WHERE parent = v_parent.id) >= 1000 THEN
    PERFORM refuse('invalid_parameter', 'A key has at most 1000 child keys.');
  END IF;
  v_key := insert_key(a -> 1, v_parent.plan, v_parent, p_at);
  RETURN to_jsonb(v_key.public_id);
END $$;

CREATE FUNCTION keys_amend(a jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_key keys := need_key(a ->> 0);
  v_change jsonb := a -> 1;
BEGIN
  UPDATE keys SET
    label = CASE WHEN jsonb_exists(v_change, 'label') THEN v_change ->> 'label' ELSE label END,
    daily_cap = CASE WHEN jsonb_exists(v_change, 'daily_cap') THEN (v_change ->> 'daily_cap')::bigint ELSE daily_cap END,
    call_cap = CASE WHEN jsonb_exists(v_change, 'call_cap') THEN (v_change ->> 'call_cap')::bigint ELSE call_cap END
  WHERE id = v_key.id;
  RETURN to_jsonb(v_key.public_id);
END $$;

CREATE FUNCTION keys_revoke(a jsonb, p_now_ms bigint) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_key keys := need_key(a ->> 0);
BEGIN
  UPDATE keys SET revoked_at = p_now_ms WHERE (id = v_key.id OR parent = v_key.id) AND revoked_at IS NULL;
  RETURN to_jsonb(v_key.public_id);
END $$;

CREATE FUNCTION keys_expire(a jsonb, p_at bigint, p_now_ms bigint) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_key keys := need_key(a ->> 0);
  v_left bigint;
BEGIN
  IF v_key.parent IS NOT NULL OR v_key.account IS NULL
     OR NOT (coalesce(v_key.balance_until <= p_now_ms, false) OR v_key.revoked_at IS NOT NULL) THEN
    PERFORM refuse('invalid_parameter', 'Only a balance that has ended or whose key was revoked expires.');
  END IF;
  SELECT posted - pending INTO v_left FROM account_parts WHERE id = v_key.account AND part = 0 FOR UPDATE;
  IF coalesce(v_left, 0) <= 0 THEN RETURN to_jsonb('0'::text); END IF;
  PERFORM post_transfer(p_at, 'expiry', v_key.public_id, v_key.account, 'revenue:expired', v_left, 0);
  RETURN to_jsonb(v_left::text);
END $$;

CREATE FUNCTION keys_drop_salts(a jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_count bigint;
BEGIN
  UPDATE keys SET salt = NULL WHERE salt IS NOT NULL AND created_at < (a ->> 0)::bigint * 1000;
  GET DIAGNOSTICS v_count = ROW_COUNT;
  RETURN to_jsonb(v_count);
END $$;
