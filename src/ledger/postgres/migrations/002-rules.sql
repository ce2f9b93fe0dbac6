-- What the tables themselves refuse, and what they count.

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% are final', TG_ARGV[0];
END $$;
CREATE TRIGGER transfers_are_final BEFORE UPDATE OR DELETE ON transfers
  FOR EACH ROW EXECUTE FUNCTION refuse_change('transfers');
CREATE TRIGGER receipts_are_final BEFORE UPDATE OR DELETE ON receipts
  FOR EACH ROW EXECUTE FUNCTION refuse_change('receipts');
CREATE TRIGGER grants_are_final BEFORE UPDATE OR DELETE ON grants
  FOR EACH ROW EXECUTE FUNCTION refuse_change('grants');
CREATE TRIGGER calls_stay BEFORE DELETE ON calls FOR EACH ROW EXECUTE FUNCTION refuse_change('calls');
CREATE TRIGGER landings_stay BEFORE DELETE ON landings FOR EACH ROW EXECUTE FUNCTION refuse_change('landings');
CREATE TRIGGER records_are_final BEFORE UPDATE OR DELETE ON records
  FOR EACH ROW EXECUTE FUNCTION refuse_change('records');
CREATE TRIGGER outcomes_are_final BEFORE UPDATE OR DELETE ON record_outcomes
  FOR EACH ROW EXECUTE FUNCTION refuse_change('outcomes');

CREATE FUNCTION calls_only_grow() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.id <> OLD.id OR NEW.key_id IS DISTINCT FROM OLD.key_id OR NEW.previous <> OLD.previous
     OR NEW.product <> OLD.product OR NEW.access <> OLD.access OR NEW.amount <> OLD.amount
     OR NEW.answer_id IS DISTINCT FROM OLD.answer_id OR NEW.times < OLD.times THEN
    RAISE EXCEPTION 'calls are final';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER calls_only_grow BEFORE UPDATE ON calls FOR EACH ROW EXECUTE FUNCTION calls_only_grow();

-- Every receipt is looked up on its chain, a few seconds after it was written.
CREATE FUNCTION receipts_land() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO receipt_totals AS t (product, label, count, amount, last_settled_at)
    VALUES (NEW.product, NEW.label, 1, NEW.amount, NEW.settled_at)
    ON CONFLICT (product, label) DO UPDATE SET count = t.count + 1, amount = t.amount + excluded.amount,
      last_settled_at = excluded.last_settled_at;
  INSERT INTO receipt_hours AS h (hour, label, count, amount)
    VALUES (NEW.settled_at / 3600000000, NEW.label, 1, NEW.amount)
    ON CONFLICT (hour, label) DO UPDATE SET count = h.count + 1, amount = h.amount + excluded.amount;
  INSERT INTO landings (receipt_id, network, facilitator, state, due_at, hour)
    VALUES (NEW.id, NEW.network, coalesce(NEW.facilitator, ''), 'pending', NEW.settled_at / 1000 + 5000,
      NEW.settled_at / 3600000000);
  RETURN NULL;
END $$;
CREATE TRIGGER receipts_land AFTER INSERT ON receipts FOR EACH ROW EXECUTE FUNCTION receipts_land();

CREATE FUNCTION landings_count() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF NEW.state = OLD.state THEN RETURN NULL; END IF;
    UPDATE landing_counts SET count = count - 1 WHERE hour IN (OLD.hour, -1) AND network = OLD.network
      AND facilitator = OLD.facilitator AND state = OLD.state;
  END IF;
  INSERT INTO landing_counts AS c (hour, network, facilitator, state, count)
    VALUES (NEW.hour, NEW.network, NEW.facilitator, NEW.state, 1), (-1, NEW.network, NEW.facilitator, NEW.state, 1)
    ON CONFLICT (hour, network, facilitator, state) DO UPDATE SET count = c.count + 1;
  RETURN NULL;
END $$;
CREATE TRIGGER landings_count AFTER INSERT OR UPDATE ON landings FOR EACH ROW EXECUTE FUNCTION landings_count();

-- The next of its chain, naming the one before it.
CREATE FUNCTION records_follow() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_last records;
BEGIN
  SELECT * INTO v_last FROM records WHERE realm = NEW.realm AND chain = NEW.chain ORDER BY seq DESC LIMIT 1;
  IF NEW.seq <> coalesce(v_last.seq, 0) + 1
     OR (NEW.record_json::json ->> 'seq') IS DISTINCT FROM NEW.seq::text THEN
    RAISE EXCEPTION 'a record must be the next of its chain';
  END IF;
  IF v_last.seq IS NOT NULL AND v_last.record_hash IS DISTINCT FROM NEW.record_json::json ->> 'prev_hash' THEN
    RAISE EXCEPTION 'a record must name the one before it';
  END IF;
  IF v_last.recorded_at > NEW.recorded_at THEN
    RAISE EXCEPTION 'a record must not be older than the one before it';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER records_follow BEFORE INSERT ON records FOR EACH ROW EXECUTE FUNCTION records_follow();
CREATE FUNCTION outcomes_once() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM record_outcomes WHERE realm = NEW.realm AND chain = NEW.chain AND seq = NEW.seq) THEN
    RAISE EXCEPTION 'an outcome is stated once';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER outcomes_once BEFORE INSERT ON record_outcomes FOR EACH ROW EXECUTE FUNCTION outcomes_once();

-- As SQLite has it, for the rules of the audit: the text at a path such as '$.grant.credit'.
CREATE FUNCTION json_extract(p_json text, p_path text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT p_json::jsonb #>> string_to_array(substr(p_path, 3), '.')
$$;
