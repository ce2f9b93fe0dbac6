import type { FetchContext, History, WritableHistory } from "./context.ts";

const HOUR_MS = 3_600_000;
const WANTED_MS = 24 * HOUR_MS;
const KEPT_MS = 48 * HOUR_MS;

const seriesOf = (product_id: string): string => `node/answers/${product_id}`;

export interface DemandLogOptions {
  readonly history: WritableHistory;
  readonly now: () => number;
  /** Told when it cannot be written down: that must not cost anybody his answer. */
  readonly onFault: (error: unknown) => void;
}

/** Remembers which products gave fresh answers, one entry an hour, so that jobs can work for what is wanted. */
export function createDemandLog({ history, now, onFault }: DemandLogOptions): (product_id: string) => void {
  // Bounded by the catalog: one entry per product.
  const hours = new Map<string, number>();
  return async (product_id) => {
    const hour = Math.floor(now() / HOUR_MS);
    if (hours.get(product_id) === hour) return;
    hours.set(product_id, hour);
    try {
      await history.write(seriesOf(product_id), [{ at_ms: hour * HOUR_MS, value: 1 }]);
      await history.prune(seriesOf(product_id), hour * HOUR_MS - KEPT_MS);
    } catch (error) {
      onFault(error);
    }
  };
}

/** Whether a product gave a fresh answer in the last 24 hours, previews not counted. */
export async function isWanted(
  context: { readonly history: History } & Pick<FetchContext, "now_ms">,
  product_id: string,
): Promise<boolean> {
  const window = { since_ms: context.now_ms - WANTED_MS, until_ms: context.now_ms, limit: 1 };
  return (await context.history.read(seriesOf(product_id), window)).length > 0;
}
