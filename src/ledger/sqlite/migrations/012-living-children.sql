-- How many living child keys a key has is counted with each one that is minted; dead ones stay, for the books.
DROP INDEX keys_by_parent;
CREATE INDEX keys_by_parent ON keys (parent, revoked_at) WHERE parent IS NOT NULL;
