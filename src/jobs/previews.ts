import type { Catalog } from "../catalog/catalog.ts";
import type { Previews } from "../catalog/previews.ts";
import type { ScheduledJob } from "./scheduler.ts";

/** One job per product: takes its snapshots at start and on its own cadence. */
export const createPreviewJobs = (
  catalog: Catalog,
  previews: Previews,
  onRefreshed: (path: string) => void,
): readonly ScheduledJob[] =>
  catalog.products
    .filter(({ definition }) => definition.plan === undefined)
    .map((product) => ({
      id: `preview-${product.id}`,
      schedule: { every_ms: product.preview_every_ms },
      at_start: true,
      run: async () => {
        await previews.refresh(product);
        onRefreshed(product.path);
      },
    }));
