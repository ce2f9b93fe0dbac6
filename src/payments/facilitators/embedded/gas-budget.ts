import { readFileSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { Type } from "@sinclair/typebox";
import type { Clock } from "../../../core/clock.ts";
import { createLRU } from "../../../core/lru.ts";
import { createReader } from "../../codec.ts";
import type { GasSpending } from "./types.ts";

const MINUTE_MS = 60_000;
const MINUTES = 60;

const readBooks = createReader(
  Type.Object({
    version: Type.Literal(1),
    /** Minutes since the epoch, with what was spent in each. */
    minutes: Type.Record(Type.String({ pattern: "^[0-9]{1,10}$" }), Type.String({ pattern: "^[0-9]{1,30}$" })),
  }),
);

/** Who or what may use only a part of the cap, so that the rest is there for all others. */
export interface GasPart {
  /** Such as "payer 0x…". */
  readonly name: string;
  /** The cap divided by this. */
  readonly divisor: bigint;
}

/** How much the gas account may still spend in an hour, kept in a file so that a restart does not begin anew. */
export interface GasBudget {
  /** In the smallest unit of the chain's coin. */
  left(): bigint;
  /** Whether a part is used up. Forgotten in a restart: the cap as a whole is not. */
  isUsedUp(part: GasPart): boolean;
  /**
   * Books an amount, against a part too where one is named; on disk before this resolves. Null when it would go over
   * the cap. Rejects when the disk fails.
   */
  reserve(amount: bigint, part?: GasPart | null): Promise<GasSpending | null>;
}

export interface GasBudgetOptions {
  readonly file: string;
  /** Most that may be spent in any 60 minutes. */
  readonly cap: bigint;
  readonly clock: Clock;
}

/** What was spent, by minutes since the epoch. */
type Spent = Map<number, bigint>;
const PARTS_MAX = 10_000;

/** What was spent in the last hour. Minutes of a clock that was ahead count as now, so that they pass too. */
function totalOf(spent: Spent, minute: number): bigint {
  for (const [at, amount] of [...spent]) {
    if (at <= minute && at > minute - MINUTES) continue;
    spent.delete(at);
    if (at > minute) spent.set(minute, (spent.get(minute) ?? 0n) + amount);
  }
  return [...spent.values()].reduce((sum, amount) => sum + amount, 0n);
}

/** @throws Error when the file is there and cannot be read: counting anew would lift the cap. */
export function openGasBudget({ file, cap, clock }: GasBudgetOptions): GasBudget {
  const spent = load(file);
  const parts = createLRU<Spent>(PARTS_MAX);
  const now = () => Math.floor(clock.now() / MINUTE_MS);
  const left = (): bigint => {
    const rest = cap - totalOf(spent, now());
    return rest > 0n ? rest : 0n;
  };
  const partOf = (name: string): Spent => {
    const own = parts.get(name) ?? new Map<number, bigint>();
    parts.set(name, own);
    return own;
  };

  let saving: Promise<void> = Promise.resolve();
  const save = (): Promise<void> => {
    const next = saving.then(() => write(file, spent));
    saving = next.catch(() => undefined);
    return next;
  };

  return {
    left,
    isUsedUp: ({ name, divisor }) => {
      const own = parts.get(name);
      return own !== undefined && totalOf(own, now()) * divisor >= cap;
    },
    async reserve(amount, part = null) {
      if (amount > left()) return null;
      const minute = now();
      const books = part === null ? [spent] : [spent, partOf(part.name)];
      for (const book of books) book.set(minute, (book.get(minute) ?? 0n) + amount);
      await save();
      let booked = amount;
      return {
        correct(actual) {
          if (actual >= booked) return;
          for (const book of books) {
            // In the minute it was booked in, if that still counts.
            const then = book.get(minute);
            if (then !== undefined) book.set(minute, then - (booked - actual));
          }
          booked = actual;
        },
      };
    },
  };
}

function load(file: string): Map<number, bigint> {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return new Map();
    throw error;
  }
  const books = readBooks(parse(text));
  if (!books) throw new Error(`${file} does not say what was spent on gas: delete it to count from nothing`);
  return new Map(Object.entries(books.minutes).map(([minute, amount]) => [Number(minute), BigInt(amount)]));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Said by the caller, with what to do.
    return null;
  }
}

/** Whole or not at all: temp file, fsync, rename, fsync of the folder. */
async function write(file: string, spent: ReadonlyMap<number, bigint>): Promise<void> {
  const minutes = Object.fromEntries([...spent].map(([minute, amount]) => [minute, amount.toString()]));
  const temporary = `${file}.tmp`;
  const handle = await open(temporary, "w", 0o600);
  try {
    await handle.writeFile(`${JSON.stringify({ version: 1, minutes })}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(temporary, file);
  const folder = await open(dirname(file), "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
