import type { ChargeResult } from "../charge.ts";
import type { Debit } from "./debits.ts";

/**
 * Debits on their way to the thread of the books and back, as text: of all commands they come most often, and a copy of
 * their objects costs ten times as much. An answer that was sold before is sent as its number.
 */
export interface DebitCall extends Debit {
  readonly id: number;
}

export interface DebitResult {
  readonly id: number;
  readonly result: ChargeResult;
}

type Packed = readonly [
  id: number,
  key: number,
  daily_cap: PackedAmount | null,
  account: string | null,
  product: string,
  amount: PackedAmount,
  now_ms: number,
  body: number,
  name: string | null,
  fingerprint: string | null,
  door: string | null,
];
/** Text where a number would not be exact. */
type PackedAmount = number | string;
interface PackedDebits {
  readonly calls: readonly Packed[];
  /** Answers that the thread does not know yet, by their numbers. */
  readonly bodies: readonly (readonly [number, string])[];
  /** The earlier numbers are no longer valid. */
  readonly anew: boolean;
}
type PackedResult = readonly [id: number, call: number | string, available: PackedAmount];

const BODY_CHARS_MAX = 4_000_000;

const packAmount = (amount: bigint): PackedAmount => {
  const number = Number(amount);
  return Number.isSafeInteger(number) ? number : amount.toString();
};

/** Packs for one thread; a new thread needs a new one. */
export function createDebitPacker(): (calls: readonly DebitCall[]) => string {
  const known = new Map<string, number>();
  let chars = 0;
  let next = 1;
  return (calls) => {
    const anew = chars > BODY_CHARS_MAX;
    if (anew) {
      known.clear();
      chars = 0;
    }
    const bodies: [number, string][] = [];
    const numberOf = (body: string): number => {
      const found = known.get(body);
      if (found !== undefined) return found;
      const number = next++;
      known.set(body, number);
      chars += body.length;
      bodies.push([number, body]);
      return number;
    };
    const packed = calls.map(({ id, charge, answer }): Packed => {
      const { key, root, product, amount, now_ms, door = null } = charge;
      const cap = key.daily_cap === null ? null : packAmount(key.daily_cap);
      const { name, fingerprint } = answer.name ?? { name: null, fingerprint: null };
      const body = numberOf(answer.body);
      return [id, key.id, cap, root.account, product, packAmount(amount), now_ms, body, name, fingerprint, door];
    });
    return JSON.stringify({ calls: packed, bodies, anew } satisfies PackedDebits);
  };
}

/** The other end: unpacks what one packer packed, in the same order. */
export function createDebitUnpacker(): (text: string) => readonly DebitCall[] {
  const known = new Map<number, string>();
  return (text) => {
    const { calls, bodies, anew }: PackedDebits = JSON.parse(text);
    if (anew) known.clear();
    for (const [number, body] of bodies) known.set(number, body);
    return calls.map(([id, key, cap, account, product, amount, now_ms, body, name, fingerprint, door]): DebitCall => {
      const text = known.get(body);
      if (text === undefined) throw new Error(`the books do not know answer ${body}`);
      const daily_cap = cap === null ? null : BigInt(cap);
      const call_name = name === null || fingerprint === null ? null : { name, fingerprint };
      return {
        id,
        charge: { key: { id: key, daily_cap }, root: { account }, product, amount: BigInt(amount), now_ms, door },
        answer: { body: text, name: call_name },
      };
    });
  };
}

export const packDebitResults = (results: readonly DebitResult[]): string =>
  JSON.stringify(
    results.map(
      ({ id, result }): PackedResult => [id, result.ok ? result.call_id : result.why, packAmount(result.available)],
    ),
  );

export function unpackDebitResults(text: string): readonly DebitResult[] {
  const packed: readonly PackedResult[] = JSON.parse(text);
  return packed.map(([id, call, amount]): DebitResult => {
    const available = BigInt(amount);
    if (typeof call === "number") return { id, result: { ok: true, call_id: call, available } };
    return { id, result: { ok: false, why: call as Extract<ChargeResult, { ok: false }>["why"], available } };
  });
}
