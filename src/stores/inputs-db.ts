import { Database, SQLiteError } from "bun:sqlite";
import { existsSync, renameSync } from "node:fs";
import { sha256Hex } from "../core/hash.ts";
import { once } from "../core/once.ts";
import { StoreError } from "./store-error.ts";

/**
 * inputs.db: what sold answers were made of, by the SHA-256 of their bytes. Nothing in it is money: it may be deleted
 * at any time, and then what was sold before cannot be made again.
 */

/** "inpt" in ASCII. */
const APPLICATION_ID = 0x696e7074;
const SCHEMA_VERSION = 1;

/**
 * What an answer was asked for, so that one is found by it: null for views and whatever else was made of another one,
 * and for what was kept before there was this column.
 */
const ASKED = `
  ALTER TABLE answers ADD COLUMN asked TEXT;
  CREATE INDEX answers_by_question ON answers (asked, made_at_ms) WHERE asked IS NOT NULL;
`;

const SCHEMA = `
  CREATE TABLE inputs (
    sha256 TEXT PRIMARY KEY,
    size INTEGER NOT NULL,
    packed BLOB NOT NULL
  ) STRICT;
  CREATE TABLE answers (
    sha256 TEXT PRIMARY KEY,
    inputs_sha256 TEXT NOT NULL REFERENCES inputs (sha256),
    code_sha256 TEXT,
    made_at_ms INTEGER NOT NULL,
    size INTEGER NOT NULL,
    recipe BLOB NOT NULL,
    body BLOB NOT NULL
  ) STRICT;
  CREATE INDEX answers_by_time ON answers (made_at_ms);
  CREATE INDEX answers_by_inputs ON answers (inputs_sha256);
  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = ${SCHEMA_VERSION};
`;

const readPragma = (db: Database, name: string): unknown =>
  Object.values(db.query<Record<string, unknown>, []>(`PRAGMA ${name}`).get() ?? {})[0];

function prepare(db: Database): void {
  db.run("PRAGMA busy_timeout = 5000");
  db.run("PRAGMA trusted_schema = OFF");
  db.run("PRAGMA foreign_keys = ON");
  const tables = db.query<{ n: number }, []>("SELECT count(*) AS n FROM sqlite_schema").get()?.n ?? 0;
  const is_ours = readPragma(db, "application_id") === APPLICATION_ID;
  if (tables > 0 && !is_ours) throw new StoreError("it belongs to another program");
  if (tables > 0 && readPragma(db, "user_version") !== SCHEMA_VERSION) throw new StoreError("it has another schema");
  // Given back page by page once answers end; it has to be said before the first table is made.
  if (tables === 0) db.run("PRAGMA auto_vacuum = INCREMENTAL");
  db.run("PRAGMA journal_mode = WAL");
  // A seal names what is in here: a power cut must not take it once it was read.
  db.run("PRAGMA synchronous = FULL");
  db.run("PRAGMA journal_size_limit = 67108864");
  if (tables === 0) db.transaction(() => db.run(SCHEMA)).immediate();
  const columns = db.query<{ name: string }, []>("SELECT name FROM pragma_table_info('answers')").all();
  if (!columns.some(({ name }) => name === "asked")) db.transaction(() => db.run(ASKED)).immediate();
}

function openFile(file: string): Database {
  const db = new Database(file, { create: true, strict: true });
  try {
    prepare(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

const isUnusable = (error: unknown): boolean =>
  error instanceof StoreError || (error instanceof SQLiteError && /^SQLITE_(NOTADB|CORRUPT)/.test(error.code ?? ""));

/**
 * Opens the file to write, making it when it does not exist. One that cannot be used is put aside under another name.
 * @returns the new name of what was put aside, else null.
 */
export function openInputsDb(
  file: string,
  now_ms: number,
): { readonly db: Database; readonly put_aside: string | null } {
  try {
    return { db: openFile(file), put_aside: null };
  } catch (error) {
    if (file === ":memory:" || !isUnusable(error)) throw error;
    const put_aside = `${file}.broken-${now_ms}`;
    for (const suffix of ["-wal", "-shm", ""]) {
      if (existsSync(file + suffix)) renameSync(file + suffix, put_aside + suffix);
    }
    return { db: openFile(file), put_aside };
  }
}

/** One answer to be kept; its inputs only with the whole answer, which comes before its views. */
export interface InputsRow {
  readonly sha256: string;
  readonly inputs_sha256: string;
  readonly inputs: string | null;
  readonly code_sha256: string | null;
  readonly made_at_ms: number;
  readonly recipe: string;
  readonly body: string;
  /** See `hashQuestion`; null for what was made of another answer. */
  readonly asked: string | null;
}

/** A product, by the path it has by default, with its parameters as a recipe writes them. */
export const hashQuestion = (path: string, params: string): string => sha256Hex(`${path}\n${params}`);

/** zstd's own default: 1.6 MB of rows in about 8 ms, to a tenth. */
const LEVEL = 3;
const pack = (text: string): Uint8Array => Bun.zstdCompressSync(Buffer.from(text), { level: LEVEL });
const unpack = (packed: Uint8Array): string => Buffer.from(Bun.zstdDecompressSync(packed)).toString("utf8");

/** Writes answers, and ends what is too old or too much. */
export interface InputsWriter {
  /** All of them or none; durable when it returns. @returns how many there were not yet. */
  add(rows: readonly InputsRow[]): number;
  /** Ends answers made before a time, then the oldest until all fit. @returns how many ended. */
  prune(limits: { readonly before_ms: number; readonly bytes_max: number }): number;
  /** Bytes of everything kept, packed. */
  bytes(): number;
}

/** A twentieth at a time: each pass over a full store makes room for a while. */
const SHARE_ENDED = 20;

export function createInputsWriter(db: Database): InputsWriter {
  const hasInputs = db.query<{ n: number }, [string]>("SELECT 1 AS n FROM inputs WHERE sha256 = ?");
  const addInputs = db.query<unknown, [string, number, Uint8Array]>("INSERT INTO inputs VALUES (?, ?, ?)");
  const addAnswer = db.query<unknown, Record<string, string | number | Uint8Array | null>>(
    `INSERT INTO answers (sha256, inputs_sha256, code_sha256, made_at_ms, size, recipe, body, asked)
     VALUES ($sha256, $inputs, $code, $made, $size, $recipe, $body, $asked) ON CONFLICT (sha256) DO NOTHING`,
  );
  const total = db.query<{ n: number | null }, []>(
    "SELECT (SELECT coalesce(sum(size), 0) FROM inputs) + (SELECT coalesce(sum(size), 0) FROM answers) AS n",
  );
  const endBefore = db.query<unknown, [number]>("DELETE FROM answers WHERE made_at_ms < ?");
  const endOldest = db.query<unknown, [number]>(
    "DELETE FROM answers WHERE sha256 IN (SELECT sha256 FROM answers ORDER BY made_at_ms LIMIT ?)",
  );
  const endUnused = db.query<unknown, []>(
    "DELETE FROM inputs WHERE NOT EXISTS (SELECT 1 FROM answers WHERE inputs_sha256 = inputs.sha256)",
  );
  const count = db.query<{ n: number }, []>("SELECT count(*) AS n FROM answers");
  // Read once: to add it up anew takes longer the more there is.
  let sum = total.get()?.n ?? 0;

  /** @returns bytes it takes; 0 when it is there already. */
  const addOne = (row: InputsRow): number => {
    let added = 0;
    const { inputs, inputs_sha256 } = row;
    if (hasInputs.get(inputs_sha256) === null) {
      // A view of an answer that ended meanwhile: there is nothing it could be made of.
      if (inputs === null) return 0;
      const packed = pack(inputs);
      addInputs.run(inputs_sha256, packed.length, packed);
      added += packed.length;
    }
    const [recipe, body] = [pack(row.recipe), pack(row.body)];
    const size = recipe.length + body.length;
    const { changes } = addAnswer.run({
      sha256: row.sha256,
      inputs: inputs_sha256,
      code: row.code_sha256,
      made: row.made_at_ms,
      size,
      recipe,
      body,
      asked: row.asked,
    });
    return changes === 0 ? added : added + size;
  };

  return {
    bytes: () => sum,
    add(rows) {
      const sizes = db.transaction(() => rows.map(addOne)).immediate();
      sum += sizes.reduce((all, one) => all + one, 0);
      return sizes.filter((size) => size > 0).length;
    },
    prune({ before_ms, bytes_max }) {
      const end = db.transaction(() => {
        let ended = endBefore.run(before_ms).changes;
        endUnused.run();
        while ((total.get()?.n ?? 0) > bytes_max) {
          const more = endOldest.run(Math.ceil((count.get()?.n ?? 0) / SHARE_ENDED)).changes;
          endUnused.run();
          if (more === 0) break;
          ended += more;
        }
        return ended;
      });
      const ended = end.immediate();
      sum = total.get()?.n ?? 0;
      if (ended > 0) db.run("PRAGMA incremental_vacuum");
      return ended;
    },
  };
}

/** What was kept of one answer. */
export interface KeptAnswer {
  readonly sha256: string;
  readonly inputs_sha256: string;
  readonly code_sha256: string | null;
  readonly made_at_ms: number;
  /** JSON. */
  readonly recipe: string;
  readonly body: string;
  readonly inputs: string;
}

/** What a seal states of an answer. */
export interface AnswerIdentity {
  readonly inputs_sha256: string;
  readonly code_sha256: string | null;
}

/** What was answered, without what it was made of. */
export type KeptText = Pick<KeptAnswer, "recipe" | "body">;

/** Reads what is durable. */
export interface InputsReader {
  /** Null where it is not kept, or not any more. */
  identify(sha256: string): AnswerIdentity | null;
  get(sha256: string): KeptAnswer | null;
  getText(sha256: string): KeptText | null;
  /** SHA-256 of the newest answer to a question that was made up to a time; null if it is not kept. */
  findAsked(asked: string, at_ms: number): string | null;
  /** When the first and the last kept answer to a question were made; null if no answer is kept. */
  spanOf(asked: string): { readonly first_ms: number; readonly last_ms: number } | null;
  /** SHA-256 of answers made from a time on, oldest first, after one of the same list. */
  list(query: { readonly since_ms: number; readonly after?: string; readonly limit: number }): readonly string[];
  status(): { readonly answers: number; readonly bytes: number; readonly since_ms: number | null };
  close(): void;
}

interface StoredAnswer extends AnswerIdentity {
  readonly made_at_ms: number;
  readonly recipe: Uint8Array;
  readonly body: Uint8Array;
  readonly packed: Uint8Array;
}

/** Opens a file that is there, to read. @throws SQLiteError when it cannot be. */
export function openInputsReader(file: string): InputsReader {
  const db = new Database(file, { readonly: true, strict: true });
  db.run("PRAGMA busy_timeout = 5000");
  const identity = db.query<AnswerIdentity, [string]>(
    "SELECT inputs_sha256, code_sha256 FROM answers WHERE sha256 = ?",
  );
  const whole = db.query<StoredAnswer, [string]>(
    "SELECT inputs_sha256, code_sha256, made_at_ms, recipe, body, packed FROM answers " +
      "JOIN inputs ON inputs.sha256 = inputs_sha256 WHERE answers.sha256 = ?",
  );
  const text = db.query<Pick<StoredAnswer, "recipe" | "body">, [string]>(
    "SELECT recipe, body FROM answers WHERE sha256 = ?",
  );
  // Looked for when they are asked for: a file of before gets its column with the first answer that is written.
  const asked_at = once(() =>
    db.query<{ sha256: string }, [string, number]>(
      "SELECT sha256 FROM answers WHERE asked = ? AND made_at_ms <= ? ORDER BY made_at_ms DESC LIMIT 1",
    ),
  );
  const span = once(() =>
    db.query<{ first_ms: number | null; last_ms: number | null }, [string]>(
      "SELECT min(made_at_ms) AS first_ms, max(made_at_ms) AS last_ms FROM answers WHERE asked = ?",
    ),
  );
  const listed = db.query<{ sha256: string }, [number, number, string, number]>(
    "SELECT sha256 FROM answers WHERE (made_at_ms, sha256) > (max(?, coalesce(?, 0)), ?) " +
      "ORDER BY made_at_ms, sha256 LIMIT ?",
  );
  const timeOf = db.query<{ made_at_ms: number }, [string]>("SELECT made_at_ms FROM answers WHERE sha256 = ?");
  const status = db.query<{ answers: number; bytes: number; since_ms: number | null }, []>(
    "SELECT (SELECT count(*) FROM answers) AS answers, (SELECT min(made_at_ms) FROM answers) AS since_ms, " +
      "(SELECT coalesce(sum(size), 0) FROM inputs) + (SELECT coalesce(sum(size), 0) FROM answers) AS bytes",
  );
  return {
    identify: (sha256) => identity.get(sha256),
    get(sha256) {
      const found = whole.get(sha256);
      if (!found) return null;
      const { recipe, body, packed, ...stated } = found;
      return { sha256, ...stated, recipe: unpack(recipe), body: unpack(body), inputs: unpack(packed) };
    },
    getText(sha256) {
      const found = text.get(sha256);
      return found && { recipe: unpack(found.recipe), body: unpack(found.body) };
    },
    findAsked: (asked, at_ms) => asked_at().get(asked, at_ms)?.sha256 ?? null,
    spanOf(asked) {
      const { first_ms = null, last_ms = null } = span().get(asked) ?? {};
      return first_ms === null || last_ms === null ? null : { first_ms, last_ms };
    },
    list({ since_ms, after = "", limit }) {
      const at_ms = after === "" ? since_ms : (timeOf.get(after)?.made_at_ms ?? since_ms);
      return listed.all(at_ms, since_ms, after, limit).map(({ sha256 }) => sha256);
    },
    status: () => status.get() ?? { answers: 0, bytes: 0, since_ms: null },
    close: () => db.close(),
  };
}
