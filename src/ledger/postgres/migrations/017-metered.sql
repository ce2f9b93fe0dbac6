-- A charge below what was set aside, or below the step that was signed, as in the SQLite ledger.

ALTER TABLE holds ADD COLUMN charged bigint CHECK (charged > 0 AND charged < amount);
ALTER TABLE channel_steps ADD COLUMN allowed bigint CHECK (allowed > amount);
-- The one that compared `signed`: what was not charged may be given back or withdrawn.
ALTER TABLE channels DROP CONSTRAINT channels_check2;
ALTER TABLE channels ADD CONSTRAINT channels_charged_check CHECK (charged - lost <= deposited - refunded);

CREATE OR REPLACE FUNCTION charges_post(a jsonb, p_at bigint, p_lane bigint) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_hold holds;
  v_amount bigint := (a #>> '{1,amount}')::bigint;
BEGIN
  UPDATE holds SET state = 'posted', charged = CASE WHEN v_amount < amount THEN v_amount END
    WHERE id = (a ->> 0)::bigint AND state = 'pending' RETURNING * INTO v_hold;
  PERFORM assert_books(FOUND, 'I4: hold ' || (a ->> 0) || ' was ended before');
  PERFORM assert_books(v_amount <= v_hold.amount, 'I4: hold ' || (a ->> 0) || ' is charged no more than was held');
  UPDATE account_parts SET pending = pending - v_hold.amount, posted = posted - v_amount
    WHERE id = v_hold.account AND part = 0;
  IF v_amount < v_hold.amount THEN
    UPDATE key_usage SET spent_today = greatest(0, spent_today - (v_hold.amount - v_amount))
      WHERE key_id = v_hold.key_id AND day = v_hold.day;
  END IF;
  RETURN book_call(a -> 1, a -> 2, v_hold.account, p_at, p_lane);
END $$;

-- A voucher's amount is taken once, whatever was charged of it: the same one never buys a second answer.
CREATE OR REPLACE FUNCTION why_not(p_row channels, p_signed bigint, p_amount bigint, p_more bigint) RETURNS text
LANGUAGE sql AS $$
  SELECT CASE WHEN p_row.id IS NULL THEN 'missing' WHEN p_row.lost > 0 THEN 'closed'
              WHEN p_row.open_move IS NOT NULL THEN 'busy' WHEN p_row.charged + p_amount <> p_signed THEN 'moved_on'
              WHEN p_signed > p_row.deposited - p_row.refunded + p_more THEN 'balance'
              WHEN EXISTS (SELECT FROM channel_steps WHERE channel = p_row.id AND signed = p_signed) THEN 'used' END
$$;

CREATE OR REPLACE FUNCTION earn_step(s jsonb, p_channel text, p_answer bigint, p_move bigint, p_at bigint)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_signed bigint := (s ->> 'signed')::bigint;
  v_amount bigint := (s ->> 'amount')::bigint;
  v_charge bigint := coalesce((s ->> 'charge')::bigint, (s ->> 'amount')::bigint);
BEGIN
  PERFORM assert_books(v_charge BETWEEN 1 AND v_amount, 'I12: no more is charged than a voucher allows');
  UPDATE channels SET charged = charged + v_charge, used_at = p_at,
      signature = CASE WHEN v_signed > signed OR signature IS NULL THEN s ->> 'signature' ELSE signature END,
      signed = greatest(signed, v_signed)
    WHERE id = p_channel AND open_move IS NULL AND lost = 0 AND charged + v_amount = v_signed
      AND v_signed <= deposited - refunded;
  PERFORM assert_books(FOUND, 'I12: a voucher of channel ' || p_channel || ' goes on from what was charged');
  PERFORM post_transfer(p_at, 'voucher', s ->> 'product', 'channel:' || p_channel, 'revenue:channels', v_charge, 0);
  INSERT INTO channel_steps (id, channel, signed, amount, allowed, product, fingerprint, voucher_sha256, identifier,
      proof, answer_id, move_id)
    VALUES (p_at, p_channel, v_signed, v_charge, CASE WHEN v_charge < v_amount THEN v_amount END, s ->> 'product',
      s ->> 'fingerprint', s ->> 'voucher_sha256', s ->> 'identifier', s ->> 'proof', p_answer, p_move);
  RETURN p_at;
END $$;

-- A channel that another node opened since it was looked for is busy for who would open it: what the chain said before
-- may be older than what is in it by now, and takes nothing of it away.
CREATE OR REPLACE FUNCTION channels_open(a jsonb, p_at bigint, p_now_ms bigint) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_id text := a #>> '{0,id}';
  v_row channels := find_channel(v_id);
BEGIN
  IF v_row.id IS NOT NULL THEN RETURN to_jsonb(v_id); END IF;
  PERFORM insert_channel(a -> 0, p_at);
  PERFORM bring_up(v_id, a -> 1, p_at, p_now_ms);
  RETURN to_jsonb(v_id);
END $$;

CREATE OR REPLACE FUNCTION channels_begin(a jsonb, p_at bigint, p_owner text, p_now_ms bigint) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  m jsonb := a -> 0;
  v_id text := m ->> 'channel';
  v_before channels := find_channel(v_id);
  v_row channels;
  v_step jsonb := nullif(m -> 'step', 'null'::jsonb);
  v_opening jsonb := nullif(m -> 'opening', 'null'::jsonb);
  v_amount bigint := (m ->> 'amount')::bigint;
  v_why text;
  v_move bigint := p_at + 96;
BEGIN
  IF v_before.open_move IS NOT NULL OR (v_before.id IS NOT NULL AND v_opening IS NOT NULL) THEN
    RETURN deny_step('busy', v_before.id);
  END IF;
  IF v_opening IS NOT NULL THEN
    PERFORM insert_channel(v_opening -> 'channel', p_at);
    PERFORM bring_up(v_id, v_opening -> 'state', p_at, p_now_ms);
  END IF;
  v_row := find_channel(v_id);
  v_why := CASE WHEN v_step IS NULL THEN CASE WHEN v_row.id IS NULL THEN 'missing' WHEN v_row.lost > 0 THEN 'closed' END
                ELSE why_not(v_row, (v_step ->> 'signed')::bigint, (v_step ->> 'amount')::bigint, v_amount) END;
  IF v_why IS NOT NULL THEN
    IF v_before.id IS NULL THEN PERFORM drop_unused(v_id); END IF;
    RETURN deny_step(v_why, v_before.id);
  END IF;
  INSERT INTO channel_moves (id, owner, kind, state, network, channel, amount, balance_before, nonce, valid_until,
      facilitator, step, answer_id, created_at, updated_at)
    VALUES (v_move, p_owner, m ->> 'kind', 'sending', v_row.network, v_id, v_amount, v_row.deposited - v_row.refunded,
      v_row.refund_nonce, (m ->> 'valid_until_ms')::bigint, m ->> 'facilitator', m ->> 'step_text',
      CASE WHEN v_step IS NOT NULL THEN keep_answer_bytes(v_step, p_at + 80) END, v_move, v_move);
  UPDATE channels SET open_move = v_move WHERE id = v_id;
  RETURN jsonb_build_object('ok', true, 'id', v_move);
END $$;
