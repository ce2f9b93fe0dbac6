-- Whoever holds a wallet signs in and sees what is its own: nonces it signed, each good for one call on one node, and
-- what is found by payer and by purchaser. A nonce is forgotten an hour after the challenge it stood in has ended.
CREATE TABLE used_nonces (
  nonce text PRIMARY KEY,
  -- When its challenge ends, ms.
  until bigint NOT NULL
);
CREATE INDEX used_nonces_by_end ON used_nonces (until);

CREATE INDEX receipts_by_payer ON receipts (payer, network, seq);
CREATE INDEX keys_by_purchaser ON keys (purchaser) WHERE purchaser IS NOT NULL AND parent IS NULL;

-- Takes a nonce: true once, whichever node asks. What it forgets another node may be forgetting.
CREATE FUNCTION wallets_use_nonce(a jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM used_nonces WHERE nonce IN (
    SELECT nonce FROM used_nonces WHERE until < (a #>> '{1,now_ms}')::bigint - 3600000
    ORDER BY until LIMIT 4 FOR UPDATE SKIP LOCKED);
  INSERT INTO used_nonces (nonce, until) VALUES (a ->> 0, (a #>> '{1,until_ms}')::bigint) ON CONFLICT DO NOTHING;
  RETURN to_jsonb(FOUND);
END $$;

-- As before, with the one above.
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
    WHEN 'wallets.useNonce' THEN wallets_use_nonce(a)
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
