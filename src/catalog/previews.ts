import { type Clock, renderTime } from "../core/clock.ts";
import { NodeError } from "../core/errors.ts";
import type { CatalogProduct } from "./catalog.ts";
import { type Chart, parseCharts } from "./chart.ts";
import { settleComputed } from "./computed.ts";
import type { Source } from "./context.ts";
import { createEnvelope, type Envelope } from "./envelope.ts";
import { ownLanguage, tellGist } from "./gist.ts";
import { keptPreviewOf, toPreviewNotKept } from "./kept-preview.ts";
import type { ListedAt } from "./listed.ts";
import type { Produced } from "./make-answer.ts";
import type { ParsedParams } from "./params.ts";
import type { Runner } from "./runner.ts";

export interface Snapshot {
  readonly as_of_ms: number;
  readonly taken_at_ms: number;
  /** JSON of {sources, warnings, data}, and of charts where the product draws some. */
  readonly body: string;
}

/** Where snapshots are kept (market.db). */
export interface SnapshotStore {
  saveSnapshot(snapshot: Snapshot & { product: string; params_key: string }): void;
  /** The newest snapshot whose as_of is not after `as_of_max_ms`. */
  newestSnapshot(product: string, params_key: string, as_of_max_ms: number): Snapshot | null;
  /** The oldest snapshot whose as_of is in the span; its ends belong to it. */
  oldestSnapshot(
    product: string,
    params_key: string,
    span: { readonly from_ms: number; readonly to_ms: number },
  ): Snapshot | null;
  /** Keeps the newest ones, and of those of `past` one for each step of time. */
  pruneSnapshots(product: string, keep: number, past?: SnapshotPast): void;
}

/** Which snapshots are kept beyond those that previews need. */
export interface SnapshotPast {
  readonly params_key: string;
  /** The oldest as_of. */
  readonly from_ms: number;
  readonly step_ms: number;
}

/** A preview of the past, as it was free then. */
export interface PreviewSample {
  readonly as_of_ms: number;
  readonly data: unknown;
}

/** Charts of one snapshot. The same object for as long as that snapshot is the one to show. */
export interface ChartSample {
  /** The parameters they were made for. */
  readonly preview_of: ParsedParams["params"];
  readonly as_of_ms: number;
  readonly sources: readonly Source[];
  readonly charts: readonly Chart[];
}

export interface Previews {
  /**
   * The newest snapshot of the request's subject that is old enough to be free: never of another subject.
   * @throws NodeError preview_not_kept when its parameters have no previews, preview_not_ready when none is stored yet.
   */
  get(product: CatalogProduct, request: ParsedParams): Envelope;
  /** As `get`, but null instead of an error. */
  find(product: CatalogProduct, request: ParsedParams): Envelope | null;
  /**
   * The first preview of a request shown after `after_ms`, within the last 30 days, without anything that is not free
   * now; null without one. Only the first of `preview_requests` has a past. One by one, because a month of them
   * would block the thread.
   */
  nextPast(product: CatalogProduct, request: ParsedParams, after_ms: number): PreviewSample | null;
  /**
   * How many rows the newest answer to the plain call has, and when that was, however young it is; null where the
   * product does not count, or before the first snapshot.
   */
  findListed(product: CatalogProduct): ListedAt | null;
  /** Charts of the preview that is shown by default; null when it has no charts. */
  findCharts(product: CatalogProduct): ChartSample | null;
  /** Takes new snapshots of one product, for all its `preview_requests`. Throws what the product throws. */
  refresh(product: CatalogProduct): Promise<void>;
}

export interface PreviewOptions {
  readonly node_id: string;
  readonly sandbox: boolean;
  readonly clock: Clock;
  readonly store: SnapshotStore;
  readonly runner: Runner;
}

/** Enough snapshots that one is always old enough, however often they are taken. */
const keptSnapshots = (product: CatalogProduct): number =>
  Math.min(500, Math.ceil(product.preview_delay_ms / Math.max(1, product.preview_every_ms)) * 2 + 10);

/** How far back what was shown is kept, and one for each so long. */
const PAST_MS = 30 * 86_400_000;
const PAST_STEP_MS = 6 * 3_600_000;

/** Snapshots stored before their product drew charts have no charts. */
function readCharts({ as_of_ms, body }: Snapshot, preview_of: ParsedParams["params"]): ChartSample | null {
  const stored: Pick<Produced, "sources"> & { readonly charts?: unknown } = JSON.parse(body);
  const charts = parseCharts(stored.charts ?? []);
  return charts.length === 0 ? null : { preview_of, as_of_ms, sources: stored.sources, charts };
}

export function createPreviews(options: PreviewOptions): Previews {
  const { clock, store, runner } = options;

  /** A plan's preview says what it grants: nothing in it comes from anywhere or grows old. */
  const describePlan = ({ id, definition }: CatalogProduct, now_ms: number): Envelope => {
    const { as_of_ms, data, warnings } = settleComputed(definition.compute(null, { params: {}, now_ms }));
    const { node_id, sandbox } = options;
    const made = { as_of_ms, generated_at_ms: now_ms, sources: [], delayed_s: 0 };
    const gist = tellGist(definition, { data, as_of: renderTime(as_of_ms) });
    return createEnvelope({ product: id, node_id, sandbox, data, warnings, gist, ...made });
  };

  const find: Previews["find"] = (product, request) => {
    const now = clock.now();
    if (product.definition.plan) return describePlan(product, now);
    const kept = keptPreviewOf(product, request);
    const snapshot = kept && store.newestSnapshot(product.id, kept.key, now - product.preview_delay_ms);
    if (!snapshot) return null;
    const produced: Pick<Produced, "sources" | "warnings" | "data"> = JSON.parse(snapshot.body);
    const as_of = renderTime(snapshot.as_of_ms);
    return createEnvelope({
      preview_of: kept.params,
      product: product.id,
      node_id: options.node_id,
      sandbox: options.sandbox,
      as_of_ms: snapshot.as_of_ms,
      generated_at_ms: snapshot.taken_at_ms,
      sources: produced.sources,
      warnings: produced.warnings,
      data: produced.data,
      gist: tellGist(product.definition, { data: produced.data, as_of, lang: ownLanguage(kept.params) }),
      delayed_s: Math.max(0, Math.floor((now - snapshot.as_of_ms) / 1000)),
    });
  };

  const findListed: Previews["findListed"] = (product) => {
    if (!product.definition.preview.listed) return null;
    const [{ key }] = product.previewRequests();
    const snapshot = store.newestSnapshot(product.id, key, clock.now());
    if (!snapshot) return null;
    // Snapshots that were stored before their product counted have no count.
    const { listed }: Pick<Produced, "listed"> = JSON.parse(snapshot.body);
    return listed ? { ...listed, as_of_ms: snapshot.as_of_ms } : null;
  };

  const drawn = new Map<string, { readonly of: Snapshot; readonly sample: ChartSample | null }>();
  const findCharts: Previews["findCharts"] = (product) => {
    const { charts, rowCharts } = product.definition.preview;
    if (!charts && !rowCharts) return null;
    const [{ key, params }] = product.previewRequests();
    const snapshot = store.newestSnapshot(product.id, key, clock.now() - product.preview_delay_ms);
    if (!snapshot) return null;
    const known = drawn.get(product.id);
    if (known?.of.as_of_ms === snapshot.as_of_ms && known.of.taken_at_ms === snapshot.taken_at_ms) return known.sample;
    const sample = readCharts(snapshot, params);
    drawn.set(product.id, { of: snapshot, sample });
    return sample;
  };

  const nextPast: Previews["nextPast"] = (product, request, after_ms) => {
    const kept = product.definition.plan ? null : keptPreviewOf(product, request);
    if (kept === null) return null;
    const to_ms = clock.now() - product.preview_delay_ms;
    const from_ms = Math.max(after_ms + 1, to_ms - PAST_MS);
    const snapshot = store.oldestSnapshot(product.id, kept.key, { from_ms, to_ms });
    if (snapshot === null) return null;
    const { data }: Pick<Produced, "data"> = JSON.parse(snapshot.body);
    return { as_of_ms: snapshot.as_of_ms, data };
  };

  return {
    find,
    findListed,
    nextPast,
    findCharts,
    get(product, request) {
      const found = find(product, request);
      if (found) return found;
      if (keptPreviewOf(product, request) === null) throw toPreviewNotKept(product);
      throw new NodeError("preview_not_ready", `No snapshot of ${product.id} is old enough to be free yet.`, {
        retry_after_s: Math.max(1, Math.ceil(Math.min(product.preview_delay_ms, product.preview_every_ms) / 1000)),
      });
    },
    async refresh(product) {
      const kept = product.previewRequests();
      for (const request of kept) {
        for (const produced of await runner.produceSnapshots(product, request)) {
          const { as_of_ms, generated_at_ms, sources, warnings, data, charts, listed } = produced;
          const body = JSON.stringify({ sources, warnings, data, charts, listed });
          const row = { product: product.id, params_key: request.key, as_of_ms, taken_at_ms: generated_at_ms, body };
          store.saveSnapshot(row);
        }
      }
      const from_ms = clock.now() - product.preview_delay_ms - PAST_MS;
      const past = { params_key: kept[0].key, from_ms, step_ms: PAST_STEP_MS };
      store.pruneSnapshots(product.id, keptSnapshots(product) * kept.length, past);
    },
  };
}
