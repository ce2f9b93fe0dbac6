import type { Movement, ResultOf } from "../../../src/ledger/decide/results.ts";

/** One line of the table: what a command comes to in a state, with everything that is decided besides. */
export interface Row {
  readonly movement: Movement;
  readonly says: string;
  readonly decide: () => object;
  readonly decided: { readonly result: string; readonly transfers: readonly object[] };
}

/** A line with its transfers; without a word, nothing is moved. */
export const row =
  <M extends Movement>(movement: M) =>
  (
    result: ResultOf<M>,
    says: string,
    {
      decide,
      transfers = [],
      ...more
    }: { decide: () => object; transfers?: readonly object[]; [field: string]: unknown },
  ): Row => ({ movement, says, decide, decided: { result, transfers, ...more } });

/** Everything in it stands still: a decision changes nothing of what it is given. */
export function freeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) freeze(part);
  }
  return value;
}

export const credit = (id: string) => ({ id, kind: "credit" });
export const revenue = (name: string) => ({ id: `revenue:${name}`, kind: "revenue" });
export const promotion = (name: string) => ({ id: `promotion:${name}`, kind: "promotion" });
