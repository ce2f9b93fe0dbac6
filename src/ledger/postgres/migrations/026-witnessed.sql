-- Of each log that a node witnesses one checkpoint is kept, the newest: a log that grows for years fills nothing. A
-- node of before, which runs on while a newer one starts, finds a gap in the chain and cosigns nothing until it is replaced.
CREATE INDEX records_witnessed ON records (realm, (record_json::json ->> 'origin'), seq)
  WHERE chain = 'witnessed-checkpoints';

CREATE FUNCTION records_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.chain <> 'witnessed-checkpoints' OR NOT EXISTS (
    SELECT FROM records WHERE chain = 'witnessed-checkpoints' AND realm = OLD.realm AND seq > OLD.seq
      AND record_json::json ->> 'origin' = OLD.record_json::json ->> 'origin') THEN
    RAISE EXCEPTION 'records are final';
  END IF;
  RETURN OLD;
END $$;
DROP TRIGGER records_are_final ON records;
CREATE TRIGGER records_are_final BEFORE UPDATE ON records
  FOR EACH ROW EXECUTE FUNCTION refuse_change('records');
CREATE TRIGGER records_stay BEFORE DELETE ON records FOR EACH ROW EXECUTE FUNCTION records_stay();

DELETE FROM records WHERE chain = 'witnessed-checkpoints' AND EXISTS (
  SELECT FROM records AS newer WHERE newer.chain = 'witnessed-checkpoints' AND newer.realm = records.realm
    AND newer.seq > records.seq AND newer.record_json::json ->> 'origin' = records.record_json::json ->> 'origin');

CREATE FUNCTION witnessed_newest() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM records WHERE chain = 'witnessed-checkpoints' AND realm = NEW.realm AND seq < NEW.seq
    AND record_json::json ->> 'origin' = NEW.record_json::json ->> 'origin';
  RETURN NULL;
END $$;
CREATE TRIGGER witnessed_newest AFTER INSERT ON records FOR EACH ROW
  WHEN (NEW.chain = 'witnessed-checkpoints') EXECUTE FUNCTION witnessed_newest();
