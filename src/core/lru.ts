import { LRUCache } from "lru-cache";

/**
 * A map that forgets what was longest not used once it holds `entries_max`. It takes memory as it fills: told the same
 * number as `max`, the library sets it all aside at once, and a node has dozens of these.
 */
export const createLRU = <V extends object | string | number | true, K extends string | number = string>(
  entries_max: number,
): LRUCache<K, V> => new LRUCache<K, V>({ maxSize: entries_max, maxEntrySize: 1, sizeCalculation: () => 1 });
