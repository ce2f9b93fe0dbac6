-- Which door a payment came through, as in the SQLite ledger.
ALTER TABLE payments ADD COLUMN door text;

ALTER FUNCTION run_command(text, jsonb, bigint, bigint, text, bigint) RENAME TO run_command_before_doors;
CREATE FUNCTION run_command(p_name text, a jsonb, p_at bigint, p_lane bigint, p_owner text, p_now_ms bigint)
RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
  IF p_name <> 'payments.door' THEN
    RETURN run_command_before_doors(p_name, a, p_at, p_lane, p_owner, p_now_ms);
  END IF;
  UPDATE payments SET door = a ->> 1 WHERE id = a ->> 0;
  RETURN 'null'::jsonb;
END $$;
