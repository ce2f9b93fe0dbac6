-- How many living child keys a key has is counted with each one that is minted; dead ones stay, for the books.
DROP INDEX keys_by_parent;
CREATE INDEX keys_by_parent ON keys (parent, revoked_at) WHERE parent IS NOT NULL;

-- As before, but what was revoked or has ended does not count.
CREATE OR REPLACE FUNCTION keys_mint(a jsonb, p_at bigint) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_parent keys := need_key(a #>> '{0,public_id}');
  v_key keys;
BEGIN
  IF (SELECT count(*) FROM keys WHERE parent = v_parent.id AND revoked_at IS NULL
      AND (expires_at IS NULL OR expires_at > p_at / 1000)) >= 1000 THEN
    PERFORM refuse('invalid_parameter', 'A key has at most 1000 living child keys: revoke one.');
  END IF;
  v_key := insert_key(a -> 1, v_parent.plan, v_parent, p_at);
  RETURN to_jsonb(v_key.public_id);
END $$;
