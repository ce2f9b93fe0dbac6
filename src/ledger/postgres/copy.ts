import type { Database } from "bun:sqlite";
import type { TransactionSQL } from "bun";
import { createReader, type Reader } from "./reader.ts";

/** Tables both engines have, what each row of one refers to before it. */
interface CopiedTable {
  readonly name: string;
  /** Its name in PostgreSQL, when that is another. */
  readonly postgres?: string;
  /** Columns, in both. Bytes are marked. */
  readonly columns: readonly string[];
  readonly bytes?: readonly string[];
  readonly order: string;
  /** Columns only PostgreSQL has, with their value after a move. */
  readonly more?: Readonly<Record<string, string>>;
}

const columns = (text: string): readonly string[] => text.split(" ");
const OWNED = { owner: "$owner" };

export const COPIED_TABLES: readonly CopiedTable[] = [
  {
    name: "accounts",
    postgres: "account_parts",
    columns: columns("id kind posted pending created_at"),
    order: "id",
    more: { part: "0" },
  },
  { name: "transfers", columns: columns("id kind reference source target amount"), order: "id" },
  {
    name: "payments",
    columns: columns(
      "id replay_key payload_hash fingerprint product network asset payer pay_to amount valid_until payload state " +
        "facilitator reason answer chain_transaction hint_transaction identifier proof purchase delivered created_at " +
        "updated_at door authorized",
    ),
    order: "id",
    more: OWNED,
  },
  { name: "pruned_payments", columns: columns("network state count"), order: "network, state" },
  {
    name: "receipts",
    columns: columns(
      "seq id payment_id transfer_id network chain_transaction product asset amount payer pay_to label settled_at " +
        "facilitator request_sha256 response_sha256 node",
    ),
    order: "seq",
  },
  { name: "given_back", columns: columns("id receipt_id amount reference reason"), order: "id" },
  { name: "corrections", columns: columns("id receipt_id amount received reference reason"), order: "id" },
  {
    name: "explained_transfers",
    columns: columns("network chain_transaction reference reason at"),
    order: "network, chain_transaction",
  },
  {
    name: "receipt_totals",
    columns: columns("product label count amount last_settled_at"),
    order: "product, label",
  },
  { name: "receipt_hours", columns: columns("hour label count amount"), order: "hour, label" },
  {
    name: "landings",
    columns: columns("receipt_id network facilitator state looks checked_at due_at hour doubted"),
    order: "receipt_id",
  },
  {
    name: "landing_counts",
    columns: columns("hour network facilitator state count"),
    order: "hour, network, facilitator, state",
  },
  {
    name: "keys",
    columns: columns(
      "id public_id hash salt plan account parent label purchaser badge priority priority_until pass_until " +
        "balance_until expires_at revoked_at suspended_at daily_cap call_cap products lot_until created_at",
    ),
    bytes: ["hash", "salt"],
    order: "id",
  },
  { name: "key_usage", columns: columns("key_id calls spent day spent_today last_call"), order: "key_id" },
  {
    name: "grants",
    columns: columns("id key_id plan payment_id paid credit duration_ms at"),
    order: "id",
  },
  {
    name: "channels",
    columns: columns(
      "id network token payer receiver config label deposited refunded base charged signed signature claimed lost " +
        "withdraw_at refund_nonce open_move created_at used_at synced_at",
    ),
    order: "id",
  },
  {
    name: "channel_steps",
    columns: columns(
      "id channel signed amount allowed product fingerprint voucher_sha256 identifier proof answer_id move_id",
    ),
    order: "id",
  },
  {
    name: "channel_moves",
    columns: columns(
      "id kind state network channel amount balance_before nonce valid_until facilitator chain_transaction reason " +
        "step answer_id created_at updated_at",
    ),
    order: "id",
    more: OWNED,
  },
  {
    name: "lots",
    columns: columns("id key_id until credit spent expired ended_at transfer_id at"),
    order: "id",
  },
  {
    name: "holds",
    columns: columns("id key_id account product amount charged day state"),
    order: "id",
    more: OWNED,
  },
  { name: "answers", columns: columns("id body sha256"), order: "id" },
  {
    name: "calls",
    columns: columns("id key_id previous product access amount answer_id times door"),
    order: "id",
  },
  { name: "call_names", columns: columns("key_id name fingerprint call_id at"), order: "key_id, name" },
  { name: "coupons", columns: columns("id client product amount state at"), order: "id", more: OWNED },
  { name: "manifest", columns: columns("id digest changed_at"), order: "id" },
  {
    name: "records",
    columns: columns("realm chain seq record_json record_hash beside_json recorded_at"),
    order: "realm, chain, seq",
  },
  {
    name: "record_outcomes",
    columns: columns("realm chain seq outcome_json outcome_hash beside_json scored_at"),
    order: "realm, chain, seq",
  },
  { name: "used_nonces", columns: columns("nonce until"), order: "nonce" },
];

type Row = Readonly<Record<string, unknown>>;
const ROWS_AT_ONCE = 1_000;

const selectOf = ({ columns, order }: CopiedTable, from: string): string =>
  `SELECT ${columns.join(", ")} FROM ${from} ORDER BY ${order}`;

/** One row as text that is the same whichever engine gave it. */
function renderRow({ columns }: CopiedTable, row: Row): string {
  const values = columns.map((name) => {
    const value = row[name];
    if (typeof value === "bigint") return value.toString();
    return value instanceof Uint8Array ? Buffer.from(value).toString("hex") : value;
  });
  return JSON.stringify(values);
}

export interface TableDigest {
  readonly table: string;
  readonly rows: number;
  /** SHA-256 of every row in order, hex. */
  readonly sha256: string;
}

/** Goes through a table of a file in chunks. */
function* readFile(db: Database, table: CopiedTable): Generator<readonly Row[]> {
  let rows: Row[] = [];
  for (const row of db.query(selectOf(table, table.name)).iterate() as Iterable<Row>) {
    rows.push(row);
    if (rows.length < ROWS_AT_ONCE) continue;
    yield rows;
    rows = [];
  }
  if (rows.length > 0) yield rows;
}

/** Goes through a table of a database in chunks. Parts of an account are one. */
async function* readDatabase(tx: TransactionSQL, table: CopiedTable): AsyncGenerator<readonly Row[]> {
  const { all } = createReader(tx, []);
  const created = "(SELECT min(created_at) FROM account_parts p WHERE p.id = a.id) AS created_at";
  const from = table.name === "accounts" ? `(SELECT a.*, ${created} FROM accounts a) AS whole` : table.name;
  await tx.unsafe(`DECLARE copied NO SCROLL CURSOR FOR ${selectOf(table, from)}`);
  for (;;) {
    const rows = await all<Row>(`FETCH ${ROWS_AT_ONCE} FROM copied`);
    if (rows.length === 0) break;
    yield rows;
  }
  await tx.unsafe("CLOSE copied");
}

async function digest(table: CopiedTable, chunks: Iterable<readonly Row[]> | AsyncIterable<readonly Row[]>) {
  const hasher = new Bun.CryptoHasher("sha256");
  let rows = 0;
  for await (const chunk of chunks) {
    for (const row of chunk) hasher.update(`${renderRow(table, row)}\n`);
    rows += chunk.length;
  }
  return { table: table.name, rows, sha256: hasher.digest("hex") };
}

/**
 * What both copies of each table say, read back from both.
 * @throws Error that names the first table in which they are not the same.
 */
export async function compareCopies(db: Database, tx: TransactionSQL): Promise<readonly TableDigest[]> {
  const found: TableDigest[] = [];
  for (const table of COPIED_TABLES) {
    const inFile = await digest(table, readFile(db, table));
    const inDatabase = await digest(table, readDatabase(tx, table));
    if (inFile.sha256 !== inDatabase.sha256) {
      const counts = `${inFile.rows} rows in the file, ${inDatabase.rows} in the database`;
      throw new Error(`${table.name} is not the same in both: ${counts}. Nothing was moved.`);
    }
    found.push(inFile);
  }
  return found;
}

/** Copies every table of a file into empty ones. `owner`: who goes on with what is in flight. */
export async function copyIntoDatabase(db: Database, tx: TransactionSQL, owner: string): Promise<void> {
  for (const table of COPIED_TABLES) {
    const target = table.postgres ?? table.name;
    // Rows that its triggers would write are copied anyway.
    await tx.unsafe(`ALTER TABLE ${target} DISABLE TRIGGER USER`);
    for (const rows of readFile(db, table)) await insertRows(tx, table, { rows, owner });
    await tx.unsafe(`ALTER TABLE ${target} ENABLE TRIGGER USER`);
  }
  await setCounters(createReader(tx, []));
}

async function insertRows(
  tx: TransactionSQL,
  table: CopiedTable,
  { rows, owner }: { readonly rows: readonly Row[]; readonly owner: string },
): Promise<void> {
  const { columns, bytes = [], more = {} } = table;
  const added = Object.entries(more);
  const readText = (name: string, n: number) => {
    const text = `r.value ->> ${n}`;
    return bytes.includes(name) ? `decode(${text}, 'hex')` : text;
  };
  const types = new Map(
    (
      await createReader(tx, []).all<{ column_name: string; data_type: string }>(
        `SELECT column_name, data_type FROM information_schema.columns
         WHERE table_schema = current_schema() AND table_name = $1::text`,
        [table.postgres ?? table.name],
      )
    ).map(({ column_name, data_type }) => [column_name, data_type]),
  );
  const values = columns.map((name, n) =>
    bytes.includes(name) ? readText(name, n) : `CAST(${readText(name, n)} AS ${types.get(name)})`,
  );
  const constants = added.map(([, value]) => (value === "$owner" ? "$2::text" : `${value}::smallint`));
  const uses_owner = added.some(([, value]) => value === "$owner");
  const text = `[${rows.map((row) => renderRow(table, row)).join(",")}]`;
  await tx.unsafe(
    `INSERT INTO ${table.postgres ?? table.name} (${[...columns, ...added.map(([name]) => name)].join(", ")})
     SELECT ${[...values, ...constants].join(", ")} FROM jsonb_array_elements($1::text::jsonb) AS r (value)`,
    uses_owner ? [text, owner] : [text],
  );
}

/** Whatever is dated or numbered from now on comes after everything that is there. */
async function setCounters({ get }: Reader): Promise<void> {
  await get(
    `UPDATE lanes SET last_us = (m.last / 16 + 1) * 16 + lane FROM (SELECT greatest(
       coalesce((SELECT max(id) FROM transfers), 0), coalesce((SELECT max(settled_at) FROM receipts), 0),
       coalesce((SELECT max(id) FROM calls), 0), coalesce((SELECT max(id) FROM answers), 0),
       coalesce((SELECT max(id) FROM holds), 0), coalesce((SELECT max(id) FROM channel_moves), 0)) AS last) AS m`,
  );
  for (const table of ["keys", "grants", "lots"]) {
    await get(`SELECT setval(pg_get_serial_sequence('${table}', 'id'), coalesce(max(id), 0) + 1, false) FROM ${table}`);
  }
}

/** Copies every table of a database into those of a new file, in one db transaction of the file. */
export async function copyIntoFile(tx: TransactionSQL, db: Database): Promise<void> {
  const triggers = db
    .query<{ name: string; sql: string }, []>("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
    .all();
  db.run("PRAGMA foreign_keys = OFF");
  db.run("BEGIN IMMEDIATE");
  try {
    // Rows that triggers would write are copied anyway.
    for (const { name } of triggers) db.run(`DROP TRIGGER ${name}`);
    for (const table of COPIED_TABLES) {
      const { name, columns } = table;
      const insert = db.query(
        `INSERT INTO ${name} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
      );
      for await (const rows of readDatabase(tx, table)) {
        for (const row of rows) insert.run(...(columns.map((column) => row[column] ?? null) as (string | null)[]));
      }
    }
    for (const { sql } of triggers) db.run(sql);
    const dangling = db.query("PRAGMA foreign_key_check").get();
    if (dangling) throw new Error("the copy would leave a dangling reference");
    db.run("COMMIT");
  } catch (error) {
    db.run("ROLLBACK");
    throw error;
  }
  db.run("PRAGMA foreign_keys = ON");
}
