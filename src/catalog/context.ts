import type { Static, TObject, TSchema } from "@sinclair/typebox";
import type { GuardedRequest, GuardedResult } from "../guarded-fetch/types.ts";
import type { Peers } from "../records/peer-statements.ts";
import type { NodeSigner, Records, WritableRecords } from "../records/record-chain.ts";
import type { DatasetForm, DatasetReader } from "./dataset-reader.ts";
import type { FailoverAsking } from "./failover.ts";
import type { Model } from "./model.ts";
import type { NodeFacts } from "./node-facts.ts";
import type { ProviderDefinition } from "./provider.ts";
import type { Download, DownloadRequest, UpstreamRequest } from "./request.ts";
import type { Source } from "./source.ts";
import type { Drained, SubscriptionRequest } from "./subscription.ts";
import type { Columns, RowOf, RowReader, TableDefinition, TableWriter } from "./table.ts";

export type { Source };

/** One stored observation of a named series in market.db. */
export interface Observation {
  readonly at_ms: number;
  readonly value: unknown;
}

/** Series that jobs store and products read. A series is named `<plugin>/<name>`. */
export interface History {
  /** Observations with since_ms <= at_ms <= until_ms, oldest first; with `limit`, the newest that many of them. */
  read(
    series: string,
    options?: { since_ms?: number; until_ms?: number; limit?: number },
  ): Promise<readonly Observation[]>;
}

/** Stored observations, for a job that adds to them. */
export interface WritableHistory extends History {
  /** Stores observations; one at the same time replaces the earlier one. */
  write(series: string, observations: readonly Observation[]): Promise<void>;
  /** Forgets observations older than `before_ms`. */
  prune(series: string, before_ms: number): Promise<void>;
}

/** Who waits for a run: buyers go before previews and jobs, and only a job may keep an answer with missing parts. */
export type RunPurpose = "buyer" | "preview" | "job";

/** Products that may be asked for, by path: the asker is withheld when a "needed" one is not sold. */
export type Asks = Readonly<Record<`/${string}`, "needed" | "optional">>;

/** What another product answered. */
export interface OtherAnswer<D> {
  readonly as_of_ms: number;
  readonly data: D;
  readonly warnings: readonly string[];
}

/** One run's way to the world: upstreams, stored series, records. Every call is recorded in `sources[]`. */
export interface SourceContext extends FailoverAsking {
  /** Time of this run; take it from here, never from Date. */
  readonly now_ms: number;
  /** Fires at the product's deadline. */
  readonly signal: AbortSignal;
  /** Whether providers are played by the sandbox: the past they tell of never was. */
  readonly simulated?: boolean;
  readonly history: History;
  /** Append-only records that jobs made, such as signals. */
  readonly records: Records;
  /** Opens a table its plugin declares, to read. @throws Error when it is not declared, or cannot be used. */
  table<C extends Columns>(table: TableDefinition<C>): RowReader<RowOf<C>>;
  /**
   * Opens the newest version of a dataset its plugin declares, and names it as a source.
   * @throws NodeError upstream_unavailable when no version has been taken in yet, or the newest exceeds its `max_age`.
   */
  dataset<C extends Columns>(dataset: DatasetForm<C>): Promise<DatasetReader<RowOf<C>>>;
  /** What the node knows of itself; of products only those with `uses_node` may read it. */
  readonly node: NodeFacts;
  /** Signs what has to be provable later. */
  readonly signer: NodeSigner;
  /**
   * Fetches an address that a buyer or another stranger named: the node resolves and checks it, connects to what it
   * checked, and stays on the public Internet. Never throws. It is not an upstream: cite what the answer takes from it.
   */
  askStranger(request: GuardedRequest): Promise<GuardedResult>;
  /** Whether the configuration allows this provider (terms, key, not switched off). */
  usable(provider: ProviderDefinition): boolean;
  /** Addresses there are for a chain: from two on, `second: true` of a request asks another one for the same. */
  countAddresses(provider: ProviderDefinition, chain: string): number;
  /** What the operator set of a provider's own keys in `[providers.<id>]`, defaults included. */
  config<C extends TObject>(provider: ProviderDefinition<C>): Static<C>;
  /**
   * What the operator set in a plugin's table `[plugins.<id>]`, defaults included.
   * @param table the very schema the plugin declares as its `config`.
   * @throws Error when no plugin declares it.
   */
  config<C extends TObject>(table: C): Static<C>;
  /**
   * Calls a provider and reads the answer: what `request.read` makes of it, or the answer itself.
   * @throws UpstreamError when it cannot be had, or is refused.
   */
  get<S extends TSchema, T = Static<S>>(provider: ProviderDefinition, request: UpstreamRequest<S, T>): Promise<T>;
  /** Names a source that was read earlier and stored (by a job), so that the answer can cite it. */
  cite(source: Source): void;
  /**
   * Does a piece of work that holds the thread for milliseconds, when it is this run's turn: other calls are served
   * between two pieces. What ranks or parses thousands of rows does it in pieces.
   * @throws NodeError overloaded when too much waits; else what the piece throws.
   */
  inTurn<T>(piece: () => T): Promise<T>;
}

/** Who pays for a call on a chain. */
export interface Payer {
  /** As the chain's family writes it; hexadecimal ones in lower case. */
  readonly address: string;
  /** CAIP-2 id. */
  readonly network: string;
}

/** What a product's `fetch` may use. Every call is recorded in `sources[]`, failed ones too. */
export interface FetchContext extends SourceContext {
  /**
   * Who pays, for products with `uses_payer`; null for all others, and for calls not paid on a chain: with a key,
   * a coupon, or for a preview.
   */
  readonly payer: Payer | null;
  /**
   * Language models the operator configured, for products with `uses_model` and for jobs; null when none is configured:
   * then write by templates.
   */
  readonly model: Model | null;
  /**
   * Another product's data, as a buyer would get it: from its cache if that is fresh, within this run's own time limit.
   * Nothing is charged, and its sources become sources of this answer.
   * @param path one of the product's `asks`.
   * @param schema the part of the data that is read; members that an open object does not name may be anything.
   * @throws NodeError when the answer cannot be had now; only this answer is missing then.
   */
  ask<S extends TSchema>(
    path: `/${string}`,
    params: Readonly<Record<string, unknown>>,
    schema: S,
  ): Promise<OtherAnswer<Static<S>>>;
}

/** Another product's answer as a buyer gets it. */
export interface WholeAnswer {
  readonly as_of_ms: number;
  /** Its very bytes, as text. */
  readonly body: string;
}

/** What a product with `parts` may use besides. */
export interface PartsContext extends FetchContext {
  /**
   * The answer of one of the call's parts, in the requested view; otherwise as `ask`.
   * @param index of `parts`.
   * @throws NodeError when the answer cannot be had now.
   */
  part(index: number): Promise<WholeAnswer>;
}

/** What a job's run has before it may ask for products. */
export interface JobSourceContext extends SourceContext {
  readonly history: WritableHistory;
  readonly records: WritableRecords;
  /** Opens a table its plugin declares, to write. */
  table<C extends Columns>(table: TableDefinition<C>): TableWriter<RowOf<C>>;
  /** Other nodes the operator named. */
  readonly peers: Peers;
  /**
   * Writes a body of any size to a file, without holding it in memory. The answer's digests are of what was sent.
   * @throws UpstreamError; the file that was there is then untouched.
   */
  download(provider: ProviderDefinition, request: DownloadRequest): Promise<Download>;
  /**
   * What a provider's WebSocket brought since the last call. The first call starts listening; a stream that is not
   * drained for 15 minutes is closed. It reconnects automatically, and gaps are reported.
   * @throws UpstreamError when the provider may not be called.
   */
  drain<S extends TSchema, T = Static<S>>(provider: ProviderDefinition, request: SubscriptionRequest<S, T>): Drained<T>;
  /** What this run called so far, so that it can be stored beside the data and cited later. */
  sources(): readonly Source[];
}

/** A job may run what a product's `fetch` runs; its run is not paid for. */
export interface JobContext extends JobSourceContext, FetchContext {
  readonly history: WritableHistory;
  readonly records: WritableRecords;
  table<C extends Columns>(table: TableDefinition<C>): TableWriter<RowOf<C>>;
  readonly payer: null;
}
