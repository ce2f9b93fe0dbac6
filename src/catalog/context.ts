import type { Static, TSchema } from "@sinclair/typebox";
import type { Peers } from "../records/peer-statements.ts";
import type { NodeSigner, Records, WritableRecords } from "../records/record-chain.ts";
import type { Asking } from "./failover.ts";
import type { ProviderDefinition } from "./provider.ts";
import type { Download, DownloadRequest, UpstreamRequest } from "./request.ts";

/** One entry of the envelope's `sources[]`. `url` never holds a key. */
export interface Source {
  provider: string;
  url: string;
  fetched_at: string;
  ok: boolean;
  simulated?: true;
  error?: string;
  attribution?: { text: string; url: string };
}

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

export interface WritableHistory extends History {
  /** Stores observations; one at the same time replaces the earlier one. */
  write(series: string, observations: readonly Observation[]): Promise<void>;
  /** Forgets observations older than `before_ms`. */
  prune(series: string, before_ms: number): Promise<void>;
}

/** Who waits for a run: buyers go before previews and jobs, and only a job may keep what is missing parts. */
export type RunPurpose = "buyer" | "preview" | "job";

/** What a product's `fetch` may use. Every call is recorded in `sources[]`, failed ones too. */
export interface FetchContext extends Asking {
  /** Time of this run; take it from here, never from Date. */
  readonly now_ms: number;
  /** Fires at the product's deadline. */
  readonly signal: AbortSignal;
  /** Whether providers are played by the sandbox: the past they tell of never was. */
  readonly simulated?: boolean;
  readonly history: History;
  /** Append-only records that jobs made, such as signals. */
  readonly records: Records;
  /** Signs what has to be provable later. */
  readonly signer: NodeSigner;
  /** Whether the configuration allows this provider (terms, key, not switched off). */
  usable(provider: ProviderDefinition): boolean;
  /** What the operator says a venue takes from a taker, basis points; undefined when he says nothing. */
  getTakerBps(provider: ProviderDefinition): number | undefined;
  /**
   * Calls a provider and reads the answer: what `request.read` makes of it, or the answer itself.
   * @throws UpstreamError when it cannot be had, or is refused.
   */
  get<S extends TSchema, T = Static<S>>(provider: ProviderDefinition, request: UpstreamRequest<S, T>): Promise<T>;
  /** Names a source that was read earlier and stored (by a job), so that the answer can cite it. */
  cite(source: Source): void;
}

export interface JobContext extends FetchContext {
  readonly history: WritableHistory;
  readonly records: WritableRecords;
  /** Other nodes the operator named. */
  readonly peers: Peers;
  /**
   * Writes a body of any size to a file, without holding it in memory. The answer's digests are of what was sent.
   * @throws UpstreamError; the file that was there is then untouched.
   */
  download(provider: ProviderDefinition, request: DownloadRequest): Promise<Download>;
  /** What this run called so far, so that it can be stored beside the data and cited later. */
  sources(): readonly Source[];
}
