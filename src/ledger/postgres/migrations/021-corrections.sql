-- What came in for a sale, as the operator found it, as in the SQLite ledger.
CREATE TABLE corrections (
  -- Ledger time, microseconds; the transfer's where money moves between accounts.
  id bigint PRIMARY KEY,
  receipt_id text COLLATE "C" NOT NULL REFERENCES receipts (id),
  -- What the books took off the sale; below zero: put back.
  amount bigint NOT NULL,
  -- What came in for the sale from this correction on.
  received bigint NOT NULL CHECK (received >= 0),
  -- What names it on the operator's side: the same one is written once.
  reference text COLLATE "C" NOT NULL UNIQUE,
  reason text NOT NULL CHECK (reason <> '')
);
CREATE INDEX corrections_by_receipt ON corrections (receipt_id);
CREATE TRIGGER corrections_are_final BEFORE UPDATE OR DELETE ON corrections
  FOR EACH ROW EXECUTE FUNCTION refuse_change('corrections');

-- What came to a wallet and is no sale, as the operator explained it. No money moves.
CREATE TABLE explained_transfers (
  network text COLLATE "C" NOT NULL,
  chain_transaction text COLLATE "C" NOT NULL,
  reference text NOT NULL,
  reason text NOT NULL CHECK (reason <> ''),
  -- Ledger time, microseconds.
  at bigint NOT NULL,
  PRIMARY KEY (network, chain_transaction)
);
CREATE TRIGGER explained_transfers_are_final BEFORE UPDATE OR DELETE ON explained_transfers
  FOR EACH ROW EXECUTE FUNCTION refuse_change('explanations');

-- As decideCorrection (src/ledger/decide/corrections.ts), which decides it on SQLite.
CREATE FUNCTION corrections_correct(a jsonb, p_at bigint) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_receipt receipts;
  v_known corrections;
  v_key keys;
  v_received bigint := (a #>> '{0,received}')::bigint;
  v_reference text := a #>> '{0,reference}';
  v_missing boolean;
  v_corrected bigint;
  v_amount bigint;
BEGIN
  -- Two corrections of one sale are decided one after the other.
  SELECT * INTO v_receipt FROM receipts WHERE id = a #>> '{0,receipt_id}' FOR UPDATE;
  IF NOT FOUND THEN PERFORM refuse('not_found', 'No such receipt.'); END IF;
  SELECT * INTO v_known FROM corrections WHERE reference = v_reference;
  IF FOUND THEN
    IF v_known.receipt_id <> v_receipt.id OR v_known.received <> v_received THEN
      PERFORM refuse('invalid_parameter', 'This reference stands for another correction. Nothing was written.');
    END IF;
    RETURN jsonb_build_object('is_new', false);
  END IF;
  IF v_received < 0 OR v_received > v_receipt.amount THEN
    PERFORM refuse('invalid_parameter', 'No less than nothing and no more than was booked can have come in for a sale. '
      || 'What came besides is explained with "books explain".');
  END IF;
  v_missing := EXISTS (SELECT FROM landings WHERE receipt_id = v_receipt.id AND state = 'missing');
  IF v_missing AND v_received = 0 THEN
    PERFORM refuse('invalid_parameter',
      'The chain does not have this payment, and every figure says so already. Nothing was written.');
  END IF;
  SELECT coalesce(sum(amount), 0) INTO v_corrected FROM corrections WHERE receipt_id = v_receipt.id;
  v_amount := v_receipt.amount - v_corrected - v_received;
  IF v_amount = 0 AND NOT v_missing THEN
    PERFORM refuse('invalid_parameter', 'The books say so already. Nothing was written.');
  END IF;
  SELECT k.* INTO v_key FROM grants g JOIN keys k ON k.id = g.key_id WHERE g.payment_id = v_receipt.payment_id;
  IF FOUND AND v_amount > 0 AND (v_key.revoked_at IS NULL
                OR (SELECT coalesce(sum(posted), 0) FROM account_parts WHERE id = v_key.account) > 0) THEN
    PERFORM refuse('invalid_parameter', 'This payment bought ' || v_key.public_id
      || ', which can still be used: "keys revoke" and "keys expire" first.');
  END IF;
  IF v_amount > 0 THEN
    PERFORM post_transfer(p_at, 'correction', 'correct:' || v_reference, 'revenue:corrections',
      'chain:' || v_receipt.network, v_amount, 0);
  ELSIF v_amount < 0 THEN
    PERFORM post_transfer(p_at, 'correction', 'correct:' || v_reference, 'chain:' || v_receipt.network,
      'revenue:corrections', -v_amount, 0);
  END IF;
  IF v_missing THEN
    UPDATE landings SET state = 'confirmed', checked_at = p_at / 1000, due_at = NULL, doubted = 0
      WHERE receipt_id = v_receipt.id;
  END IF;
  INSERT INTO corrections (id, receipt_id, amount, received, reference, reason)
    VALUES (p_at, v_receipt.id, v_amount, v_received, v_reference, a #>> '{0,reason}');
  RETURN jsonb_build_object('is_new', true);
END $$;

-- A refund is of what came in, as it was corrected: the arguments of one as nodes of before send it, with all that is
-- left where no amount is named.
CREATE FUNCTION limit_refund(a jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_receipt text := a #>> '{0,receipt_id}';
  v_wanted bigint := (a #>> '{0,amount}')::bigint;
  v_corrected bigint;
  v_left bigint;
BEGIN
  SELECT coalesce(sum(amount), 0) INTO v_corrected FROM corrections WHERE receipt_id = v_receipt;
  IF v_corrected = 0 OR EXISTS (SELECT FROM given_back WHERE reference = a #>> '{0,reference}') THEN RETURN a; END IF;
  v_left := (SELECT amount FROM receipts WHERE id = v_receipt) - v_corrected
    - (SELECT coalesce(sum(amount), 0) FROM given_back WHERE receipt_id = v_receipt);
  IF v_left <= 0 OR v_wanted > v_left THEN
    PERFORM refuse('invalid_parameter', 'More than was paid, less what was given back, cannot be given back.');
  END IF;
  RETURN jsonb_set(a, '{0,amount}', to_jsonb(coalesce(v_wanted, v_left)));
END $$;

CREATE FUNCTION explained_explain(a jsonb, p_at bigint) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_new bigint;
BEGIN
  INSERT INTO explained_transfers (network, chain_transaction, reference, reason, at)
    VALUES (a #>> '{0,network}', a #>> '{0,transaction}', a #>> '{0,reference}', a #>> '{0,reason}', p_at)
    ON CONFLICT DO NOTHING;
  GET DIAGNOSTICS v_new = ROW_COUNT;
  RETURN jsonb_build_object('is_new', v_new = 1);
END $$;

ALTER FUNCTION run_command(text, jsonb, bigint, bigint, text, bigint) RENAME TO run_command_before_corrections;
CREATE FUNCTION run_command(p_name text, a jsonb, p_at bigint, p_lane bigint, p_owner text, p_now_ms bigint)
RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
  IF p_name = 'refunds.giveBack' THEN a := limit_refund(a); END IF;
  IF p_name NOT IN ('corrections.correct', 'explained.explain') THEN
    RETURN run_command_before_corrections(p_name, a, p_at, p_lane, p_owner, p_now_ms);
  END IF;
  PERFORM assert_books(p_lane = 0, 'corrections are booked in the lane of everybody');
  RETURN CASE p_name WHEN 'corrections.correct' THEN corrections_correct(a, p_at) ELSE explained_explain(a, p_at) END;
END $$;

-- As before (020), and what corrections took off a sale: so much less of it can be given back.
CREATE OR REPLACE FUNCTION lock_sales(a jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_ids text[] := ARRAY(SELECT DISTINCT value ->> 0 FROM jsonb_array_elements(a));
  v_references text[] := ARRAY(SELECT DISTINCT value ->> 1 FROM jsonb_array_elements(a));
BEGIN
  PERFORM FROM receipts WHERE id = ANY (v_ids) ORDER BY id FOR SHARE;
  PERFORM FROM account_parts WHERE part = 0 AND id = ANY (ARRAY(
    SELECT k.account FROM receipts r JOIN grants g ON g.payment_id = r.payment_id JOIN keys k ON k.id = g.key_id
    WHERE r.id = ANY (v_ids) AND k.account IS NOT NULL)) ORDER BY id FOR SHARE;
  RETURN jsonb_build_object(
    'sales', (SELECT jsonb_agg(jsonb_build_object('receipt_id', r.id, 'network', r.network, 'amount', r.amount::text,
        'never_landed', coalesce(l.state = 'missing', false),
        'given_back', (SELECT coalesce(sum(b.amount), 0) FROM given_back b WHERE b.receipt_id = r.id)::text,
        'corrected', (SELECT coalesce(sum(c.amount), 0) FROM corrections c WHERE c.receipt_id = r.id)::text,
        'key_id', k.public_id, 'is_revoked', k.revoked_at IS NOT NULL, 'balance', coalesce(p.posted, 0)::text))
      FROM receipts r LEFT JOIN landings l ON l.receipt_id = r.id LEFT JOIN grants g ON g.payment_id = r.payment_id
      LEFT JOIN keys k ON k.id = g.key_id LEFT JOIN account_parts p ON p.id = k.account AND p.part = 0
      WHERE r.id = ANY (v_ids)),
    'named', (SELECT jsonb_agg(jsonb_build_object('reference', reference, 'receipt_id', receipt_id,
        'amount', amount::text)) FROM given_back WHERE reference = ANY (v_references)));
END $$;
