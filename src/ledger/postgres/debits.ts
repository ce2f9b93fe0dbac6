import type { Joint } from "./batch.ts";
import { renderArguments } from "./json.ts";

/** A debit without a name, as the database takes many together. */
export interface Debit {
  readonly account: string;
  readonly key: number;
  readonly cap: bigint | null;
  readonly amount: bigint;
  readonly product: string;
  readonly day: number;
  /** Where its bytes are kept, or the bytes. */
  readonly answer: number | { readonly body: string; readonly sha256: string };
}

/** What the database answers to a charge. */
export interface Stored {
  readonly ok: boolean;
  readonly why?: "insufficient_credits" | "daily_cap" | "named_before";
  readonly available: string;
  readonly call_id?: number;
  readonly answer_id?: number;
  readonly id?: number;
}

interface StoredTogether {
  readonly first: number;
  /** After each. */
  readonly available?: string | null;
  /** After all, of each balance. */
  readonly left?: string;
  readonly answers?: string;
  /** By place, from one on: those that were looked at one by one. */
  readonly others?: Readonly<Record<string, Stored>>;
}

/** Moments of one lane are so far apart. */
const LANES = 16;

const quote = (text: string): string => `"${text.replace(/["\\]/g, "\\$&")}"`;
const list = <T>(parts: readonly T[], render: (part: T) => string | number | bigint | null): string =>
  `{${parts.map((part) => render(part) ?? "NULL").join(",")}}`;
const unlist = (text: string): readonly string[] => text.slice(1, -1).split(",");

const RUN_DEBITS = `SELECT run_debits($1::text, $2::bigint, $3::bigint, $4::bigint, $5::bigint,
  $6::text[], $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[],
  $13::bigint[], $14::bigint[], $15::text[], $16::text[], $17::bigint[], $18::bigint[], $19::bigint[], $20::text)
  AS results`;
/** The account of what calls bring in. */
const INCOME = "revenue:calls";

/** Debits of one key, added up. */
interface OfKey {
  readonly place: number;
  readonly key: number;
  cap: bigint | null;
  calls: number;
  amount: bigint;
  /** Place of the last one. */
  last: number;
}

const least = (a: bigint | null, b: bigint | null): bigint | null => (a === null || (b !== null && b < a) ? b : a);

/**
 * The parameters of `run_debits`, from the fifth on.
 * @param parts in the order of their balances.
 */
function listDebits(parts: readonly Debit[]): readonly unknown[] {
  const accounts: string[] = [];
  const takes: bigint[] = [];
  const keys = new Map<number, OfKey>();
  const places: number[] = [];
  const befores: number[] = [];
  let total = 0n;
  parts.forEach(({ account, key, cap, amount }, at) => {
    if (accounts.at(-1) !== account) {
      accounts.push(account);
      takes.push(0n);
    }
    takes[takes.length - 1] = (takes.at(-1) ?? 0n) + amount;
    total += amount;
    let own = keys.get(key);
    if (own === undefined) {
      own = { place: keys.size + 1, key, cap, calls: 0, amount: 0n, last: 0 };
      keys.set(key, own);
    }
    places.push(own.place);
    befores.push(own.last);
    own.cap = least(own.cap, cap);
    own.calls += 1;
    own.amount += amount;
    own.last = at + 1;
  });
  const all = [...keys.values()];
  const kept = new Set(parts.map(({ answer }) => answer).filter((answer) => typeof answer === "number"));
  const bodies = listBodies(parts);
  return [
    parts[0]?.day ?? 0,
    list([...accounts, INCOME], quote),
    list([...takes, -total], String),
    list(all, ({ key }) => key),
    list(all, ({ calls }) => calls),
    list(all, ({ amount }) => amount),
    list(all, ({ cap }) => cap),
    list(all, ({ last }) => last),
    list(places, String),
    list(befores, String),
    list(parts, ({ account }) => quote(account)),
    list(parts, ({ product }) => quote(product)),
    list(parts, ({ amount }) => amount),
    list(parts, ({ answer }) => (typeof answer === "number" ? answer : null)),
    list([...kept], String),
    bodies.length === 0 ? null : renderArguments(bodies),
  ];
}

const listBodies = (parts: readonly Debit[]): readonly object[] =>
  parts.flatMap(({ answer }, at) => (typeof answer === "number" ? [] : [{ n: at + 1, ...answer }]));

/** What each debit left of its balance, from what all of them left of it. */
function listAvailable(left: string, parts: readonly Debit[]): readonly string[] {
  const rest = unlist(left).map(BigInt);
  const available: string[] = new Array(parts.length);
  // After the balances comes the income.
  let balance = rest.length - 2;
  for (let at = parts.length - 1; at >= 0; at--) {
    const { account, amount } = parts[at] as Debit;
    if (at < parts.length - 1 && parts[at + 1]?.account !== account) balance -= 1;
    available[at] = String(rest[balance]);
    rest[balance] = (rest[balance] ?? 0n) + amount;
  }
  return available;
}

/** Debits of one day, in lists as the database notes them: read at once, where JSON is taken apart piece by piece. */
export const DEBITS: Joint<Debit> = {
  name: "charges.debits",
  render: (parts) =>
    renderArguments({
      day: parts[0]?.day ?? 0,
      accounts: list(parts, ({ account }) => quote(account)),
      keys: list(parts, ({ key }) => key),
      caps: list(parts, ({ cap }) => cap),
      amounts: list(parts, ({ amount }) => amount),
      products: list(parts, ({ product }) => quote(product)),
      answers: list(parts, ({ answer }) => (typeof answer === "number" ? answer : null)),
      bodies: listBodies(parts),
    }),
  whole: { sql: RUN_DEBITS, values: listDebits },
  read(result, parts) {
    const { first, available, left, answers, others } = result as StoredTogether;
    const rest = left !== undefined ? listAvailable(left, parts) : available ? unlist(available) : [];
    const kept = answers === undefined ? parts.map(({ answer }) => answer) : unlist(answers);
    return parts.map((_, at): Stored => {
      const other = others?.[at + 1];
      if (other !== undefined) return other;
      const call_id = first + LANES * at;
      return { ok: true, call_id, available: rest[at] ?? "", answer_id: Number(kept[at]) };
    });
  },
};
