import type { TObject } from "@sinclair/typebox";
import type { Asks, JobContext } from "./context.ts";
import type { AnyDataset } from "./dataset.ts";
import type { DatedTable } from "./dated-tables.ts";
import { declare } from "./definition-site.ts";
import type { FormError } from "./form.ts";
import type { AnyFreeRoute } from "./free-route.ts";
import { ANYTHING, FLAG, LIST, maybe, NUMBER, type OptionRules, RECORD, text, texts, WORK } from "./option-rules.ts";
import { listConfigFaults } from "./own-config.ts";
import type { AnyProduct } from "./product.ts";
import type { ProductPath } from "./product-path.ts";
import type { ProviderDefinition } from "./provider.ts";
import type { Simulator } from "./simulator.ts";
import type { AnyTable } from "./table.ts";

/** Work that runs on a schedule, such as storing a daily observation. */
export interface JobDefinition {
  /** kebab-case, unique in the node. */
  readonly id: string;
  /** Cron pattern, UTC, such as "5 * * * *". */
  readonly schedule: string;
  /** Upstreams the job calls; it does not run while all of them are unusable. */
  readonly providers: readonly ProviderDefinition[];
  /** Products whose data it asks for (`context.ask`). */
  readonly asks?: Asks;
  /** Paths of the only products that what it stores is for: it rests while all of them are switched off. */
  readonly serves?: readonly ProductPath[];
  /** Also run once when the node starts. */
  readonly at_start: boolean;
  readonly deadline_ms: number;
  /**
   * How many of its last runs leave anything behind, for a job that only replaces what it stored before. When the
   * sandbox's clock is moved on, only so many are lived, and those that previews read; every one of them unless given.
   */
  readonly runs_kept?: number;
  /** Over how many days before its start a new sandbox lives this job, so that it shows a record; none unless given. */
  readonly sandbox_days?: number;
  /** It appends or settles records. All nodes of a cluster have the same ones, so one node at a time runs it. */
  readonly writes_records?: true;
  run(context: JobContext): Promise<void>;
}

/** Every option of a job. */
export const JOB_OPTIONS: OptionRules<JobDefinition> = {
  id: text("sample-tides"),
  schedule: { ...text(), what: 'a cron pattern, such as "5 * * * *"' },
  providers: LIST,
  asks: maybe(RECORD),
  serves: maybe(texts('["/tide-height"]')),
  at_start: FLAG,
  deadline_ms: NUMBER,
  runs_kept: maybe(NUMBER),
  sandbox_days: maybe(NUMBER),
  writes_records: maybe(FLAG),
  run: WORK,
};

/** Declares work that is done by a schedule. */
export function defineJob(definition: JobDefinition): JobDefinition {
  return declare(definition);
}

/** Errors of every path below one, in a form other than this node's. */
export interface ErrorsBelow {
  /** Such as "/v1". */
  readonly path: ProductPath;
  readonly render: (error: FormError) => { readonly status: number; readonly body: object };
}

/** Every option of it. */
export const ERRORS_BELOW_OPTIONS: OptionRules<ErrorsBelow> = { path: text("/v1"), render: WORK };

/** One data domain. Built-in plugins leave the lists out: `bun run gen` finds their products and jobs by folder. */
export interface PluginDefinition {
  /** kebab-case, unique in the node. */
  readonly id: string;
  readonly title: string;
  /**
   * Its table `[plugins.<id>]` in the configuration, read with `context.config`. Each key is described, and optional or
   * with a default; `secret: true` hides its value wherever it is shown.
   */
  readonly config?: TObject;
  /**
   * Tables of dates it ships that end, given its own configuration: `check` and the start screen tell them from 120
   * days before. Its products say so themselves.
   */
  readonly dated?: (config: never) => readonly DatedTable[];
  readonly products?: readonly AnyProduct[];
  /** Paths that cost nothing. */
  readonly routes?: readonly AnyFreeRoute[];
  /** The form of errors below a path: of free paths there, and of unknown paths. Products have their own. */
  readonly errors_below?: ErrorsBelow;
  readonly jobs?: readonly JobDefinition[];
  /** Rows it keeps. */
  readonly tables?: readonly AnyTable[];
  /** Bulk files it takes in. */
  readonly datasets?: readonly AnyDataset[];
  /** How the sandbox plays the plugin's own providers. */
  readonly simulators?: readonly Simulator[];
}

/** Every option of a plugin. */
export const PLUGIN_OPTIONS: OptionRules<PluginDefinition> = {
  id: text("tide-height"),
  title: text(),
  config: maybe(ANYTHING),
  dated: maybe(WORK),
  products: maybe(LIST),
  routes: maybe(LIST),
  errors_below: maybe(RECORD),
  jobs: maybe(LIST),
  tables: maybe(LIST),
  datasets: maybe(LIST),
  simulators: maybe(LIST),
};

/**
 * Declares a plugin.
 * @throws TypeError when its configuration table is unusable.
 */
export function definePlugin(definition: PluginDefinition): PluginDefinition {
  // Missing members are reported when the file is loaded, with the line of this call.
  if (!RECORD.holds(definition)) throw new TypeError("definePlugin needs an object: { id, title, products }");
  const { id, config } = definition;
  const [fault] = config === undefined ? [] : listConfigFaults(config);
  if (fault !== undefined) throw new TypeError(`plugin "${id}": ${fault}`);
  return declare(definition);
}

/** A plugin with where it came from, so that a fault can name the file. */
export interface LoadedPlugin {
  readonly id: string;
  readonly title: string;
  readonly file: string;
  readonly origin: "built-in" | "operator";
  readonly config?: TObject | undefined;
  readonly dated?: ((config: never) => readonly DatedTable[]) | undefined;
  readonly products: readonly { readonly file: string; readonly product: AnyProduct }[];
  /** Paths of products left out for their faults: the configuration may name them all the same. */
  readonly left_out?: readonly string[];
  readonly routes?: readonly AnyFreeRoute[];
  readonly errors_below?: ErrorsBelow | undefined;
  readonly jobs: readonly JobDefinition[];
  readonly tables?: readonly AnyTable[];
  readonly datasets?: readonly AnyDataset[];
  readonly simulators: readonly Simulator[];
}
