import type { Catalog, CatalogProduct } from "../catalog/catalog.ts";
import type { ScheduledJob } from "./scheduler.ts";

export interface PreviewJobOptions {
  readonly catalog: Catalog;
  /** Takes new snapshots of a product. */
  readonly refresh: (product: CatalogProduct) => Promise<void>;
  readonly onRefreshed: (path: string) => void;
  /** Whether its newest snapshot is younger than its cadence: a restart need not ask the upstreams again. */
  readonly isFresh: (product: CatalogProduct) => boolean;
}

const PREFIX = "preview-";

/** Whether a job takes snapshots for previews. */
export const isPreviewJob = (id: string): boolean => id.startsWith(PREFIX);

/** One job per product: takes its snapshots on its own cadence, and at start when there are no fresh ones. */
export const createPreviewJobs = ({
  catalog,
  refresh,
  onRefreshed,
  isFresh,
}: PreviewJobOptions): readonly ScheduledJob[] =>
  catalog.products
    .filter(({ definition }) => definition.plan === undefined)
    .map((product) => ({
      id: `${PREFIX}${product.id}`,
      schedule: { every_ms: product.preview_every_ms },
      at_start: !isFresh(product),
      run: async () => {
        await refresh(product);
        onRefreshed(product.path);
      },
    }));
