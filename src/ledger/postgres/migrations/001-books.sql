-- The books, as in the SQLite ledger: double entry over atomic USDC. Money moves only by transfers; a transfer is never
-- changed or deleted. Every whole number is a bigint.

-- Ledger time, microseconds, strictly increasing. A lane is what one connection books in: the remainder of a time by 16
-- is its lane, so that lanes need not wait for each other to name a moment nobody else names. Lane 0 is everybody's:
-- whatever is to be in one order for the whole cluster (settlements, grants, coupons) is booked in it.
CREATE TABLE lanes (
  lane smallint PRIMARY KEY CHECK (lane BETWEEN 0 AND 15),
  last_us bigint NOT NULL CHECK (last_us % 16 = lane)
);
INSERT INTO lanes (lane, last_us) SELECT n, n FROM generate_series(0, 15) AS n;

-- One connection that gives commands. It numbers its batches; the last one's results stay, so that a batch that is sent
-- again after a lost connection is told what became of it, and does nothing twice.
CREATE TABLE sessions (
  id text PRIMARY KEY,
  owner text NOT NULL,
  batch bigint NOT NULL DEFAULT 0,
  results text,
  seen_at timestamptz NOT NULL DEFAULT now()
);

-- The node that has the books, until when unless it says so again. Another one takes them over only after that, and
-- from then on no batch of the first is run.
CREATE TABLE lease (
  id smallint PRIMARY KEY CHECK (id = 1),
  owner text NOT NULL,
  until timestamptz NOT NULL
);

-- Balances. What every call of every node adds to is kept in parts, one a lane; a credit account is whole, in part 0.
CREATE TABLE account_parts (
  id text COLLATE "C" NOT NULL,
  part smallint NOT NULL,
  kind text NOT NULL CHECK (kind IN ('chain', 'revenue', 'credit', 'promotion')),
  posted bigint NOT NULL DEFAULT 0,
  pending bigint NOT NULL DEFAULT 0 CHECK (pending >= 0),
  created_at bigint NOT NULL,
  PRIMARY KEY (id, part),
  CHECK (kind <> 'credit' OR (part = 0 AND posted - pending >= 0))
) WITH (fillfactor = 50);
CREATE VIEW accounts AS
  SELECT id, kind, CAST(sum(posted) AS bigint) AS posted, CAST(sum(pending) AS bigint) AS pending
  FROM account_parts GROUP BY id, kind;

CREATE TABLE transfers (
  id bigint PRIMARY KEY,
  kind text NOT NULL
    CHECK (kind IN ('sale', 'plan', 'bonus', 'debit', 'coupon', 'refund', 'expiry', 'correction')),
  reference text COLLATE "C" NOT NULL,
  source text COLLATE "C" NOT NULL,
  target text COLLATE "C" NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  CHECK (source <> target)
);
-- A call is given back once.
CREATE UNIQUE INDEX transfers_refunds ON transfers (reference) WHERE kind = 'refund';
CREATE INDEX transfers_from_balance ON transfers (source, id) WHERE kind IN ('debit', 'expiry');
CREATE INDEX transfers_back ON transfers (target, id) WHERE kind = 'refund';
CREATE VIEW postings AS
  SELECT id AS transfer_id, source AS account_id, -amount AS amount FROM transfers
  UNION ALL SELECT id, target, amount FROM transfers;

-- One row per signed payment, found by the replay key that comes from its signed content.
CREATE TABLE payments (
  id text COLLATE "C" PRIMARY KEY,
  -- The node that works on it, as long as it is in flight.
  owner text NOT NULL,
  replay_key text COLLATE "C" NOT NULL UNIQUE,
  payload_hash text NOT NULL,
  fingerprint text COLLATE "C" NOT NULL,
  product text NOT NULL,
  network text NOT NULL,
  asset text NOT NULL,
  payer text COLLATE "C" NOT NULL,
  pay_to text NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  valid_until bigint NOT NULL,
  payload text NOT NULL,
  state text NOT NULL CHECK (state IN ('received', 'verified', 'producing', 'settling', 'settled',
                                       'rejected', 'abandoned', 'settle_failed', 'unknown')),
  facilitator text,
  reason text,
  answer text,
  chain_transaction text,
  hint_transaction text,
  identifier text COLLATE "C",
  proof text,
  purchase text,
  delivered bigint NOT NULL DEFAULT 1 CHECK (delivered IN (0, 1)),
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  CHECK (state NOT IN ('settling', 'unknown') OR answer IS NOT NULL),
  CHECK (state <> 'settled' OR chain_transaction IS NOT NULL)
);
CREATE INDEX payments_unknown ON payments (created_at) WHERE state = 'unknown';
CREATE INDEX payments_running ON payments (owner) WHERE state IN ('received', 'verified', 'producing', 'settling');
CREATE INDEX payments_by_payer ON payments (payer, fingerprint, created_at);
CREATE INDEX payments_with_answer ON payments (created_at) WHERE answer IS NOT NULL;
CREATE UNIQUE INDEX payments_by_identifier ON payments (identifier) WHERE identifier IS NOT NULL;
CREATE INDEX payments_ended ON payments (least(valid_until, updated_at / 1000 + 3600000))
  WHERE state IN ('rejected', 'abandoned');
CREATE INDEX payments_unknown_by_payer ON payments (payer) WHERE state = 'unknown';
CREATE TABLE pruned_payments (
  network text NOT NULL,
  state text NOT NULL CHECK (state IN ('rejected', 'abandoned')),
  count bigint NOT NULL CHECK (count > 0),
  PRIMARY KEY (network, state)
);

CREATE TABLE receipts (
  seq bigint PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  payment_id text COLLATE "C" NOT NULL UNIQUE REFERENCES payments (id),
  transfer_id bigint NOT NULL UNIQUE REFERENCES transfers (id),
  network text COLLATE "C" NOT NULL,
  chain_transaction text COLLATE "C" NOT NULL,
  product text COLLATE "C" NOT NULL,
  asset text NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  payer text NOT NULL,
  pay_to text NOT NULL,
  label text COLLATE "C" NOT NULL CHECK (label IN ('organic', 'operator-test')),
  settled_at bigint NOT NULL UNIQUE,
  facilitator text,
  request_sha256 text,
  response_sha256 text,
  -- A transaction of the chain pays once, whatever a facilitator says.
  UNIQUE (network, chain_transaction)
);
CREATE INDEX receipts_by_product ON receipts (product, seq);
CREATE TABLE receipt_totals (
  product text COLLATE "C" NOT NULL,
  label text COLLATE "C" NOT NULL,
  count bigint NOT NULL CHECK (count > 0),
  amount bigint NOT NULL CHECK (amount > 0),
  last_settled_at bigint NOT NULL,
  PRIMARY KEY (product, label)
);
CREATE TABLE receipt_hours (
  hour bigint NOT NULL,
  label text COLLATE "C" NOT NULL,
  count bigint NOT NULL CHECK (count > 0),
  amount bigint NOT NULL CHECK (amount > 0),
  PRIMARY KEY (hour, label)
);

CREATE TABLE landings (
  receipt_id text COLLATE "C" PRIMARY KEY REFERENCES receipts (id),
  network text COLLATE "C" NOT NULL,
  facilitator text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL CHECK (state IN ('pending', 'confirmed', 'missing')),
  looks bigint NOT NULL DEFAULT 0,
  checked_at bigint,
  due_at bigint,
  hour bigint NOT NULL,
  doubted bigint NOT NULL DEFAULT 0 CHECK (doubted IN (0, 1))
);
CREATE INDEX landings_due ON landings (network, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX landings_missing ON landings (checked_at) WHERE state = 'missing';
CREATE INDEX landings_doubted ON landings (network, facilitator, hour) WHERE doubted = 1;
CREATE TABLE landing_counts (
  -- UTC hour number of the settlement; -1 is all time.
  hour bigint NOT NULL,
  network text COLLATE "C" NOT NULL,
  facilitator text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL CHECK (state IN ('pending', 'confirmed', 'missing', 'disbelieved')),
  count bigint NOT NULL CHECK (count >= 0),
  PRIMARY KEY (hour, network, facilitator, state)
);

-- API keys. The key itself is nowhere: only its hash.
CREATE TABLE keys (
  id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  public_id text COLLATE "C" NOT NULL UNIQUE,
  hash bytea NOT NULL UNIQUE CHECK (length(hash) = 32),
  salt bytea,
  plan text NOT NULL,
  account text COLLATE "C",
  parent bigint REFERENCES keys (id),
  label text,
  purchaser text,
  badge text UNIQUE,
  priority bigint NOT NULL DEFAULT 1 CHECK (priority BETWEEN 1 AND 4),
  priority_until bigint,
  pass_until bigint,
  balance_until bigint,
  expires_at bigint,
  revoked_at bigint,
  daily_cap bigint CHECK (daily_cap > 0),
  call_cap bigint CHECK (call_cap > 0),
  products text,
  created_at bigint NOT NULL
);
CREATE INDEX keys_by_parent ON keys (parent) WHERE parent IS NOT NULL;
CREATE TABLE key_usage (
  key_id bigint PRIMARY KEY REFERENCES keys (id),
  calls bigint NOT NULL DEFAULT 0,
  spent bigint NOT NULL DEFAULT 0,
  day bigint NOT NULL DEFAULT 0,
  spent_today bigint NOT NULL DEFAULT 0 CHECK (spent_today >= 0),
  last_call bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
CREATE TABLE grants (
  id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  key_id bigint NOT NULL REFERENCES keys (id),
  plan text NOT NULL,
  payment_id text COLLATE "C" UNIQUE REFERENCES payments (id),
  paid bigint NOT NULL CHECK (paid >= 0),
  credit bigint NOT NULL CHECK (credit >= 0),
  duration_ms bigint,
  at bigint NOT NULL
);
CREATE INDEX grants_by_key ON grants (key_id);

CREATE TABLE holds (
  id bigint PRIMARY KEY,
  owner text NOT NULL,
  key_id bigint NOT NULL REFERENCES keys (id),
  account text COLLATE "C" NOT NULL,
  product text NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  day bigint NOT NULL,
  state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'posted', 'voided', 'expired'))
);
CREATE INDEX holds_pending ON holds (owner) WHERE state = 'pending';

CREATE TABLE answers (
  id bigint PRIMARY KEY,
  body text NOT NULL,
  sha256 text COLLATE "C" NOT NULL
);
CREATE INDEX answers_by_bytes ON answers (sha256, id);
CREATE TABLE calls (
  id bigint PRIMARY KEY,
  key_id bigint,
  previous bigint NOT NULL,
  product text NOT NULL,
  access text NOT NULL CHECK (access IN ('debit', 'pass', 'coupon')),
  amount bigint NOT NULL CHECK (amount >= 0),
  answer_id bigint,
  times bigint NOT NULL DEFAULT 1 CHECK (times > 0 AND (times = 1 OR access = 'pass')),
  CHECK ((access = 'debit') = (amount > 0) OR access = 'coupon')
);
CREATE INDEX calls_of_passes ON calls (key_id, id) WHERE access = 'pass';
-- The row that counts the calls of a pass in its last minute.
CREATE TABLE pass_minutes (
  key_id bigint NOT NULL,
  product text NOT NULL,
  minute bigint NOT NULL,
  call_id bigint NOT NULL,
  PRIMARY KEY (key_id, product)
);
CREATE TABLE call_names (
  key_id bigint NOT NULL REFERENCES keys (id),
  name text COLLATE "C" NOT NULL,
  fingerprint text NOT NULL,
  call_id bigint NOT NULL,
  at bigint NOT NULL,
  PRIMARY KEY (key_id, name)
);
CREATE INDEX call_names_by_time ON call_names (at);

CREATE TABLE coupons (
  id text COLLATE "C" PRIMARY KEY,
  owner text NOT NULL,
  client text COLLATE "C" NOT NULL,
  product text NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  state text NOT NULL CHECK (state IN ('held', 'used')),
  at bigint NOT NULL
);
CREATE INDEX coupons_by_client ON coupons (client, at);
CREATE INDEX coupons_by_time ON coupons (at);

CREATE TABLE manifest (
  id bigint PRIMARY KEY CHECK (id = 1),
  digest text NOT NULL CHECK (length(digest) = 64),
  changed_at bigint NOT NULL
);

CREATE TABLE records (
  realm text COLLATE "C" NOT NULL CHECK (realm IN ('live', 'sandbox')),
  chain text COLLATE "C" NOT NULL,
  seq bigint NOT NULL CHECK (seq > 0),
  record_json text NOT NULL,
  record_hash text COLLATE "C" NOT NULL CHECK (length(record_hash) = 64),
  beside_json text NOT NULL,
  recorded_at bigint NOT NULL,
  PRIMARY KEY (realm, chain, seq),
  UNIQUE (realm, record_hash)
);
CREATE TABLE record_outcomes (
  realm text COLLATE "C" NOT NULL,
  chain text COLLATE "C" NOT NULL,
  seq bigint NOT NULL,
  outcome_json text NOT NULL,
  outcome_hash text NOT NULL CHECK (length(outcome_hash) = 64),
  beside_json text NOT NULL,
  scored_at bigint NOT NULL,
  PRIMARY KEY (realm, chain, seq),
  FOREIGN KEY (realm, chain, seq) REFERENCES records (realm, chain, seq)
);
