import type { Runner } from "../../catalog/runner.ts";
import type { Clock } from "../../core/clock.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import type { ReceiptLabel } from "../../ledger/receipts.ts";
import type { FacilitatorPool } from "../facilitators/pool.ts";
import type { Reconciler } from "../reconcile.ts";

export interface GateOptions {
  readonly ledger: Ledger;
  readonly pool: FacilitatorPool;
  readonly reconciler: Reconciler;
  readonly runner: Runner;
  readonly clock: Clock;
  readonly public_url: string;
  readonly service_name: string;
  /** How a payment is labelled in its receipt. Addresses in lower case. */
  readonly labelOf: (payer: string) => ReceiptLabel;
  /** A new payment for what the same payer got this recently is answered from the earlier one. 0 switches it off. */
  readonly duplicate_guard_ms: number;
  /** How long a stored answer may be fetched again with its payment. */
  readonly replay_window_ms: number;
  /** How many paid calls may be verified and produced at once; more wait in line. */
  readonly produce_slots: number;
  readonly log: (event: Readonly<Record<string, unknown>>) => void;
  /** For what the operator has to see. */
  readonly alarm: (event: Readonly<Record<string, unknown>>) => void;
}

/** What a finished payment hands to its caller, and to everybody who sent the same payment meanwhile. */
export interface PaidAnswer {
  readonly body: string;
  readonly receipt_id: string;
  readonly settlement: { readonly transaction: string; readonly network: string; readonly payer: string };
  /** Set when the answer belongs to an earlier attempt. */
  readonly from?: "replay" | "earlier_payment";
}
