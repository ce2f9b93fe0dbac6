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

/** The chain as somebody sees it who lags behind, or lies. */
export interface ChainView {
  readonly now_ms: () => number;
  /** Whether what was settled at a time is there. */
  readonly sees: (at_ms: number) => boolean;
}

/** One simulated payment network: money, signatures, settlement, and the RPC that reads it. A family is one folder. */
export interface SandboxChain {
  /** CAIP-2. */
  readonly network: string;
  /** Its RPC is found at `/rpc/<rpc_name>` of the world server. */
  readonly rpc_name: string;
  /**
   * Adds test money. An address never seen before starts with exactly this instead of the usual 100 USDC.
   * @throws RangeError when it is no address of this chain, or when no more addresses are kept.
   */
  fund(address: string, amount: bigint): void;
  /**
   * Takes away, freezes or gives back the account that holds an address's tokens. Left out where addresses need none.
   * @throws RangeError when it is no address of this chain, or when no more accounts are kept.
   */
  setAccount?(address: string, state: AccountState): void;
  /** Names a seller before anybody paid him. Left out where the chain needs no introduction. */
  introduce?(address: string): void;
  /** Decimal atomic USDC of every address that was ever seen. */
  balances(): Readonly<Record<string, string>>;
  /** What an address holds, 100 USDC when it was never seen; null when it is no address of this chain. */
  balanceOf(address: string): bigint | null;
  settlements(): readonly ChainSettlement[];
  verify(payload: unknown, requirement: unknown): Promise<ChainVerify>;
  settle(payload: unknown, requirement: unknown): Promise<ChainSettle>;
  /**
   * Calls the channel contract in somebody's name, as his wallet would. Left out where there is none.
   * @throws RangeError when the contract does not take it.
   */
  callContract?(data: string, sender: string): Promise<string>;
  /** Answers one JSON-RPC request, perhaps as a promise; with a view, as that view has it. */
  rpc(request: unknown, view?: ChainView): unknown;
  /** Answers at an address of its own, for chains whose clients drop the path of a URL. */
  handle?(request: Request, view?: ChainView): Promise<Response>;
  /** Entries for a facilitator's /supported, both protocol versions. */
  supportedKinds(): readonly Readonly<Record<string, unknown>>[];
  signers(): Readonly<Record<string, readonly string[]>>;
}
