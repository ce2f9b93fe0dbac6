-- Which door a call by key came through, as in the SQLite ledger. Nodes of before name none.
ALTER TABLE calls ADD COLUMN door text;

-- As of migration 19, with the doors: an empty one is not known.
CREATE OR REPLACE FUNCTION write_calls(a jsonb, p_lane bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_first bigint := (a ->> 'first')::bigint;
  v_accounts text[] := (a #>> '{balances,accounts}')::text[];
  v_posted bigint[] := (a #>> '{balances,posted}')::bigint[];
  v_pending bigint[] := (a #>> '{balances,pending}')::bigint[];
  v_keys bigint[] := (a #>> '{keys,ids}')::bigint[];
  v_days bigint[] := (a #>> '{keys,days}')::bigint[];
  v_todays bigint[] := (a #>> '{keys,todays}')::bigint[];
  v_counts bigint[] := (a #>> '{keys,calls}')::bigint[];
  v_spent bigint[] := (a #>> '{keys,spent}')::bigint[];
  v_lasts bigint[] := (a #>> '{keys,lasts}')::bigint[];
  v_calls bigint[] := (a #>> '{calls,ids}')::bigint[];
  v_places bigint[] := (a #>> '{calls,places}')::bigint[];
  v_befores bigint[] := (a #>> '{calls,befores}')::bigint[];
  v_products text[] := (a #>> '{calls,products}')::text[];
  v_amounts bigint[] := (a #>> '{calls,amounts}')::bigint[];
  v_answers bigint[] := (a #>> '{calls,answers}')::bigint[];
  v_doors text[] := (a #>> '{calls,doors}')::text[];
  v_moved bigint[];
  v_prior bigint[];
BEGIN
  WITH moved AS (
    UPDATE account_parts p SET posted = p.posted + coalesce(own.posted, v_posted[1]),
      pending = p.pending + coalesce(own.pending, v_pending[1])
    FROM unnest(v_accounts, v_posted, v_pending) WITH ORDINALITY AS own (account, posted, pending, n)
    WHERE p.id = own.account AND p.part = CASE WHEN starts_with(own.account, 'credit:') THEN 0 ELSE p_lane END
    RETURNING own.n
  )
  SELECT coalesce(array_agg(n), '{}') INTO v_moved FROM moved;
  IF cardinality(v_moved) < cardinality(v_accounts) THEN
    -- What was never moved in this lane is opened by the first move.
    PERFORM move_balance(account, coalesce(posted, v_posted[1]), p_lane, v_first)
      FROM unnest(v_accounts, v_posted) WITH ORDINALITY AS own (account, posted, n) WHERE n <> ALL (v_moved);
  END IF;

  WITH used AS (
    UPDATE key_usage u SET calls = u.calls + coalesce(own.calls, v_counts[1]),
      spent = u.spent + coalesce(own.spent, v_spent[1]), day = coalesce(own.day, v_days[1]),
      spent_today = coalesce(own.today, v_todays[1]), last_call = greatest(u.last_call, coalesce(own.last, v_lasts[1])),
      prior_call = CASE WHEN coalesce(own.last, v_lasts[1]) > 0 THEN u.last_call ELSE u.prior_call END
    FROM unnest(v_keys, v_days, v_todays, v_counts, v_spent, v_lasts) WITH ORDINALITY
      AS own (key_id, day, today, calls, spent, last, n)
    WHERE u.key_id = own.key_id AND (coalesce(own.last, v_lasts[1]) = 0 OR u.last_call < v_first)
    RETURNING own.n, u.prior_call
  )
  SELECT coalesce(array_agg(prior_call ORDER BY n), '{}') INTO v_prior FROM used;
  IF cardinality(v_prior) < cardinality(v_keys) THEN
    RAISE EXCEPTION USING ERRCODE = '40001', MESSAGE = 'a pass of one of the keys was counted meanwhile';
  END IF;

  INSERT INTO calls (id, key_id, previous, product, access, amount, answer_id, door)
  SELECT id, v_keys[coalesce(place, v_places[1])],
    CASE WHEN coalesce(before, v_befores[1]) > 0 THEN v_calls[coalesce(before, v_befores[1])]
         ELSE v_prior[coalesce(place, v_places[1])] END,
    coalesce(product, v_products[1]), 'debit', coalesce(amount, v_amounts[1]), coalesce(answer, v_answers[1]),
    nullif(coalesce(door, v_doors[1]), '')
  FROM unnest(v_calls, v_places, v_befores, v_products, v_amounts, v_answers, v_doors)
    AS own (id, place, before, product, amount, answer, door);
END $$;
