import type { AccessCall } from "../../calls/access.ts";
import type { Changes } from "../../calls/changes.ts";
import type { Slots } from "../../calls/slots.ts";
import type { WorkBudget } from "../../calls/work-budget.ts";
import type { Answer, Runner } from "../../catalog/runner.ts";
import type { Clock } from "../../core/clock.ts";
import type { MeteredCharge } from "../../core/metering.ts";
import type { ChannelRow } from "../../ledger/channel-rows.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import type { ReceiptLabel } from "../../ledger/receipts.ts";
import type { FacilitatorPool } from "../facilitators/pool.ts";
import type { Authorizer } from "../networks/evm/channel-signing.ts";
import type { Network } from "../networks/table.ts";
import type { PreparedPurchase, Purchases } from "../purchases.ts";
import type { Requirement } from "../types.ts";
import type { ChannelPayload } from "./payload.ts";
import type { Shortfalls } from "./shortfalls.ts";

/** What the operator allows to lie in channels unclaimed, atomic USDC, and when it is claimed. */
export interface ChannelLimits {
  readonly unclaimed_max: bigint;
  readonly unclaimed_all_max: bigint;
  readonly claim_sum: bigint;
  readonly claim_every_ms: number;
  /** After so long without a call what is left goes back; null is never. */
  readonly idle_refund_ms: number | null;
  /** Least that is given back so. */
  readonly idle_refund_least: bigint;
}

/** What everything that has to do with channels shares. */
export interface ChannelParts {
  readonly ledger: Ledger;
  /** Offers as buyers see them. */
  readonly offers: () => FacilitatorPool["offers"];
  /** Facilitators themselves: nothing in between asks the chain in the words of another scheme. */
  readonly pool: Pick<FacilitatorPool, "verify" | "settle" | "claimsMax">;
  readonly clock: Clock;
  readonly limits: ChannelLimits;
  /** Those this node signs with, the present one first; empty where facilitators sign. */
  readonly authorizers: () => Promise<readonly Authorizer[]>;
  /** RPC endpoints by chain name. */
  readonly rpc_urls: (chain: string) => readonly string[];
  readonly shortfalls: Shortfalls;
  readonly log: (event: Readonly<Record<string, unknown>>) => void;
  /** For what the operator has to see. */
  readonly alarm: (event: Readonly<Record<string, unknown>>) => void;
}

export interface ChannelAccessOptions extends ChannelParts {
  readonly runner: Runner;
  readonly changes: Changes;
  readonly purchases: Pick<Purchases, "prepare" | "revealKey">;
  readonly labelOf: (payer: string) => ReceiptLabel;
  readonly slots: Slots;
  /** For asking a facilitator about what this node cannot check itself. */
  readonly stranger_slots: Slots;
  readonly work: WorkBudget;
  /** What an address is counted as; null when it is not limited. */
  readonly limitOf: (client: string) => string | null;
  readonly countFree: (client: string) => void;
  readonly replay_window_ms: number;
  /** Claims what a channel has earned, so that more may be earned; null claims what all of them have. */
  readonly claimNow: (channel: ChannelRow | null) => Promise<void>;
}

/** What was made for a call, and what its meter counted. */
export interface ChannelMadeAnswer extends Pick<Answer, "body" | "passed_on" | "counted"> {
  /** What it costs where that is decided by more than the meter. */
  readonly metered?: MeteredCharge | undefined;
  /** Of a plan: what the books do, and the answer for its buyer. */
  readonly purchase?: Omit<PreparedPurchase, "body">;
}

/** The answer as who paid for it has it. */
export const toBuyer = ({ body, purchase }: Pick<ChannelMadeAnswer, "body" | "purchase">): string =>
  purchase === undefined ? body : purchase.reveal(body);

/** A channel's payload, held against what is offered. */
export interface ChannelCall {
  readonly call: AccessCall;
  readonly payload: ChannelPayload;
  readonly network: Network;
  readonly requirement: Requirement;
  readonly id: string;
  /** The voucher's cumulative amount. */
  readonly signed: bigint;
  readonly voucher_sha256: string;
  readonly names: { readonly identifier: string | null; readonly proof: string | null };
  /** The facilitator's own address, where only that one can sign this channel's claims. */
  readonly authorizer: string | undefined;
}
