import type { Catalog, CatalogProduct } from "../catalog/catalog.ts";
import type { ScheduledJob } from "./scheduler.ts";

export interface PreviewJobOptions {
  readonly catalog: Catalog;
  /** Takes new snapshots of a product. */
  readonly refresh: (product: CatalogProduct) => Promise<void>;
  readonly onRefreshed: (path: string) => void;
}

/** One job per product: takes its snapshots at start and on its own cadence. */
export const createPreviewJobs = ({ catalog, refresh, onRefreshed }: PreviewJobOptions): readonly ScheduledJob[] =>
  catalog.products
    .filter(({ definition }) => definition.plan === undefined)
    .map((product) => ({
      id: `preview-${product.id}`,
      schedule: { every_ms: product.preview_every_ms },
      at_start: true,
      run: async () => {
        await refresh(product);
        onRefreshed(product.path);
      },
    }));
