import type { ResultOf } from "./decide/results.ts";
import type { KeyRow } from "./key-rows.ts";

/** One call that a key pays for. */
export interface Charge {
  readonly key: Pick<KeyRow, "id" | "daily_cap">;
  /** The key whose balance is drawn on: `key` itself or its parent. */
  readonly root: Pick<KeyRow, "account">;
  readonly product: string;
  /** Atomic USDC, above 0. */
  readonly amount: bigint;
  readonly now_ms: number;
  /** Which door the call came through; left out when it is not known. */
  readonly door?: string | null | undefined;
}

/** The holder's own name for a call, hashed, and the request it belongs to. */
export interface CallName {
  readonly name: string;
  readonly fingerprint: string;
}

export interface Charged {
  readonly ok: true;
  readonly call_id: number;
  /** What can still be spent, atomic USDC. */
  readonly available: bigint;
}
/** `named_before`: a call of this name was charged already; its answer is there. */
export type ChargeRefusal = Exclude<ResultOf<"debit">, "charged">;
export type ChargeResult = Charged | { readonly ok: false; readonly why: ChargeRefusal; readonly available: bigint };
export type HoldResult = { readonly ok: true; readonly id: number } | Extract<ChargeResult, { ok: false }>;
