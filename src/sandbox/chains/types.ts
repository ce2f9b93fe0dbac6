import type { AccountState } from "./account-states.ts";

/** One transfer on a simulated chain. */
export interface ChainSettlement {
  readonly network: string;
  readonly payer: string;
  readonly pay_to: string;
  readonly amount_atomic: string;
  readonly transaction: string;
  readonly replay_key: string;
  readonly at: string;
}

export interface ChainVerify {
  readonly isValid: boolean;
  readonly invalidReason?: string;
  readonly invalidMessage?: string;
  readonly payer?: string;
}

export interface ChainSettle {
  readonly success: boolean;
  readonly transaction: string;
  readonly network: string;
  readonly payer?: string;
  readonly errorReason?: string;
  readonly errorMessage?: string;
}

/** The view of an endpoint that lags behind, or lies. */
export interface ChainView {
  readonly now_ms: () => number;
  /** Whether the view shows a settlement of a given time. */
  readonly sees: (at_ms: number) => boolean;
}

/** One simulated payment network: money, signatures, settlement, and the RPC that reads it. A family is one folder. */
export interface SandboxChain {
  /** CAIP-2. */
  readonly network: string;
  /** The world server has its RPC at `/rpc/<rpc_name>`. */
  readonly rpc_name: string;
  /**
   * Adds test money. An address never seen before starts with exactly this instead of the usual 100 USDC.
   * @throws RangeError for an invalid address of this chain, or when the limit of addresses is reached.
   */
  fund(address: string, amount: bigint): void;
  /**
   * Removes, freezes or restores the account that holds an address's tokens. Absent on chains without such accounts.
   * @throws RangeError for an invalid address of this chain, or when the limit of accounts is reached.
   */
  setAccount?(address: string, state: AccountState): void;
  /** Registers a seller before the first payment. Absent on chains that do not need it. */
  introduce?(address: string): void;
  /** Decimal atomic USDC of every address that was ever seen. */
  balances(): Readonly<Record<string, string>>;
  /** Balance of an address, 100 USDC if it was never seen; null if it is not an address of this chain. */
  balanceOf(address: string): bigint | null;
  settlements(): readonly ChainSettlement[];
  verify(payload: unknown, requirement: unknown): Promise<ChainVerify>;
  settle(payload: unknown, requirement: unknown): Promise<ChainSettle>;
  /**
   * Calls the channel contract as an account's wallet would. Absent on chains without the contract.
   * @throws RangeError when the contract reverts.
   */
  callContract?(data: string, sender: string): Promise<string>;
  /** Answers one JSON-RPC request, perhaps as a promise. Given a view, it answers with that view of the chain. */
  rpc(request: unknown, view?: ChainView): unknown;
  /** Answers at a separate address, for chains whose clients drop the path of a URL. */
  handle?(request: Request, view?: ChainView): Promise<Response>;
  /** Entries for a facilitator's /supported, both protocol versions. */
  supportedKinds(): readonly Readonly<Record<string, unknown>>[];
  signers(): Readonly<Record<string, readonly string[]>>;
}
