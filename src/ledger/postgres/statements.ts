import type { ChargeQueries, NamedCall } from "../charges.ts";
import type { Promised } from "../promised.ts";
import { readPage, type StatementOf, type StatementRow } from "../statement-pages.ts";
import type { CallLine, GrantLine, KeptCall, StatementQueries } from "../statements.ts";
import type { Reader } from "./reader.ts";

export function createChargeQueries({ get }: Reader): Promised<ChargeQueries> {
  return {
    async findNamed(key_id, name) {
      const found = await get<Omit<NamedCall, "call_id"> & { call_id: bigint }>(
        `SELECT n.fingerprint, n.call_id, c.product, c.amount, a.body
         FROM call_names n JOIN calls c ON c.id = n.call_id LEFT JOIN answers a ON a.id = c.answer_id
         WHERE n.key_id = $1::bigint AND n.name = $2::text`,
        [key_id, name],
      );
      return found && { ...found, call_id: Number(found.call_id) };
    },
  };
}

const NO_GRANT = "NULL::text AS plan, NULL::bigint AS paid, NULL::text AS payment_id";
/** $1 the account; $2 the id of the one key whose calls count, or null for those of every key of the account. */
const DRAWS = `FROM transfers t LEFT JOIN calls c ON c.id = t.id
  WHERE t.source = $1::text AND t.kind IN ('debit', 'expiry') AND ($2::bigint IS NULL OR c.key_id = $2::bigint)`;
const RETURNS = `FROM transfers t JOIN calls c ON c.id = CAST(substr(t.reference, 6) AS bigint)
  WHERE t.target = $1::text AND t.kind = 'refund' AND ($2::bigint IS NULL OR c.key_id = $2::bigint)`;
const SUM = "SELECT CAST(coalesce(sum(t.amount), 0) AS bigint) AS amount";
const NEWEST = "ORDER BY id DESC LIMIT $4::bigint";

function createPages({ all, get }: Reader) {
  const amountOf = async (sql: string, values: readonly (string | number | null)[]): Promise<bigint> =>
    (await get<{ amount: bigint }>(sql, values))?.amount ?? 0n;

  /** What a child spent less what came back; for any other key the posted balance, whatever the lines say. */
  async function closingNow({ key_id, account, is_child }: StatementOf): Promise<bigint> {
    if (account === null) return 0n;
    if (!is_child) return amountOf("SELECT posted AS amount FROM accounts WHERE id = $1::text", [account]);
    const returned = await amountOf(`${SUM} ${RETURNS}`, [account, key_id]);
    return returned - (await amountOf("SELECT spent AS amount FROM key_usage WHERE key_id = $1::bigint", [key_id]));
  }

  async function closingBefore(of: StatementOf, before: number): Promise<bigint> {
    const values = [of.account ?? "", of.is_child ? of.key_id : null, before];
    const drawn = await amountOf(`${SUM} ${DRAWS} AND t.id >= $3::bigint`, values);
    const returned = await amountOf(`${SUM} ${RETURNS} AND t.id >= $3::bigint`, values);
    const closing = (await closingNow(of)) + drawn - returned;
    if (of.is_child) return closing;
    const granted = `SELECT CAST(coalesce(sum(credit), 0) AS bigint) AS amount FROM grants
      WHERE key_id = $1::bigint AND at >= $2::bigint`;
    return closing - (await amountOf(granted, [of.key_id, before]));
  }

  async function linesOf(of: StatementOf, before: number, limit: number): Promise<StatementRow[]> {
    const own = [of.account ?? "", of.is_child ? of.key_id : null, before, limit];
    const of_key = [of.key_id, before, limit];
    const key_of_call = "(SELECT public_id FROM keys WHERE id = c.key_id)";
    const lists = [
      all<StatementRow>(
        `SELECT t.id, CASE WHEN t.kind = 'debit' THEN 'call' ELSE 'expiry' END AS kind,
           coalesce(${key_of_call}, substr($1::text, 8)) AS key, c.product, c.access,
           coalesce(c.times, 0) AS times, -t.amount AS change,
           (EXISTS (SELECT 1 FROM transfers r WHERE r.kind = 'refund' AND r.reference = 'call:' || t.id))::int::bigint
             AS refunded, ${NO_GRANT} ${DRAWS} AND t.id < $3::bigint ${NEWEST}`,
        own,
      ),
      all<StatementRow>(
        `SELECT t.id, 'refund' AS kind, ${key_of_call} AS key, c.product, NULL::text AS access, 0::bigint AS times,
           t.amount AS change, 0::bigint AS refunded, ${NO_GRANT} ${RETURNS} AND t.id < $3::bigint ${NEWEST}`,
        own,
      ),
      all<StatementRow>(
        `SELECT c.id, 'call' AS kind, ${key_of_call} AS key, c.product, c.access, c.times, 0::bigint AS change,
           0::bigint AS refunded, ${NO_GRANT}
         FROM calls c WHERE c.key_id = $1::bigint AND c.access = 'pass' AND c.id < $2::bigint
         ORDER BY id DESC LIMIT $3::bigint`,
        of_key,
      ),
    ];
    if (!of.is_child) {
      lists.push(
        all<StatementRow>(
          `SELECT g.at AS id, 'grant' AS kind, (SELECT public_id FROM keys WHERE id = g.key_id) AS key,
             NULL::text AS product, NULL::text AS access, 0::bigint AS times, g.credit AS change, 0::bigint AS refunded,
             g.plan, g.paid, g.payment_id
           FROM grants g WHERE g.key_id = $1::bigint AND g.at < $2::bigint ORDER BY g.at DESC LIMIT $3::bigint`,
          of_key,
        ),
      );
    }
    return (await Promise.all(lists)).flat();
  }
  return { closingNow, closingBefore, linesOf };
}

export interface StatementOptions {
  readonly reader: Reader;
  /** Asks several things of one moment of the books. */
  readonly inSnapshot: <T>(work: (reader: Reader) => Promise<T>) => Promise<T>;
}

export function createStatementQueries({ reader, inSnapshot }: StatementOptions): Promised<StatementQueries> {
  const { all, get } = reader;
  return {
    // What is called meanwhile must not be in the lines and missing from the balance.
    page: (of, { before, limit }) =>
      inSnapshot(async (snapshot) => {
        const { closingNow, closingBefore, linesOf } = createPages(snapshot);
        const closing = before === undefined ? await closingNow(of) : await closingBefore(of, before);
        return readPage(await linesOf(of, before ?? Number.MAX_SAFE_INTEGER, limit + 1), { closing, limit });
      }),
    async calls(key_id, { before, limit }) {
      type Stored = Omit<CallLine, "id" | "at_ms" | "times"> & { id: bigint; times: bigint };
      const rows = await all<Stored>(
        `WITH RECURSIVE chain (id) AS (
           SELECT CASE WHEN $2::bigint IS NULL THEN (SELECT last_call FROM key_usage WHERE key_id = $1::bigint)
                       ELSE (SELECT previous FROM calls WHERE id = $2::bigint AND key_id = $1::bigint) END
           UNION ALL
           SELECT c.previous FROM chain JOIN calls c ON c.id = chain.id WHERE c.previous > 0
         )
         SELECT c.id, k.public_id AS key, c.product, c.access, c.times, c.amount,
           EXISTS (SELECT 1 FROM transfers t WHERE t.kind = 'refund' AND t.reference = 'call:' || c.id) AS refunded
         FROM (SELECT id FROM chain LIMIT $3::bigint) AS newest JOIN calls c ON c.id = newest.id
           JOIN keys k ON k.id = c.key_id ORDER BY c.id DESC`,
        [key_id, before ?? null, limit],
      );
      return rows.map(({ id, times, ...rest }) => ({
        ...rest,
        id: Number(id),
        times: Number(times),
        at_ms: Math.floor(Number(id) / 1000),
      }));
    },
    async grants(key_id) {
      type Stored = Omit<GrantLine, "at_ms" | "duration_ms"> & { at: bigint; duration_ms: bigint | null };
      const rows = await all<Stored>(
        "SELECT at, plan, paid, credit, duration_ms, payment_id FROM grants WHERE key_id = $1::bigint ORDER BY id",
        [key_id],
      );
      return rows.map(({ at, duration_ms, ...rest }) => ({
        ...rest,
        at_ms: Math.floor(Number(at) / 1000),
        duration_ms: duration_ms === null ? null : Number(duration_ms),
      }));
    },
    async granted(key_id) {
      const sql = "SELECT CAST(coalesce(sum(credit), 0) AS bigint) AS total FROM grants WHERE key_id = $1::bigint";
      return (await get<{ total: bigint }>(sql, [key_id]))?.total ?? 0n;
    },
    call: (key_id, call_id) =>
      get<KeptCall>(
        `SELECT c.product, c.amount, a.body AS answer FROM calls c LEFT JOIN answers a ON a.id = c.answer_id
         WHERE c.id = $1::bigint AND c.key_id = $2::bigint`,
        [call_id, key_id],
      ),
  };
}
