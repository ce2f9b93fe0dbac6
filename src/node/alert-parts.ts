import type { StuckChannel } from "../buyer/own-channels/own-channels.ts";
import type { Config } from "../config/schema.ts";
import type { Timers } from "../core/clock.ts";
import type { WebhookTroubles } from "../watches/types.ts";
import type { findChannels } from "./channel-conditions.ts";
import type { OutsideWatch } from "./look-outside.ts";
import type { Core, Money, NodeStates } from "./parts.ts";

/** What a node's troubles are found in. */
export interface AlertParts {
  readonly config: Pick<Config, "backup">;
  readonly data_dir: string;
  readonly core: Pick<
    Core,
    | "anchors"
    | "catalog"
    | "clock"
    | "clock_watch"
    | "failing_since"
    | "in_force"
    | "last_run"
    | "ledger"
    | "models"
    | "refused_datasets"
    | "source_changes"
    | "started_at_ms"
    | "upstream"
  >;
  readonly money: Pick<Money, "income" | "landing" | "pool">;
  /** How claims of payment channels go; left out where none are offered. */
  readonly claims?: (() => Parameters<typeof findChannels>[1]) | undefined;
  /** Channels with peers that are paid from no more; left out where none are opened. */
  readonly stuck_channels?: (() => readonly StuckChannel[]) | undefined;
  /** How events of watches reach their webhooks; left out where none are kept. */
  readonly webhooks?: (() => WebhookTroubles) | undefined;
  readonly states: Pick<NodeStates, "read">;
  /** What was seen last of the world around. */
  readonly outside: Pick<OutsideWatch, "read" | "hasSeen">;
  /** Of the file system a folder is on, bytes; "free" is what this user may still write. */
  readonly readDisk: (folder: string) => { readonly free: number; readonly total: number };
  readonly version: string;
  /** What ends the wait for a look; the system's timers unless given. */
  readonly timers?: Timers | undefined;
}
