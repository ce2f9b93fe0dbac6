-- Debits of one batch together. One by one each takes some eight statements, and every statement that writes a table
-- reads the table's checks anew; together they are three, however many debits there are.

-- A batch that does something else, too, locks all its balances here first: in one order, as all batches do.
CREATE FUNCTION lock_balances(a jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM account_parts WHERE id = ANY (ARRAY(SELECT jsonb_array_elements_text(a))) AND part = 0
    ORDER BY id FOR UPDATE;
  RETURN 'null'::jsonb;
END $$;

-- Debits of one day, in the order of their balances and of their coming. None has a name, and nothing else of the batch
-- touches their balances. Those of a balance that has enough for all of them, and whose keys may spend that much
-- today, are booked together: then none can be refused, whichever comes first. Those of the others one by one.
CREATE FUNCTION charges_debits(a jsonb, p_at bigint, p_lane bigint) RETURNS jsonb LANGUAGE plpgsql
-- The plan for unknown values is the right one for any, and planning anew takes longer than running. Whatever was not
-- counted yet, an index leads to every row, and rows are locked in the order they are named in.
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_mergejoin = off
SET join_collapse_limit = 1 AS $$
DECLARE
  v_day bigint := (a ->> 'day')::bigint;
  v_accounts text[] := (a ->> 'accounts')::text[];
  v_keys bigint[] := (a ->> 'keys')::bigint[];
  v_caps bigint[] := (a ->> 'caps')::bigint[];
  v_amounts bigint[] := (a ->> 'amounts')::bigint[];
  v_products text[] := (a ->> 'products')::text[];
  v_answers bigint[] := (a ->> 'answers')::bigint[];
  v_count bigint := cardinality(v_keys);
  v_body jsonb;
  v_first bigint;
  v_locked bigint;
  -- Balances that do not have enough for all.
  v_single text[];
  -- What each leaves of its balance; the call of its key before it: one of these, or the last one of another batch.
  v_available bigint[];
  v_before bigint[];
  v_last bigint[];
  v_came_in bigint;
  v_at bigint;
  v_n bigint;
  v_charge jsonb;
  v_result jsonb;
  v_others jsonb := '{}';
BEGIN
  FOR v_body IN SELECT value FROM jsonb_array_elements(a -> 'bodies') LOOP
    v_n := (v_body ->> 'n')::bigint;
    v_answers[v_n] := keep_answer_bytes(v_body, p_at + 16 * (v_n - 1));
  END LOOP;
  IF EXISTS (SELECT FROM unnest(v_answers) AS named (id) WHERE NOT EXISTS (SELECT FROM answers s WHERE s.id = named.id))
  THEN
    RAISE EXCEPTION USING ERRCODE = 'LB003', MESSAGE = 'an answer is not kept any more';
  END IF;

  -- Locked as one by one: a balance, then the usage of its key.
  WITH locked AS MATERIALIZED (
    SELECT n, account, key_id, cap, amount, p.available, u.last_call, u.spent
    FROM unnest(v_accounts, v_keys, v_caps, v_amounts) WITH ORDINALITY AS asked (account, key_id, cap, amount, n)
    JOIN LATERAL (SELECT b.posted - b.pending AS available FROM account_parts b
      WHERE b.id = asked.account AND b.part = 0 FOR UPDATE) AS p ON true
    JOIN LATERAL (SELECT k.last_call, CASE WHEN k.day = v_day THEN k.spent_today ELSE 0 END AS spent FROM key_usage k
      WHERE k.key_id = asked.key_id FOR UPDATE) AS u ON true
  ), judged AS (
    SELECT n, account, last_call, lag(n) OVER of_key AS before, available - sum(amount) OVER of_account AS available,
      sum(amount) OVER (PARTITION BY account) > available
        OR sum(amount) OVER (PARTITION BY key_id) + spent > cap AS is_short
    FROM locked
    WINDOW of_account AS (PARTITION BY account ORDER BY n), of_key AS (PARTITION BY key_id ORDER BY n)
  )
  SELECT count(*), greatest(p_at, (max(last_call) / 16 + 1) * 16 + p_lane), array_agg(account) FILTER (WHERE is_short),
      array_agg(CAST(available AS bigint) ORDER BY n), array_agg(before ORDER BY n), array_agg(last_call ORDER BY n)
    INTO v_locked, v_first, v_single, v_available, v_before, v_last FROM judged;
  IF v_locked < v_count THEN v_single := v_accounts; END IF;
  v_at := v_first;

  IF v_single IS NULL OR NOT v_accounts <@ v_single THEN
    WITH asked AS MATERIALIZED (
      SELECT n, v_at + 16 * (n - 1) AS id, account, key_id, amount, product, answer, before, last_call
      FROM unnest(v_accounts, v_keys, v_amounts, v_products, v_answers, v_before, v_last) WITH ORDINALITY
        AS asked (account, key_id, amount, product, answer, before, last_call, n)
      WHERE v_single IS NULL OR account <> ALL (v_single)
    ), taken AS (
      UPDATE account_parts p SET posted = p.posted - own.amount
      FROM (SELECT account, CAST(0 AS smallint) AS part, CAST(sum(amount) AS bigint) AS amount
            FROM asked GROUP BY account) AS own
      WHERE p.id = own.account AND p.part = own.part
    ), used AS (
      UPDATE key_usage u SET calls = u.calls + own.calls, spent = u.spent + own.amount, day = v_day,
        spent_today = CASE WHEN u.day = v_day THEN u.spent_today ELSE 0 END + own.amount, last_call = own.last_call
      FROM (SELECT key_id, count(*) AS calls, CAST(sum(amount) AS bigint) AS amount, max(id) AS last_call
            FROM asked GROUP BY key_id) AS own
      WHERE u.key_id = own.key_id
    ), called AS (
      INSERT INTO calls (id, key_id, previous, product, access, amount, answer_id)
      SELECT id, key_id, coalesce(v_at + 16 * (before - 1), last_call), product, 'debit', amount, answer FROM asked
    ), moved AS (
      INSERT INTO transfers (id, kind, reference, source, target, amount)
      SELECT id, 'debit', product, account, 'revenue:calls', amount FROM asked
    )
    SELECT CAST(sum(amount) AS bigint) INTO v_came_in FROM asked;
  END IF;

  IF v_single IS NOT NULL THEN
    v_at := v_at + 16 * v_count;
    FOR v_n IN SELECT n FROM unnest(v_accounts) WITH ORDINALITY AS asked (account, n)
               WHERE account = ANY (v_single) ORDER BY n LOOP
      v_charge := jsonb_build_object('key', jsonb_build_object('id', v_keys[v_n], 'daily_cap', v_caps[v_n]),
        'root', jsonb_build_object('account', v_accounts[v_n]), 'product', v_products[v_n], 'amount', v_amounts[v_n],
        'now_ms', v_day * 86400000);
      v_result := take_price(v_charge, NULL, false);
      IF v_result IS NULL THEN
        v_result := book_call(v_charge, jsonb_build_object('id', v_answers[v_n]), v_accounts[v_n], v_at, p_lane);
        v_came_in := coalesce(v_came_in, 0) + v_amounts[v_n];
        v_at := (v_result ->> 'call_id')::bigint / 16 * 16 + p_lane + 16;
      END IF;
      v_others := v_others || jsonb_build_object(v_n::text, v_result);
    END LOOP;
  ELSE
    v_at := v_at + 16 * (v_count - 1);
  END IF;
  RETURN jsonb_build_object('came_in', coalesce(v_came_in, 0), 'call_id', v_at, 'first', v_first,
    'available', v_available::text, 'answers', v_answers::text, 'others', v_others);
END $$;

-- As before, with the two above.
CREATE OR REPLACE FUNCTION run_command(p_name text, a jsonb, p_at bigint, p_lane bigint, p_owner text, p_now_ms bigint)
RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
  RETURN CASE p_name
    WHEN 'charges.debits' THEN charges_debits(a, p_at, p_lane)
    WHEN 'balances.lock' THEN lock_balances(a)
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
    WHEN 'payments.wake' THEN payments_wake(a, p_owner, p_now_ms)
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
    WHEN 'seats.keep' THEN keep_seat(p_owner, (a ->> 0)::double precision)
    WHEN 'budgets.spend' THEN budgets_spend(a)
    WHEN 'budgets.prune' THEN budgets_prune(p_now_ms)
  END;
END $$;
