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
  readonly available: string | null;
  readonly answers: string;
  /** By place, from one on: those that were looked at one by one. */
  readonly others: Readonly<Record<string, Stored>>;
}

/** Moments of one lane are so far apart. */
const LANES = 16;

const quote = (text: string): string => `"${text.replace(/["\\]/g, "\\$&")}"`;
const list = <T>(parts: readonly T[], render: (part: T) => string | number | bigint | null): string =>
  `{${parts.map((part) => render(part) ?? "NULL").join(",")}}`;
const unlist = (text: string): readonly string[] => text.slice(1, -1).split(",");

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
      bodies: parts.flatMap(({ answer }, at) => (typeof answer === "number" ? [] : [{ n: at + 1, ...answer }])),
    }),
  read(result, parts) {
    const { first, available, answers, others } = result as StoredTogether;
    const left = available === null ? [] : unlist(available);
    const kept = unlist(answers);
    return parts.map((_, at): Stored => {
      const other = others[at + 1];
      if (other !== undefined) return other;
      const call_id = first + LANES * at;
      return { ok: true, call_id, available: left[at] ?? "", answer_id: Number(kept[at]) };
    });
  },
};
