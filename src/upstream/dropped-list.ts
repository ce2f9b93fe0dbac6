import { type DroppedRows, renderDropped } from "../catalog/rows.ts";

/** Rows left out of the answers of one run. */
export interface DroppedList {
  /** @param key equal for readings of the same answer, which count once. */
  add(provider: string, key: string, dropped: DroppedRows): void;
  /** One sentence for each provider. */
  list(): string[];
}

export function createDroppedList(): DroppedList {
  const by_provider = new Map<string, Map<string, DroppedRows>>();
  return {
    add(provider, key, dropped) {
      const answers = by_provider.get(provider) ?? new Map<string, DroppedRows>();
      by_provider.set(provider, answers);
      // If two readers read one answer, the count of the stricter one is kept.
      const known = answers.get(key);
      if (!known || known.dropped < dropped.dropped) answers.set(key, dropped);
    },
    list: () =>
      [...by_provider].map(([provider, answers]) => {
        const all = [...answers.values()];
        const dropped = all.reduce((sum, one) => sum + one.dropped, 0);
        return renderDropped(provider, { dropped, of: all.reduce((sum, one) => sum + one.of, 0) });
      }),
  };
}
