-- What a node ends for others is what others left, and nothing of its own. Each node of a cluster books calls in a lane
-- of its own, as long as there are enough.

-- The lane its calls are booked in. Nothing depends on it but who waits for whom: two nodes may have the same.
ALTER TABLE seats ADD COLUMN lane smallint;

-- As before, and gives the lane that the fewest others have.
CREATE OR REPLACE FUNCTION take_seat(p_owner text, p_name text, p_alone boolean, p_seconds double precision)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_other text;
  v_lane smallint;
BEGIN
  -- One at a time.
  INSERT INTO leader (id, owner, term) VALUES (1, NULL, 0) ON CONFLICT (id) DO NOTHING;
  PERFORM FROM leader WHERE id = 1 FOR UPDATE;
  SELECT owner INTO v_other FROM seats
    WHERE owner <> p_owner AND NOT ended AND until > clock_timestamp() AND (alone OR p_alone OR name = p_name)
    ORDER BY alone DESC, until DESC LIMIT 1;
  IF FOUND THEN RETURN v_other; END IF;
  UPDATE seats SET ended = true WHERE owner <> p_owner AND NOT ended AND until <= clock_timestamp();
  SELECT l.lane INTO v_lane FROM lanes l
    LEFT JOIN seats s ON s.lane = l.lane AND s.owner <> p_owner AND NOT s.ended
    WHERE l.lane > 0 GROUP BY l.lane ORDER BY count(s.owner), l.lane LIMIT 1;
  INSERT INTO seats (owner, name, alone, until, lane)
    VALUES (p_owner, p_name, p_alone, clock_timestamp() + make_interval(secs => p_seconds), v_lane)
    ON CONFLICT (owner) DO UPDATE SET name = excluded.name, alone = excluded.alone, until = excluded.until,
      facts = excluded.facts, ended = false, lane = excluded.lane;
  RETURN NULL;
END $$;

-- Ends what nodes that are gone left in flight. What the caller itself works on goes on.
CREATE FUNCTION end_left(p_owner text) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_at bigint := CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint) * 1000;
  v_hold bigint;
  v_abandoned bigint;
  v_unknown bigint;
  v_coupons bigint;
  v_holds bigint := 0;
BEGIN
  UPDATE payments SET state = 'abandoned', reason = 'the node stopped before settling', updated_at = v_at
    WHERE state IN ('received', 'verified', 'producing') AND owner <> p_owner AND is_left_to(owner, p_owner);
  GET DIAGNOSTICS v_abandoned = ROW_COUNT;
  UPDATE payments SET state = 'unknown', reason = 'the node stopped while settling', updated_at = v_at
    WHERE state = 'settling' AND owner <> p_owner AND is_left_to(owner, p_owner);
  GET DIAGNOSTICS v_unknown = ROW_COUNT;
  FOR v_hold IN SELECT id FROM holds
      WHERE state = 'pending' AND owner <> p_owner AND is_left_to(owner, p_owner) ORDER BY account, key_id LOOP
    PERFORM give_back(v_hold, 'expired');
    v_holds := v_holds + 1;
  END LOOP;
  DELETE FROM coupons WHERE state = 'held' AND owner <> p_owner AND is_left_to(owner, p_owner);
  GET DIAGNOSTICS v_coupons = ROW_COUNT;
  RETURN jsonb_build_object('abandoned', v_abandoned, 'unknown', v_unknown, 'holds', v_holds, 'coupons', v_coupons);
END $$;

-- As before, and ends what others left, where the one before asked the node to. It says so in 'ended'; 'left' is for
-- programs of before, which would end their own work with it.
CREATE OR REPLACE FUNCTION keep_seat(p_owner text, p_seconds double precision) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_leader text;
  v_term bigint;
BEGIN
  UPDATE seats SET until = clock_timestamp() + make_interval(secs => p_seconds) WHERE owner = p_owner AND NOT ended;
  UPDATE seats SET ended = true WHERE owner <> p_owner AND NOT ended AND until <= clock_timestamp();
  UPDATE leader SET owner = p_owner, term = term + 1
    WHERE id = 1 AND NOT EXISTS (SELECT 1 FROM seats s WHERE s.owner = leader.owner AND NOT s.ended);
  SELECT owner, term INTO v_leader, v_term FROM leader WHERE id = 1;
  RETURN jsonb_build_object('leads', v_leader = p_owner, 'term', v_term, 'left', false, 'ended', end_left(p_owner));
END $$;
