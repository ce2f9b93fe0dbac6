import { renderArguments } from "./json.ts";
import { quote, renderList } from "./lists.ts";

/**
 * Debits as nodes of before migration 19 send them: decided in the database. Such nodes sell on while newer ones start,
 * so the function stays; tests and the bench call it as they do.
 */
interface Debit {
  readonly account: string;
  readonly key: number;
  readonly cap: bigint | null;
  readonly amount: bigint;
  readonly product: string;
  readonly day: number;
  /** Where its bytes are kept, or the bytes. */
  readonly answer: number | { readonly body: string; readonly sha256: string };
}

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

const list = <T>(parts: readonly T[], pick: (part: T) => string | number | bigint | null): string =>
  renderList(parts.map(pick));
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

/** @see Debit */
export const DEBITS = { whole: { sql: RUN_DEBITS, values: listDebits } } as const;
