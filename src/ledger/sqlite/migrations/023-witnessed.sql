-- Of each log that this node witnesses one checkpoint is kept, the newest: a log that grows for years fills nothing.
CREATE INDEX records_witnessed ON records (realm, json_extract(record_json, '$.origin'), seq)
  WHERE chain = 'witnessed-checkpoints';

DROP TRIGGER records_stay;
CREATE TRIGGER records_stay BEFORE DELETE ON records
  WHEN OLD.chain <> 'witnessed-checkpoints' OR NOT EXISTS (
    SELECT 1 FROM records WHERE chain = 'witnessed-checkpoints' AND realm = OLD.realm AND seq > OLD.seq
      AND json_extract(record_json, '$.origin') = json_extract(OLD.record_json, '$.origin'))
BEGIN SELECT RAISE(ABORT, 'records are final'); END;

DELETE FROM records WHERE chain = 'witnessed-checkpoints' AND EXISTS (
  SELECT 1 FROM records AS newer WHERE newer.chain = 'witnessed-checkpoints' AND newer.realm = records.realm
    AND newer.seq > records.seq
    AND json_extract(newer.record_json, '$.origin') = json_extract(records.record_json, '$.origin'));

CREATE TRIGGER witnessed_newest AFTER INSERT ON records WHEN NEW.chain = 'witnessed-checkpoints' BEGIN
  DELETE FROM records WHERE chain = 'witnessed-checkpoints' AND realm = NEW.realm AND seq < NEW.seq
    AND json_extract(record_json, '$.origin') = json_extract(NEW.record_json, '$.origin');
END;
