import type { SimulatedWorld } from "./simulator.ts";

/** Lines of a file from a day on that are published by now, and the day to go on from. */
export interface Grown {
  readonly lines: readonly string[];
  readonly next: string;
}

/** Few days are asked for, all of them by our own jobs. */
const FILES_KEPT = 200;

interface WrittenFile {
  readonly now_ms: number;
  readonly text: string;
  readonly next: string;
}

/**
 * A simulated publisher's files that only grow, such as years of daily rates: a published line never changes, so only
 * lines since the last request are written. A request for an earlier time writes the file anew.
 * @returns the lines of a file from a day on, joined and ended by `line_end`; "" when there are no lines.
 */
export function createGrowingFiles(line_end: string) {
  // A stale world has its own clock and market function, as has a test world with other prices.
  const worlds = new WeakMap<SimulatedWorld["price"], Map<string, WrittenFile>>();
  return (
    world: SimulatedWorld,
    { name, since }: { readonly name: string; readonly since: string },
    listFrom: (day: string) => Grown,
  ): string => {
    const files = worlds.get(world.price) ?? new Map<string, WrittenFile>();
    worlds.set(world.price, files);
    const now_ms = world.now();
    const kept = files.get(`${name} ${since}`);
    const before = kept && kept.now_ms <= now_ms ? kept : { text: "", next: since };
    const { lines, next } = listFrom(before.next);
    const text = lines.length === 0 ? before.text : `${before.text}${lines.join(line_end)}${line_end}`;
    if (files.size >= FILES_KEPT) files.clear();
    files.set(`${name} ${since}`, { now_ms, text, next });
    return text;
  };
}
