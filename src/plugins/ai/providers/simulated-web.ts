import type { SimulatedWorld } from "intel-node";

/** A page of the simulated web, with what engines say of it. */
export interface SimulatedPage {
  readonly title: string;
  readonly url: string;
  readonly snippet: string;
  readonly at_ms: number;
}

const PAGES = 24;
const SITES = ["docs", "blog", "forum", "wiki", "news", "lab"] as const;
const DAY_MS = 86_400_000;

/** Pages about a query as one engine ranks them: all engines know the same web, each sees a part in its own order. */
export function searchSimulatedWeb(world: SimulatedWorld, engine: string, q: string): readonly SimulatedPage[] {
  const words = q
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
  // Nobody finds what does not exist.
  if (words === "" || words.includes("zzzz")) return [];
  return Array.from({ length: PAGES }, (_, page) => page)
    .filter((page) => world.noise(`web ${engine} ${words} ${page}`) < 0.6)
    .toSorted((a, b) => rank(world, { engine, words, page: a }) - rank(world, { engine, words, page: b }))
    .map((page): SimulatedPage => {
      const site = SITES[page % SITES.length];
      const slug = words.replaceAll(" ", "-");
      // Some engines leave parameters on that only track.
      const tail = world.noise(`web tail ${engine} ${page}`) < 0.4 ? "?utm_source=search" : "";
      return {
        title: `${q} - part ${page + 1} | ${site}`,
        url: `https://www.${site}.example/${slug}/${page + 1}/${tail}`,
        snippet: `What <b>${words}</b> means, page ${page + 1}.`,
        at_ms: world.now() - Math.floor(world.noise(`web age ${words} ${page}`) * 400) * DAY_MS,
      };
    });
}

const rank = (world: SimulatedWorld, of: { readonly engine: string; readonly words: string; readonly page: number }) =>
  of.page + 8 * world.noise(`web rank ${of.engine} ${of.words} ${of.page}`);

/** A text member of a JSON body; empty if absent. */
export function readText(body: unknown, name: string): string {
  const value =
    typeof body === "object" && body !== null ? Object.entries(body).find(([key]) => key === name)?.[1] : "";
  return typeof value === "string" ? value : "";
}

/** "Nov 3, 2026" */
export const renderDay = (at_ms: number): string =>
  new Date(at_ms).toLocaleDateString("en-US", { year: "numeric", month: "short", day: "numeric", timeZone: "UTC" });
