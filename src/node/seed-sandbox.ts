import type { Catalog, CatalogProduct } from "../catalog/catalog.ts";
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
/** What is judged a day later, such as signals, was judged when the oldest previews were taken. */
const FIRST_MS = 3 * 86_400_000;

/** Something the node would have done at a time in the past. */
interface Deed {
  readonly at_ms: number;
  readonly run: () => Promise<void>;
}

/**
 * Gives a new sandbox a past: the world model can be read at any time, so the node lives through moments three days ago
 * and one preview delay ago, at each of which every job had its last mark. Previews are ready at once, and there are
 * records to sell. A real node has to wait for them. A sandbox that was there before has them already.
 */
export async function seedSandboxHistory({ clock, catalog, previews, scheduler }: SeedParts): Promise<void> {
  const products = catalog.products.filter(
    (product) => product.definition.plan === undefined && previews.find(product, product.preview_requests[0]) === null,
  );
  if (products.length === 0) return;
  const now_ms = clock.now();
  const momentOf = ({ preview_delay_ms }: CatalogProduct): number => now_ms - preview_delay_ms - MARGIN_MS;
  const moments = new Set([now_ms - FIRST_MS, ...products.map(momentOf)]);
  const jobs = new Map<string, Deed>();
  for (const moment of moments) {
    for (const { id, at_ms } of scheduler.lastMarks(moment)) {
      if (!isPreviewJob(id))
        jobs.set(`${id} ${at_ms}`, { at_ms, run: () => scheduler.runAtStart((one) => one === id) });
    }
  }
  const snapshots = products.map((product): Deed => {
    return { at_ms: momentOf(product), run: () => previews.refresh(product).catch(() => undefined) };
  });
  for (const { at_ms, run } of [...jobs.values(), ...snapshots].sort((a, b) => a.at_ms - b.at_ms)) {
    const back_ms = clock.now() - at_ms;
    clock.advance(-back_ms);
    try {
      await run();
    } finally {
      clock.advance(back_ms);
    }
  }
}
