import type { AccessCall } from "../../calls/access.ts";
import type { Slots } from "../../calls/slots.ts";
import type { WorkBudget } from "../../calls/work-budget.ts";
import type { Runner } from "../../catalog/runner.ts";
import type { Clock } from "../../core/clock.ts";
import type { Counted } from "../../core/metering.ts";
import type { PassedOn } from "../../core/passed-on.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import type { PaymentRow } from "../../ledger/payment-row.ts";
import type { OfficialFacts, ReceiptLabel } from "../../ledger/receipts.ts";
import type { FacilitatorPool } from "../facilitators/pool.ts";
import type { MppGuard } from "../mpp/guard.ts";
import type { EarlierPrices } from "../pricing/earlier-prices.ts";
import type { Reconciler } from "../reconcile.ts";
import type { ChainAccess } from "../types.ts";
import type { Faults } from "./faults.ts";
import type { SignatureChecks } from "./signature-checks.ts";

/** An answer that only waits to be paid for. */
export interface ProducedAnswer {
  /** What is stored; without any secret. */
  readonly body: string;
  readonly passed_on?: PassedOn | undefined;
  /** What its meter counted; left out without a meter. */
  readonly counted?: Counted | undefined;
  readonly purchase?: {
    /** What the ledger does in the commit that settles it. */
    readonly json: string;
    /** The answer for the one who paid. */
    readonly reveal: (body: string) => string;
  };
}

/** Who pays for an answer. */
export interface ProduceContext {
  readonly payer: string;
  readonly network: string;
  readonly payment_id: string;
  /** Whether it is charged by what was counted. */
  readonly is_metered: boolean;
}

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
  /** How long a stored answer may be fetched again by who proves to be its buyer. */
  readonly replay_window_ms: number;
  /** Shared with everything else that produces answers. */
  readonly slots: Slots;
  /**
   * For asking a facilitator about what this node cannot check itself: a stranger's signature may keep it busy for as
   * long as it likes, and must not hold a slot that somebody else could use.
   */
  readonly stranger_slots: Slots;
  readonly signatures: SignatureChecks;
  readonly faults: Faults;
  /** Bounds what is produced and not paid for. */
  readonly work: WorkBudget;
  /** What an address is counted as; null when it is not limited. */
  readonly limitOf: (client: string) => string | null;
  /** Counts a payment against its sender that no facilitator could judge, as a refused one is. */
  readonly countRefused: (client: string) => void;
  /**
   * Counts a call as a free one.
   * @throws NodeError rate_limited
   */
  readonly countFree: (client: string) => void;
  /** RPC endpoints by chain name. */
  readonly rpc_urls: (chain: string) => readonly string[];
  /** Indexers and headers by chain name. */
  readonly access?: (chain: string) => ChainAccess;
  /** Makes the answer; the runner does unless this is given. */
  readonly produce?: (call: AccessCall, context: ProduceContext) => Promise<ProducedAnswer>;
  /** The stored answer of a purchase for somebody who proved to be its buyer. */
  readonly revealStored?: (row: PaymentRow) => Promise<string>;
  /** What left of the buyer's own money while a stored answer of a product, by id, was made; null for most. */
  readonly findPassedOn?: (product: string, answer: string) => PassedOn | null;
  /** `extensions` of the settlement answer, by receipt id: the signed receipt. */
  readonly settlementExtensions?: (
    receipt_id: string,
    /** What the signed receipt says, when it was booked just now: else the ledger knows. */
    sold?: OfficialFacts,
  ) => Promise<Readonly<Record<string, unknown>> | undefined>;
  readonly log: (event: Readonly<Record<string, unknown>>) => void;
  /** What products cost until a short while ago; left out where prices never change. */
  readonly earlier_prices?: EarlierPrices;
  /** Holds payments by MPP to the challenge they answer; left out where no challenges are issued. */
  readonly guardChallenge?: MppGuard;
  /** For what the operator has to see. */
  readonly alarm: (event: Readonly<Record<string, unknown>>) => void;
}

/** What a finished payment hands to its caller, and to everybody who sent the same payment meanwhile. */
export interface PaidAnswer {
  /** Without what only the buyer may have. */
  readonly body: string;
  readonly receipt_id: string;
  readonly settlement: { readonly transaction: string; readonly network: string; readonly payer: string };
  /** What was charged, where that may be less than what was signed; atomic. */
  readonly charge?: bigint;
  /** How a charge came about, in headers; of an answer that was made just now. */
  readonly told?: Readonly<Record<string, string>>;
  /** When a stored one was settled, ms, as far as it is known. */
  readonly settled_at_ms?: number;
  /** Set when it was booked just now, and the ledger said when. */
  readonly sold?: OfficialFacts;
  /** Set when the answer belongs to an earlier attempt. */
  readonly from?: "replay" | "earlier_payment";
  /** The earlier payment for the same request of which nobody can say whether it was taken. */
  readonly passed_over?: string;
  /** Set when the answer holds a secret: the whole of it. */
  readonly reveal?: () => Promise<string>;
}
