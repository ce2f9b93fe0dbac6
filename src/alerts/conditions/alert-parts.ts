import type { StuckChannel } from "../../buyer/own-channels/own-channels.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import type { InForce } from "../../config/own-config.ts";
import type { Config } from "../../config/schema.ts";
import type { Clock, Timers } from "../../core/clock.ts";
import type { ClockWatch } from "../../core/clock-watch.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import type { ModelEngine } from "../../models/models.ts";
import type { FacilitatorPool } from "../../payments/facilitators/pool.ts";
import type { LandingTrust } from "../../payments/landing/landing-trust.ts";
import type { IncomeWatch } from "../../payments/landing/watch-income.ts";
import type { NodeAnchors } from "../../trust/anchors.ts";
import type { Upstream } from "../../upstream/client.ts";
import type { SourceChange } from "../../upstream/shape-watch.ts";
import type { WebhookTroubles } from "../../watches/types.ts";
import type { findChannels } from "./channel-conditions.ts";
import type { OutsideWatch } from "./look-outside.ts";

/** Books, data and products of the node, as far as troubles are found in them. */
interface AlertedCore {
  /** Public timestamps of records and logs. */
  readonly anchors: NodeAnchors;
  readonly catalog: Catalog;
  readonly clock: Clock;
  /** What answers and payments say of this machine's clock; null in a sandbox, whose clock is its own. */
  readonly clock_watch: ClockWatch | null;
  /** Since when every run of a product has failed, ms; missing when the last one gave data. */
  readonly failing_since: ReadonlyMap<string, number>;
  /** The configuration that a reload may change. */
  readonly in_force: InForce;
  /** Whether each product's last run gave data; missing before the first. */
  readonly last_run: ReadonlyMap<string, boolean>;
  readonly ledger: Ledger;
  readonly models: ModelEngine;
  /** Why the newest version of a dataset was not taken in, by its name; null: it was; missing before the first try. */
  readonly refused_datasets: ReadonlyMap<string, string | null>;
  /** Answers of sources that are no longer what they always were; none where they are simulated. */
  readonly source_changes: () => readonly SourceChange[];
  readonly started_at_ms: number;
  readonly upstream: Upstream;
}

/** What a node's troubles are found in. */
export interface AlertParts {
  readonly config: Pick<Config, "backup">;
  readonly data_dir: string;
  readonly core: AlertedCore;
  readonly money: {
    /** Compares the wallets with the books; null in the sandbox, whose chains forget everything at a restart. */
    readonly income: IncomeWatch | null;
    readonly landing: { readonly trust: LandingTrust };
    readonly pool: FacilitatorPool;
  };
  /** How claims of payment channels go; left out where none are offered. */
  readonly claims?: (() => Parameters<typeof findChannels>[1]) | undefined;
  /** Channels with peers that are paid from no more; left out where none are opened. */
  readonly stuck_channels?: (() => readonly StuckChannel[]) | undefined;
  /** How events of watches reach their webhooks; left out where none are kept. */
  readonly webhooks?: (() => WebhookTroubles) | undefined;
  /** Products that cannot be produced now. */
  readonly states: {
    readonly read: () => { readonly unavailable: readonly { readonly path: string; readonly why: string }[] };
  };
  /** What was seen last of the world around. */
  readonly outside: Pick<OutsideWatch, "read" | "hasSeen">;
  /** Of the file system a folder is on, bytes; "free" is what this user may still write. */
  readonly readDisk: (folder: string) => { readonly free: number; readonly total: number };
  readonly version: string;
  /** What ends the wait for a look; the system's timers unless given. */
  readonly timers?: Timers | undefined;
}
