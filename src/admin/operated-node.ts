import type { AlertBook } from "../alerts/alert-book.ts";
import type { SentTest } from "../alerts/send-test.ts";
import type { NodeStandIns } from "../buyer/stand-in/stand-ins.ts";
import type { Slots } from "../calls/slots.ts";
import type { WorkBudget } from "../calls/work-budget.ts";
import type { Catalog, CatalogProduct } from "../catalog/catalog.ts";
import type { Previews } from "../catalog/previews.ts";
import type { ExplainedKey } from "../config/explain.ts";
import type { InForce } from "../config/own-config.ts";
import type { Config } from "../config/schema.ts";
import type { Clock } from "../core/clock.ts";
import type { NodeError } from "../core/errors.ts";
import type { SwitchBoard } from "../files/switch-file.ts";
import type { Scheduler } from "../jobs/scheduler.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { FacilitatorPool } from "../payments/facilitators/pool.ts";
import type { ChainReader } from "../payments/landing/chain-reader.ts";
import type { LandingTrust } from "../payments/landing/landing-trust.ts";
import type { InputsStore } from "../stores/inputs-store.ts";
import type { Stores } from "../stores/stores.ts";
import type { Log } from "../telemetry/log.ts";
import type { Stats } from "../telemetry/stats.ts";
import type { NodeWorkshop } from "../threads/workshop.ts";
import type { Upstream } from "../upstream/client.ts";
import type { KeyCommandParts } from "./keys.ts";
import type { SwitchDesk } from "./switch-desk.ts";

/** How the node was started. */
export interface OperatedStart {
  readonly config: Config;
  readonly data_dir: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly version: string;
}

/** Books, data and products of the node, as far as the operator is shown them. */
export interface OperatedCore {
  readonly catalog: Catalog;
  readonly clock: Clock;
  /** Since when every run of a product has failed, ms; missing when the last one gave data. */
  readonly failing_since: ReadonlyMap<string, number>;
  /** The configuration that a reload may change. */
  readonly in_force: InForce;
  /** What sold answers were made of; null where the operator keeps none. */
  readonly inputs: InputsStore | null;
  /** Whether each product's last run gave data; missing before the first. */
  readonly last_run: ReadonlyMap<string, boolean>;
  /** When each product last gave a live answer, ms. */
  readonly last_success: ReadonlyMap<string, { at_ms: number; as_of_ms: number }>;
  readonly ledger: Ledger;
  readonly previews: Previews;
  /** What peers sell this node; null where none do. */
  readonly stand_ins: NodeStandIns | null;
  readonly started_at_ms: number;
  readonly stats: Stats;
  readonly stores: Stores;
  /** What the operator has switched off. */
  readonly switches: SwitchBoard;
  readonly upstream: Upstream;
  /** The threads that compute answers. */
  readonly workshop: NodeWorkshop;
}

/** What is known of whether reported settlements landed. */
export interface OperatedLanding {
  readonly chain: Pick<ChainReader, "canRead">;
  readonly trust: LandingTrust;
}

/** How the node is doing. */
export interface NodeState {
  /** "failing": nothing can be sold. "degraded": something of what is set up cannot. */
  readonly status: "ok" | "degraded" | "failing";
  /** What is wrong, each in words for everybody; empty when all is well. */
  readonly reasons: readonly string[];
  /** The same for the operator, with what to set. */
  readonly reasons_for_operator: readonly string[];
  /** Products that cannot be produced now, and are not offered for money. */
  readonly unavailable: readonly { readonly path: string; readonly why: string }[];
  readonly products: number;
  /** Whether calls should be sent here: everything that was set up to be paid can be. */
  readonly ready: boolean;
}

export interface NodeStates {
  read(): NodeState;
  /** Why a product is not offered for money now; null while it is. Asked for every unpaid call. */
  whyUnavailable(product: CatalogProduct): NodeError | null;
}

/** What came of a reload. */
export type ReloadReport =
  | {
      readonly ok: true;
      /** Keys whose new value is in force, and plugins that came, went or changed. */
      readonly changed: readonly string[];
      /** Keys whose new value waits for the next start, each with why where that is not plain. */
      readonly needs_restart: readonly string[];
    }
  /** Nothing was changed. */
  | { readonly ok: false; readonly faults: string };

/** What the operator's questions and commands work with, beside the core. */
export interface OperatedParts {
  readonly money: { readonly pool: FacilitatorPool; readonly landing: OperatedLanding };
  readonly gate: {
    readonly prepaid: {
      readonly slots: Slots;
      /** Bounds what is produced and not paid for. */
      readonly work: WorkBudget;
      /** What the operator's commands on keys work with. */
      readonly commands: KeyCommandParts;
    };
  };
  readonly scheduler: Scheduler;
  readonly states: NodeStates;
  readonly alerts: AlertBook;
  /** Sends one message by every way to the operator, and returns the outcome. */
  readonly testAlerts: () => Promise<readonly SentTest[]>;
  readonly reload: () => Promise<ReloadReport>;
  /** Every key of the configuration with its value in force and where it comes from. */
  readonly explain: () => readonly ExplainedKey[];
  /** What switches products and providers off and on. */
  readonly switch_desk: SwitchDesk;
}
