-- Payment channels, as in the SQLite ledger. Commands of a channel are booked in lane 0, one after the other.

ALTER TABLE account_parts DROP CONSTRAINT account_parts_kind_check;
ALTER TABLE account_parts ADD CONSTRAINT account_parts_kind_check
  CHECK (kind IN ('chain', 'revenue', 'credit', 'promotion', 'channel', 'escrow', 'claimed', 'wallet'));
ALTER TABLE account_parts ADD CONSTRAINT account_parts_channel_check
  CHECK (kind <> 'channel' OR (part = 0 AND posted - pending >= 0));
ALTER TABLE transfers DROP CONSTRAINT transfers_kind_check;
ALTER TABLE transfers ADD CONSTRAINT transfers_kind_check
  CHECK (kind IN ('sale', 'plan', 'bonus', 'debit', 'coupon', 'refund', 'expiry', 'correction', 'deposit', 'voucher',
                  'claim', 'sweep', 'return', 'loss', 'foreign_claim'));

CREATE TABLE channels (
  id text COLLATE "C" PRIMARY KEY,
  network text COLLATE "C" NOT NULL,
  token text NOT NULL,
  payer text NOT NULL,
  receiver text NOT NULL,
  config text NOT NULL,
  label text NOT NULL CHECK (label IN ('organic', 'operator-test')),
  deposited bigint NOT NULL DEFAULT 0,
  refunded bigint NOT NULL DEFAULT 0,
  base bigint NOT NULL DEFAULT 0,
  charged bigint NOT NULL DEFAULT 0,
  signed bigint NOT NULL DEFAULT 0,
  signature text,
  claimed bigint NOT NULL DEFAULT 0,
  lost bigint NOT NULL DEFAULT 0,
  withdraw_at bigint NOT NULL DEFAULT 0,
  refund_nonce bigint NOT NULL DEFAULT 0,
  open_move bigint,
  created_at bigint NOT NULL,
  used_at bigint NOT NULL,
  synced_at bigint NOT NULL,
  CHECK (base >= 0 AND lost >= 0 AND refunded >= 0 AND base <= claimed),
  CHECK (claimed <= charged - lost AND charged <= signed),
  CHECK (signed - lost <= deposited - refunded),
  CHECK (signature IS NOT NULL OR signed = base)
);
CREATE INDEX channels_unclaimed ON channels (used_at) WHERE charged - lost > claimed;
CREATE INDEX channels_withdrawing ON channels (withdraw_at) WHERE withdraw_at > 0;
CREATE INDEX channels_by_use ON channels (used_at);

CREATE TABLE channel_steps (
  id bigint PRIMARY KEY,
  channel text COLLATE "C" NOT NULL,
  signed bigint NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  product text COLLATE "C" NOT NULL,
  fingerprint text NOT NULL,
  voucher_sha256 text NOT NULL,
  identifier text,
  proof text,
  answer_id bigint NOT NULL,
  move_id bigint,
  UNIQUE (channel, signed)
);

CREATE TABLE channel_moves (
  id bigint PRIMARY KEY,
  owner text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('deposit', 'refund', 'claim', 'sweep')),
  state text NOT NULL CHECK (state IN ('sending', 'unknown', 'done', 'failed')),
  network text COLLATE "C" NOT NULL,
  channel text COLLATE "C",
  amount bigint NOT NULL CHECK (amount >= 0),
  balance_before bigint NOT NULL DEFAULT 0,
  nonce bigint NOT NULL DEFAULT 0,
  valid_until bigint NOT NULL DEFAULT 0,
  facilitator text,
  chain_transaction text,
  reason text,
  step text,
  answer_id bigint,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL
);
CREATE INDEX channel_moves_open ON channel_moves (created_at) WHERE state IN ('sending', 'unknown');

CREATE FUNCTION channels_grow() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.id <> OLD.id OR NEW.config <> OLD.config OR NEW.deposited < OLD.deposited OR NEW.refunded < OLD.refunded
     OR NEW.charged < OLD.charged OR NEW.signed < OLD.signed OR NEW.claimed < OLD.claimed OR NEW.lost < OLD.lost THEN
    RAISE EXCEPTION 'a channel only grows';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER channels_only_grow BEFORE UPDATE ON channels FOR EACH ROW EXECUTE FUNCTION channels_grow();
CREATE FUNCTION steps_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'steps are final';
END $$;
CREATE TRIGGER channel_steps_are_final BEFORE UPDATE OR DELETE ON channel_steps
  FOR EACH ROW EXECUTE FUNCTION steps_stay();

-- The account of a channel is whole, as that of a key is: in part 0. All that books it is in lane 0, so it is there.

CREATE FUNCTION find_channel(p_id text) RETURNS channels LANGUAGE plpgsql AS $$
DECLARE
  v_row channels;
BEGIN
  SELECT * INTO v_row FROM channels WHERE id = p_id FOR UPDATE;
  RETURN v_row;
END $$;

-- Why a voucher cannot be accepted now; null when it can.
CREATE FUNCTION why_not(p_row channels, p_signed bigint, p_amount bigint, p_more bigint) RETURNS text LANGUAGE sql AS $$
  SELECT CASE WHEN p_row.id IS NULL THEN 'missing' WHEN p_row.lost > 0 THEN 'closed'
              WHEN p_row.open_move IS NOT NULL THEN 'busy' WHEN p_row.charged + p_amount <> p_signed THEN 'moved_on'
              WHEN p_signed > p_row.deposited - p_row.refunded + p_more THEN 'balance' END
$$;

CREATE FUNCTION deny_step(p_why text, p_id text) RETURNS jsonb LANGUAGE sql AS $$
  SELECT jsonb_build_object('ok', false, 'why', p_why, 'channel', p_id)
$$;

CREATE FUNCTION insert_channel(c jsonb, p_at bigint) RETURNS void LANGUAGE sql AS $$
  INSERT INTO channels (id, network, token, payer, receiver, config, label, created_at, used_at, synced_at)
    VALUES (c ->> 'id', c ->> 'network', c ->> 'token', c ->> 'payer', c ->> 'receiver', c ->> 'config', c ->> 'label',
      p_at, p_at, 0)
$$;

-- The voucher is earned. Returns the step's number.
CREATE FUNCTION earn_step(s jsonb, p_channel text, p_answer bigint, p_move bigint, p_at bigint) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  v_signed bigint := (s ->> 'signed')::bigint;
  v_amount bigint := (s ->> 'amount')::bigint;
BEGIN
  UPDATE channels SET charged = charged + v_amount, signed = v_signed, signature = s ->> 'signature', used_at = p_at
    WHERE id = p_channel AND open_move IS NULL AND lost = 0 AND charged + v_amount = v_signed
      AND v_signed <= deposited - refunded;
  PERFORM assert_books(FOUND, 'I12: a voucher of channel ' || p_channel || ' goes on from what was charged');
  PERFORM post_transfer(p_at, 'voucher', s ->> 'product', 'channel:' || p_channel, 'revenue:channels', v_amount, 0);
  INSERT INTO channel_steps (id, channel, signed, amount, product, fingerprint, voucher_sha256, identifier, proof,
      answer_id, move_id)
    VALUES (p_at, p_channel, v_signed, v_amount, s ->> 'product', s ->> 'fingerprint', s ->> 'voucher_sha256',
      s ->> 'identifier', s ->> 'proof', p_answer, p_move);
  RETURN p_at;
END $$;

-- What the chain holds that the books do not have, and the reverse. Takes up to five moments.
CREATE FUNCTION bring_up(p_id text, n jsonb, p_at bigint, p_now_ms bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_row channels := find_channel(p_id);
  v_known bigint := v_row.deposited - v_row.refunded;
  v_balance bigint := (n ->> 'balance')::bigint;
  v_more bigint := greatest(v_balance - v_known, 0);
  v_less bigint := greatest(v_known - v_balance, 0);
  v_target bigint := greatest((n ->> 'total_claimed')::bigint, v_row.claimed);
  v_own bigint := least(v_target, v_row.charged - v_row.lost);
  v_foreign bigint := v_target - v_own;
  v_left bigint := v_known + v_more - v_row.charged + v_row.lost - v_foreign;
  v_given bigint := least(v_less, v_left);
  v_account text := 'channel:' || p_id;
  v_escrow text := 'escrow:' || v_row.network;
  v_t bigint := p_at;
BEGIN
  IF v_more > 0 THEN
    PERFORM post_transfer(v_t, 'deposit', p_id, v_escrow, v_account, v_more, 0);
    v_t := v_t + 16;
  END IF;
  IF v_own > v_row.claimed THEN
    PERFORM post_transfer(v_t, 'claim', p_id, 'claimed:' || v_row.network, v_escrow, v_own - v_row.claimed, 0);
    v_t := v_t + 16;
  END IF;
  IF v_foreign > 0 THEN
    PERFORM post_transfer(v_t, 'foreign_claim', p_id, v_account, v_escrow, v_foreign, 0);
    v_t := v_t + 16;
  END IF;
  IF v_given > 0 THEN
    PERFORM post_transfer(v_t, 'return', p_id, v_account, v_escrow, v_given, 0);
    v_t := v_t + 16;
  END IF;
  IF v_less > v_given THEN
    PERFORM post_transfer(v_t, 'loss', p_id, 'revenue:channels', v_escrow, v_less - v_given, 0);
  END IF;
  UPDATE channels SET deposited = deposited + v_more, refunded = refunded + v_less, lost = lost + v_less - v_given,
      base = base + v_foreign, charged = charged + v_foreign, signed = greatest(signed, charged + v_foreign),
      claimed = v_target, withdraw_at = (n ->> 'withdraw_requested_at')::bigint,
      refund_nonce = (n ->> 'refund_nonce')::bigint, synced_at = p_now_ms
    WHERE id = p_id;
END $$;

-- A row that was opened for a deposit which never came goes again: nothing ever happened to it.
CREATE FUNCTION drop_unused(p_id text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM channels WHERE id = p_id AND deposited = 0 AND open_move IS NULL
    AND NOT EXISTS (SELECT FROM channel_steps WHERE channel = p_id)
    AND NOT EXISTS (SELECT FROM account_parts WHERE account_parts.id = 'channel:' || p_id);
  RETURN FOUND;
END $$;

CREATE FUNCTION channels_charge(a jsonb, p_at bigint) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_id text := a #>> '{0,channel}';
  v_row channels := find_channel(v_id);
  v_why text := why_not(v_row, (a #>> '{0,signed}')::bigint, (a #>> '{0,amount}')::bigint, 0);
  v_answer bigint;
BEGIN
  IF v_why IS NOT NULL THEN RETURN deny_step(v_why, v_row.id); END IF;
  v_answer := keep_answer_bytes(a -> 1, p_at);
  RETURN jsonb_build_object('ok', true, 'id', earn_step(a -> 0, v_id, v_answer, NULL, p_at + 16), 'channel', v_id);
END $$;

CREATE FUNCTION channels_open(a jsonb, p_at bigint, p_now_ms bigint) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_id text := a #>> '{0,id}';
  v_row channels := find_channel(v_id);
BEGIN
  IF v_row.open_move IS NOT NULL THEN RETURN to_jsonb(v_id); END IF;
  IF v_row.id IS NULL THEN PERFORM insert_channel(a -> 0, p_at); END IF;
  PERFORM bring_up(v_id, a -> 1, p_at, p_now_ms);
  RETURN to_jsonb(v_id);
END $$;

CREATE FUNCTION channels_begin(a jsonb, p_at bigint, p_owner text, p_now_ms bigint) RETURNS jsonb LANGUAGE plpgsql AS $$
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
  IF v_before.open_move IS NOT NULL THEN RETURN deny_step('busy', v_before.id); END IF;
  IF v_opening IS NOT NULL THEN
    IF v_before.id IS NULL THEN PERFORM insert_channel(v_opening -> 'channel', p_at); END IF;
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

CREATE FUNCTION channels_end(a jsonb, p_at bigint, p_now_ms bigint) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_move channel_moves;
  v_state text := a #>> '{1,state}';
  v_step jsonb;
BEGIN
  SELECT * INTO v_move FROM channel_moves WHERE id = (a ->> 0)::bigint FOR UPDATE;
  IF NOT FOUND THEN RETURN 'false'::jsonb; END IF;
  IF v_move.state NOT IN ('sending', 'unknown') THEN RETURN to_jsonb(v_move.channel); END IF;
  UPDATE channel_moves SET state = v_state, reason = a #>> '{1,reason}',
      chain_transaction = a #>> '{1,chain_transaction}', updated_at = p_at WHERE id = v_move.id;
  IF v_state = 'unknown' THEN RETURN to_jsonb(v_move.channel); END IF;
  UPDATE channels SET open_move = NULL WHERE id = v_move.channel;
  IF v_state = 'failed' THEN
    PERFORM drop_unused(v_move.channel);
    RETURN to_jsonb(v_move.channel);
  END IF;
  PERFORM bring_up(v_move.channel, a #> '{1,now}', p_at, p_now_ms);
  v_step := v_move.step::jsonb;
  -- The chain may have moved on by other hands meanwhile: then what was delivered stays a gift.
  IF v_step IS NOT NULL AND why_not(find_channel(v_move.channel), (v_step ->> 'signed')::bigint,
       (v_step ->> 'amount')::bigint, 0) IS NULL THEN
    PERFORM earn_step(v_step, v_move.channel, v_move.answer_id, v_move.id, p_at + 96);
  END IF;
  RETURN to_jsonb(v_move.channel);
END $$;

CREATE FUNCTION note_move(p_at bigint, p_owner text, p_kind text, p_network text, p_amount bigint, p_transaction text)
RETURNS void LANGUAGE sql AS $$
  INSERT INTO channel_moves (id, owner, kind, state, network, amount, chain_transaction, created_at, updated_at)
    VALUES (p_at, p_owner, p_kind, 'done', p_network, p_amount, p_transaction, p_at, p_at)
$$;

-- One claim of a batch: its amount, 0 for what was claimed before.
CREATE FUNCTION channels_claim(a jsonb, p_at bigint) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_row channels := find_channel(a #>> '{0,channel}');
  v_own bigint := least((a #>> '{0,total}')::bigint, v_row.charged - v_row.lost);
BEGIN
  PERFORM assert_books(v_row.id IS NOT NULL, 'a channel that was claimed is there');
  IF v_own <= v_row.claimed THEN RETURN to_jsonb('0'::text); END IF;
  PERFORM post_transfer(p_at, 'claim', v_row.id, 'claimed:' || v_row.network, 'escrow:' || v_row.network,
    v_own - v_row.claimed, 0);
  UPDATE channels SET claimed = v_own WHERE id = v_row.id;
  RETURN to_jsonb((v_own - v_row.claimed)::text);
END $$;

CREATE FUNCTION channels_note_claim(a jsonb, p_at bigint, p_owner text) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
  PERFORM note_move(p_at, p_owner, 'claim', a ->> 0, (a ->> 1)::bigint, a ->> 2);
  RETURN to_jsonb(true);
END $$;

CREATE FUNCTION channels_swept(a jsonb, p_at bigint, p_owner text) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_network text := a ->> 0;
  v_unswept bigint;
  v_amount bigint;
BEGIN
  SELECT -sum(posted) INTO v_unswept FROM account_parts WHERE id = 'claimed:' || v_network;
  v_amount := least((a ->> 1)::bigint, coalesce(v_unswept, 0));
  IF v_amount <= 0 THEN RETURN to_jsonb('0'::text); END IF;
  PERFORM post_transfer(p_at, 'sweep', a ->> 2, 'wallet:' || v_network, 'claimed:' || v_network, v_amount, 0);
  PERFORM note_move(p_at + 16, p_owner, 'sweep', v_network, v_amount, a ->> 2);
  RETURN to_jsonb(v_amount::text);
END $$;

CREATE FUNCTION channels_sync(a jsonb, p_at bigint, p_now_ms bigint) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_row channels := find_channel(a ->> 0);
BEGIN
  IF v_row.id IS NULL OR v_row.open_move IS NOT NULL THEN RETURN 'false'::jsonb; END IF;
  PERFORM bring_up(v_row.id, a -> 1, p_at, p_now_ms);
  RETURN to_jsonb(v_row.id);
END $$;

CREATE FUNCTION channels_recover(p_owner text, p_at bigint) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_count bigint;
BEGIN
  UPDATE channel_moves SET state = 'unknown', reason = 'left in sending', updated_at = p_at
    WHERE state = 'sending' AND is_left_to(owner, p_owner);
  GET DIAGNOSTICS v_count = ROW_COUNT;
  RETURN to_jsonb(v_count);
END $$;

-- What nodes that are gone were sending is open from then on.
ALTER FUNCTION end_left(text) RENAME TO end_left_payments;
CREATE FUNCTION end_left(p_owner text) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
  UPDATE channel_moves SET state = 'unknown', reason = 'the node stopped while sending',
      updated_at = CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint) * 1000
    WHERE state = 'sending' AND owner <> p_owner AND is_left_to(owner, p_owner);
  RETURN end_left_payments(p_owner);
END $$;

ALTER FUNCTION run_command(text, jsonb, bigint, bigint, text, bigint) RENAME TO run_other_command;
CREATE FUNCTION run_command(p_name text, a jsonb, p_at bigint, p_lane bigint, p_owner text, p_now_ms bigint)
RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
  IF NOT starts_with(p_name, 'channels.') THEN
    RETURN run_other_command(p_name, a, p_at, p_lane, p_owner, p_now_ms);
  END IF;
  PERFORM assert_books(p_lane = 0, 'channels are booked in the lane of everybody');
  RETURN CASE p_name
    WHEN 'channels.charge' THEN channels_charge(a, p_at)
    WHEN 'channels.open' THEN channels_open(a, p_at, p_now_ms)
    WHEN 'channels.begin' THEN channels_begin(a, p_at, p_owner, p_now_ms)
    WHEN 'channels.end' THEN channels_end(a, p_at, p_now_ms)
    WHEN 'channels.claim' THEN channels_claim(a, p_at)
    WHEN 'channels.noteClaim' THEN channels_note_claim(a, p_at, p_owner)
    WHEN 'channels.swept' THEN channels_swept(a, p_at, p_owner)
    WHEN 'channels.sync' THEN channels_sync(a, p_at, p_now_ms)
    WHEN 'channels.recover' THEN channels_recover(p_owner, p_at)
  END;
END $$;
