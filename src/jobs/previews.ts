import type { Catalog, CatalogProduct } from "../catalog/catalog.ts";
import { explainThrown } from "../catalog/describe-thrown.ts";
import { NodeError } from "../core/errors.ts";
import type { ScheduledJob } from "./scheduler.ts";
import { START_RANKS } from "./start-queue.ts";

export interface PreviewJobOptions {
  readonly catalog: Catalog;
  /** Takes new snapshots of a product. */
  readonly refresh: (product: CatalogProduct) => Promise<void>;
  readonly onRefreshed: (path: string) => void;
  /** Whether its newest snapshot is younger than its cadence: a restart need not ask the upstreams again. */
  readonly isFresh: (product: CatalogProduct) => boolean;
  /** Ids of products that the first page shows: theirs are taken before the others. */
  readonly first: ReadonlySet<string>;
  /** Ids of products whose last preview could not be taken: outlives the jobs, which a reload makes anew. */
  readonly missing: Set<string>;
}

const PREFIX = "preview-";

/** Whether a job takes snapshots for previews. */
export const isPreviewJob = (id: string): boolean => id.startsWith(PREFIX);

/** A preview that could not be taken is tried again this often: a day without one would be long. */
const RETRY_MS = 900_000;

/** Whether a product is made of records that do not exist yet: nothing is wrong with it, it only has to wait. */
const isTooEarly = (error: unknown): boolean => error instanceof NodeError && error.code === "no_history";

/**
 * One job per product: takes its snapshots on its own cadence, and at start when there are no fresh ones. One more
 * tries those again that failed or had no data yet.
 */
export function createPreviewJobs(options: PreviewJobOptions): readonly ScheduledJob[] {
  const { catalog, refresh, onRefreshed, isFresh, first, missing } = options;
  const take = async (product: CatalogProduct): Promise<void> => {
    try {
      await refresh(product);
    } catch (error) {
      missing.add(product.id);
      if (isTooEarly(error)) return;
      throw error;
    }
    missing.delete(product.id);
    onRefreshed(product.path);
  };
  const products = catalog.products.filter(({ definition }) => definition.plan === undefined);
  return [
    ...products.map((product) => ({
      id: `${PREFIX}${product.id}`,
      schedule: { every_ms: product.preview_every_ms },
      get at_start() {
        return !isFresh(product);
      },
      reads_stored: true,
      start_rank: first.has(product.id) ? START_RANKS.home : START_RANKS.previews,
      provider_ids: (product.definition.providers ?? []).map(({ id }) => id),
      // What is shown is the newest one that has grown old enough.
      skipping: { runs_kept: Math.ceil(product.preview_delay_ms / product.preview_every_ms) + 1, reads: true },
      run: () => take(product),
    })),
    {
      id: "retry-previews",
      schedule: { every_ms: RETRY_MS },
      at_start: false,
      skipping: { runs_kept: 1, reads: true },
      async run() {
        const due = products.filter(({ id, preview_every_ms }) => missing.has(id) && preview_every_ms > RETRY_MS);
        const errors: unknown[] = [];
        // One after the other: what is given away does not crowd the upstreams.
        for (const product of due) await take(product).catch((error: unknown) => errors.push(error));
        if (errors.length > 0)
          throw new Error(`${errors.length} of ${due.length} previews failed: ${explainThrown(errors[0])}`);
      },
    },
  ];
}
