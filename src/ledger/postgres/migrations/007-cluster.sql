-- Several nodes that sell at once on one ledger, or one that keeps all others out.

-- A node that is there, until when unless it says so again. Once others have ended a seat, no batch of its node is run
-- any more: whatever a node does that was paused, or cut off, comes too late, and changes nothing.
CREATE TABLE seats (
  owner text PRIMARY KEY,
  -- What receipts call it.
  name text COLLATE "C" NOT NULL,
  -- Keeps every other node out.
  alone boolean NOT NULL,
  -- What it sells and who it is: nodes behind one address have to agree on it.
  facts text NOT NULL DEFAULT '{}',
  until timestamptz NOT NULL,
  ended boolean NOT NULL DEFAULT false
);
INSERT INTO seats (owner, name, alone, until) SELECT owner, owner, true, until FROM lease;
DROP FUNCTION take_lease(text, double precision);
DROP TABLE lease;

-- The node that runs what is to run once for all of them. It leads as long as its seat is not ended: who takes its place
-- ends its seat first.
CREATE TABLE leader (
  id smallint PRIMARY KEY CHECK (id = 1),
  owner text,
  term bigint NOT NULL
);

-- What all nodes together may spend of something that costs money elsewhere. The period is part of the name.
CREATE TABLE budgets (
  name text COLLATE "C" PRIMARY KEY,
  spent double precision NOT NULL DEFAULT 0,
  until_ms bigint NOT NULL
);

CREATE INDEX coupons_held ON coupons (owner) WHERE state = 'held';

-- Which node of several sold it; null when there was one.
ALTER TABLE receipts ADD COLUMN node text COLLATE "C";
CREATE FUNCTION receipts_name_node() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.node := (SELECT s.name FROM payments p JOIN seats s ON s.owner = p.owner
               WHERE p.id = NEW.payment_id AND NOT s.alone);
  RETURN NEW;
END $$;
CREATE TRIGGER receipts_name_node BEFORE INSERT ON receipts FOR EACH ROW WHEN (NEW.node IS NULL)
  EXECUTE FUNCTION receipts_name_node();

-- Returns null when the caller has a seat from now on for so many seconds; otherwise who is in its way.
CREATE FUNCTION take_seat(p_owner text, p_name text, p_alone boolean, p_seconds double precision)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_other text;
BEGIN
  -- One at a time.
  INSERT INTO leader (id, owner, term) VALUES (1, NULL, 0) ON CONFLICT (id) DO NOTHING;
  PERFORM FROM leader WHERE id = 1 FOR UPDATE;
  SELECT owner INTO v_other FROM seats
    WHERE owner <> p_owner AND NOT ended AND until > clock_timestamp() AND (alone OR p_alone OR name = p_name)
    ORDER BY alone DESC, until DESC LIMIT 1;
  IF FOUND THEN RETURN v_other; END IF;
  UPDATE seats SET ended = true WHERE owner <> p_owner AND NOT ended AND until <= clock_timestamp();
  INSERT INTO seats (owner, name, alone, until)
    VALUES (p_owner, p_name, p_alone, clock_timestamp() + make_interval(secs => p_seconds))
    ON CONFLICT (owner) DO UPDATE SET name = excluded.name, alone = excluded.alone, until = excluded.until,
      facts = excluded.facts, ended = false;
  RETURN NULL;
END $$;

-- Says that the caller is there, ends the seats of those that were silent for too long, and gives the lead to the
-- caller when nobody has it. Says whether somebody left anything in flight.
CREATE FUNCTION keep_seat(p_owner text, p_seconds double precision) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_leader text;
  v_term bigint;
BEGIN
  UPDATE seats SET until = clock_timestamp() + make_interval(secs => p_seconds) WHERE owner = p_owner AND NOT ended;
  UPDATE seats SET ended = true WHERE owner <> p_owner AND NOT ended AND until <= clock_timestamp();
  UPDATE leader SET owner = p_owner, term = term + 1
    WHERE id = 1 AND NOT EXISTS (SELECT 1 FROM seats s WHERE s.owner = leader.owner AND NOT s.ended);
  SELECT owner, term INTO v_leader, v_term FROM leader WHERE id = 1;
  RETURN jsonb_build_object('leads', v_leader = p_owner, 'term', v_term, 'left',
    EXISTS (SELECT 1 FROM payments WHERE state IN ('received', 'verified', 'producing', 'settling')
              AND owner <> p_owner AND is_left_to(owner, p_owner))
    OR EXISTS (SELECT 1 FROM holds WHERE state = 'pending' AND owner <> p_owner AND is_left_to(owner, p_owner))
    OR EXISTS (SELECT 1 FROM coupons WHERE state = 'held' AND owner <> p_owner AND is_left_to(owner, p_owner)));
END $$;

CREATE FUNCTION has_seat(p_owner text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT 1 FROM seats WHERE owner = p_owner AND NOT ended)
$$;

-- Whether what a node left in flight is to be ended by the caller: what is its own, and what is of nodes that are gone.
CREATE OR REPLACE FUNCTION is_left_to(p_owner text, p_caller text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT p_owner = p_caller OR (has_seat(p_caller) AND NOT has_seat(p_owner))
$$;

-- Takes every amount, or none. Returns what is spent of each, and the first that does not suffice. What is given back
-- has a negative amount, and no limit.
CREATE FUNCTION budgets_spend(a jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_part jsonb;
  v_spent double precision;
  v_all jsonb := '[]';
  v_over text;
BEGIN
  FOR v_part IN SELECT value FROM jsonb_array_elements(a -> 0) ORDER BY value ->> 'name' LOOP
    INSERT INTO budgets (name, until_ms) VALUES (v_part ->> 'name', (v_part ->> 'until_ms')::bigint)
      ON CONFLICT (name) DO NOTHING;
    SELECT spent INTO v_spent FROM budgets WHERE name = v_part ->> 'name' FOR UPDATE;
    v_all := v_all || jsonb_build_object('name', v_part ->> 'name', 'spent', v_spent);
    IF v_over IS NULL AND v_spent + (v_part ->> 'amount')::double precision > (v_part ->> 'limit')::double precision THEN
      v_over := v_part ->> 'name';
    END IF;
  END LOOP;
  IF v_over IS NULL THEN
    FOR v_part IN SELECT value FROM jsonb_array_elements(a -> 0) LOOP
      UPDATE budgets SET spent = greatest(0, spent + (v_part ->> 'amount')::double precision)
        WHERE name = v_part ->> 'name';
    END LOOP;
  END IF;
  RETURN jsonb_build_object('over', v_over, 'spent', v_all);
END $$;

CREATE FUNCTION budgets_prune(p_now_ms bigint) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM budgets WHERE until_ms < p_now_ms;
  RETURN 'null'::jsonb;
END $$;

-- As before, and who else works on a payment of this payer for this request. Batches of this lane are run one after the
-- other for all nodes, so of two payments exactly one sees the other.
CREATE OR REPLACE FUNCTION payments_begin(a jsonb, p_owner text, p_now_ms bigint) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  p jsonb := a -> 0;
  v_at bigint := p_now_ms * 1000;
  v_id text;
  v_older jsonb;
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
  IF v_id IS NULL THEN
    RETURN jsonb_build_object('started', false, 'id', (SELECT id FROM payments WHERE replay_key = p ->> 'replay_key'));
  END IF;
  SELECT jsonb_agg(id) INTO v_older FROM payments
    WHERE payer = p ->> 'payer' AND fingerprint = p ->> 'fingerprint' AND id <> v_id AND owner <> p_owner
      AND state IN ('received', 'verified', 'producing', 'settling');
  RETURN jsonb_build_object('started', true, 'id', v_id, 'older', coalesce(v_older, '[]'::jsonb));
END $$;

-- A row in flight that nothing works on; one that another node works on is left alone. Before 'settling' nothing was
-- charged; from then on the chain has the word.
DROP FUNCTION payments_wake(jsonb, bigint);
CREATE FUNCTION payments_wake(a jsonb, p_owner text, p_now_ms bigint) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_payment payments;
BEGIN
  SELECT * INTO v_payment FROM payments WHERE id = a ->> 0 FOR UPDATE;
  IF NOT FOUND THEN RETURN to_jsonb(false); END IF;
  IF v_payment.owner <> p_owner AND has_seat(v_payment.owner) THEN RETURN to_jsonb(true); END IF;
  IF v_payment.state = 'settling' THEN
    PERFORM move_payment(v_payment.id, '{settling}', 'unknown', p_now_ms, 'left in settling', NULL, NULL);
  ELSIF v_payment.state IN ('received', 'verified', 'producing') THEN
    PERFORM move_payment(v_payment.id, '{received,verified,producing}', 'abandoned', p_now_ms,
      'left in ' || v_payment.state, NULL, NULL);
  END IF;
  RETURN to_jsonb(true);
END $$;

CREATE OR REPLACE FUNCTION run_command(p_name text, a jsonb, p_at bigint, p_lane bigint, p_owner text, p_now_ms bigint)
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

-- As before, but for the seat: a node whose seat others ended is told so, and one without a seat (a command of the
-- operator) is refused while a node is there.
CREATE OR REPLACE FUNCTION run_commands(p_session text, p_batch bigint, p_lane bigint, p_now_ms bigint, p_commands text)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_owner text;
  v_ended boolean;
  v_others text;
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
  SELECT greatest(p_now_ms * 1000 / 16 * 16 + p_lane, last_us + 16) INTO v_at FROM lanes WHERE lane = p_lane FOR UPDATE;
  -- Held until the commit: nobody ends the seat while a batch is under way.
  SELECT ended INTO v_ended FROM seats WHERE owner = v_owner FOR SHARE;
  IF coalesce(v_ended, true) THEN
    SELECT string_agg(name, ', ' ORDER BY name) INTO v_others FROM seats WHERE NOT ended AND owner <> v_owner;
    IF v_ended OR v_others IS NOT NULL THEN
      RAISE EXCEPTION USING ERRCODE = 'LB005',
        MESSAGE = 'this node was silent for too long: the ledger is left to ' || coalesce(v_others, 'others');
    END IF;
  END IF;
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
