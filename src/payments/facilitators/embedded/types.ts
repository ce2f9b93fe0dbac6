import type { Network } from "../../networks/table.ts";

/** An amount that was booked before it was spent. */
export interface GasSpending {
  /** What it did cost, once that is known. Only ever lowers what is booked. */
  correct(actual: bigint): void;
}

export interface SendBytes {
  /** The most it can cost, in the smallest unit of the chain's coin. */
  readonly cost_max: bigint;
  /** Its id, when it is the payment itself and not what prepares it. */
  readonly transaction?: string;
}

/** Stands between an official scheme and the chain for one call, so that afterwards we know what left the house. */
export interface SendWatch {
  /**
   * Called right before bytes leave.
   * @throws GasRefused when they may not: the hourly cap is reached, or the call was given up already.
   */
  beforeSend(send: SendBytes): Promise<GasSpending>;
  /** Every endpoint certainly refused the transaction that was sent last: it is as if it had not left. */
  takeBack(): void;
  /** An endpoint failed, so whatever a scheme concludes from that proves nothing. */
  noteFault(error: unknown): void;
}

/** What a scheme says, in the words of x402. */
export interface SchemeVerify {
  readonly isValid: boolean;
  readonly invalidReason?: string | undefined;
  readonly invalidMessage?: string | undefined;
  /** Of a channel: its state on the chain. */
  readonly extra?: unknown;
}
export interface SchemeSettle {
  readonly success: boolean;
  readonly transaction: string;
  readonly network: string;
  readonly errorReason?: string | undefined;
  readonly errorMessage?: string | undefined;
  readonly amount?: string | undefined;
  readonly extra?: unknown;
}

/** The part of an official scheme that we use. */
export interface Scheme {
  verify(payload: unknown, requirement: unknown): Promise<SchemeVerify>;
  settle(payload: unknown, requirement: unknown): Promise<SchemeSettle>;
}

/** One chain, one gas account. */
export interface ChainEngine {
  /** The address that pays the fees. */
  readonly account: string;
  /** Goes into the kind's `extra`. */
  readonly extra: Readonly<Record<string, unknown>>;
  /** Schemes it settles besides `exact`, with the `extra` of each; as of the last check. */
  more_kinds?(): Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Whether it settles nothing whose gas costs more than a share of the price: what it settles is then no loss. */
  readonly covers_cost?: boolean;
  /**
   * Asks the chain how things stand, in the smallest unit of its coin: what the account can spend, and about what one
   * settlement costs.
   * @throws Error when no endpoint answers, or they are endpoints of another chain.
   */
  check(): Promise<{ readonly balance: bigint; readonly cost: bigint }>;
  /** A scheme for one call. */
  open(watch: SendWatch): Scheme;
}

export interface EngineOptions {
  readonly network: Network;
  /** The secret key as text, in a form that `isGasKey` accepts. */
  readonly key: string;
  readonly rpc_urls: readonly string[];
  /** Sent to the endpoints where the chain's library can. */
  readonly headers: Readonly<Record<string, string>>;
  /** Factories that may be called to create a buyer's contract wallet (ERC-6492). */
  readonly factories: readonly string[];
  /** How long a transaction that was sent is waited for. */
  readonly confirm_ms: number;
  /** What one payment may cost; EVM only, where a buyer's own contract can make it dear. */
  readonly gas: GasLimits;
}

export interface GasLimits {
  /** Units of gas, for the payment itself. */
  readonly per_call_max: bigint;
  /** What one coin is worth in atomic USDC, as the operator says; null when he does not. */
  readonly coin_price: bigint | null;
  /** Part of a payment's amount that its gas may cost, where the coin's worth is known. */
  readonly share_max: number;
}

/** @throws Error for an invalid key. Its text never holds the key. */
export type CreateEngine = (options: EngineOptions) => Promise<ChainEngine>;

/** Thrown before anything was sent: the gas account may not pay for it. */
export class GasRefused extends Error {
  override readonly name = "GasRefused";
}
