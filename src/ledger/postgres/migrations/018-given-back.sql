-- Money that the operator sent back to a buyer by hand, as in the SQLite ledger.
CREATE TABLE given_back (
  -- The transfer's: ledger time, microseconds.
  id bigint PRIMARY KEY,
  receipt_id text COLLATE "C" NOT NULL REFERENCES receipts (id),
  amount bigint NOT NULL CHECK (amount > 0),
  -- What names it on the operator's side, such as the transaction it was sent by: the same one is written once.
  reference text COLLATE "C" NOT NULL UNIQUE,
  reason text NOT NULL CHECK (reason <> '')
);
CREATE INDEX given_back_by_receipt ON given_back (receipt_id);
CREATE TRIGGER given_back_is_final BEFORE UPDATE OR DELETE ON given_back
  FOR EACH ROW EXECUTE FUNCTION refuse_change('refunds');

-- Once for each reference: the same again is answered with what was written, and anything else by that name is refused.
CREATE FUNCTION refunds_give_back(a jsonb, p_at bigint) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_receipt receipts;
  v_known given_back;
  v_key keys;
  v_wanted bigint := (a #>> '{0,amount}')::bigint;
  v_left bigint;
BEGIN
  SELECT * INTO v_receipt FROM receipts WHERE id = a #>> '{0,receipt_id}' FOR SHARE;
  IF NOT FOUND THEN PERFORM refuse('not_found', 'No such receipt.'); END IF;
  SELECT * INTO v_known FROM given_back WHERE reference = a #>> '{0,reference}';
  IF FOUND THEN
    IF v_known.receipt_id <> v_receipt.id OR (v_wanted IS NOT NULL AND v_wanted <> v_known.amount) THEN
      PERFORM refuse('invalid_parameter', 'This reference stands for another refund. Nothing was written.');
    END IF;
    RETURN jsonb_build_object('id', v_known.id, 'is_new', false);
  END IF;
  IF EXISTS (SELECT FROM landings WHERE receipt_id = v_receipt.id AND state = 'missing') THEN
    PERFORM refuse('invalid_parameter', 'This payment never landed: nothing came in that could be given back.');
  END IF;
  SELECT k.* INTO v_key FROM grants g JOIN keys k ON k.id = g.key_id WHERE g.payment_id = v_receipt.payment_id;
  IF FOUND AND (v_key.revoked_at IS NULL
                OR (SELECT coalesce(sum(posted), 0) FROM account_parts WHERE id = v_key.account) > 0) THEN
    PERFORM refuse('invalid_parameter', 'This payment bought ' || v_key.public_id
      || ', which can still be used: "keys revoke" and "keys expire" first.');
  END IF;
  v_left := v_receipt.amount - (SELECT coalesce(sum(amount), 0) FROM given_back WHERE receipt_id = v_receipt.id);
  IF v_left <= 0 OR v_wanted <= 0 OR v_wanted > v_left THEN
    PERFORM refuse('invalid_parameter', 'More than was paid, less what was given back, cannot be given back.');
  END IF;
  PERFORM post_transfer(p_at, 'correction', 'refund:' || (a #>> '{0,reference}'), 'revenue:refunds',
    'chain:' || v_receipt.network, coalesce(v_wanted, v_left), 0);
  INSERT INTO given_back (id, receipt_id, amount, reference, reason)
    VALUES (p_at, v_receipt.id, coalesce(v_wanted, v_left), a #>> '{0,reference}', a #>> '{0,reason}');
  RETURN jsonb_build_object('id', p_at, 'is_new', true);
END $$;

ALTER FUNCTION run_command(text, jsonb, bigint, bigint, text, bigint) RENAME TO run_earlier_command;
CREATE FUNCTION run_command(p_name text, a jsonb, p_at bigint, p_lane bigint, p_owner text, p_now_ms bigint)
RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
  IF p_name <> 'refunds.giveBack' THEN
    RETURN run_earlier_command(p_name, a, p_at, p_lane, p_owner, p_now_ms);
  END IF;
  PERFORM assert_books(p_lane = 0, 'refunds are booked in the lane of everybody');
  RETURN refunds_give_back(a, p_at);
END $$;
