import { LRUCache } from "lru-cache";

/**
 * A map that drops the least recently used entry once it holds `entries_max`. Memory grows as it fills: given the same
 * number as `max`, the library allocates it all at once, and a node has dozens of these maps.
 */
export const createLRU = <V extends object | string | number | true, K extends string | number = string>(
  entries_max: number,
): LRUCache<K, V> => new LRUCache<K, V>({ maxSize: entries_max, maxEntrySize: 1, sizeCalculation: () => 1 });
