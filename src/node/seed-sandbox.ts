import type { Catalog } from "../catalog/catalog.ts";
import type { Previews } from "../catalog/previews.ts";
import type { SettableClock } from "../core/clock.ts";
import { isPreviewJob } from "../jobs/previews.ts";
import type { Scheduler } from "../jobs/scheduler.ts";

export interface SeedParts {
  readonly clock: SettableClock;
  readonly catalog: Catalog;
  readonly previews: Previews;
  readonly scheduler: Scheduler;
}

const MARGIN_MS = 60_000;

/**
 * Gives a new sandbox a past: the world model can be read at any time, so the node lives through one moment per preview
 * delay before now, and previews are ready at once. A real node has to wait for them. A sandbox that was there before
 * has them already.
 */
export async function seedSandboxHistory({ clock, catalog, previews, scheduler }: SeedParts): Promise<void> {
  const products = catalog.products.filter(
    (product) => product.definition.plan === undefined && previews.find(product, product.preview_requests[0]) === null,
  );
  const delays = [...new Set(products.map((product) => product.preview_delay_ms))].sort((a, b) => b - a);
  for (const delay_ms of delays) {
    clock.advance(-(delay_ms + MARGIN_MS));
    try {
      await scheduler.runAtStart((id) => !isPreviewJob(id));
      for (const product of products) {
        if (product.preview_delay_ms === delay_ms) await previews.refresh(product).catch(() => undefined);
      }
    } finally {
      clock.advance(delay_ms + MARGIN_MS);
    }
  }
}
