import type { SurfaceProduct } from "../surfaces/types.ts";
import { nameCategory } from "./parts.ts";

/** A group of products for one wish of a buyer. */
export interface Want {
  readonly title: string;
  readonly anchor: string;
  readonly products: readonly SurfaceProduct[];
}

/** The groups in order, with the tags that put a product into each. */
const WANTS: readonly (readonly [title: string, tags: string])[] = [
  ["Signals and moods", "signals track-record sentiment regime anomaly technical-analysis backtest sectors"],
  ["Prices and oracles", "oracle price quote prices arbitrage forex exchange-rate swap cross-chain gold"],
  ["Risk and portfolio", "risk portfolio correlation wallet screening sanctions safety compliance"],
  ["On-chain and tokens", "mempool mev whale defi dex holders launch insider on-chain"],
  ["Stocks and filings", "stocks equities sec earnings fundamentals"],
  ["Macro", "macro calendar event-study rates"],
  ["Brazil", "brazil"],
  ["Briefs and news", "brief news bundle telegram research text llm chat model debate"],
  ["Agents and trust", "x402 agents receipts trust integrity audit"],
];
const BY_TAG: ReadonlyMap<string, string> = new Map(
  WANTS.flatMap(([title, tags]) => tags.split(" ").map((tag): [string, string] => [tag, title])),
);
const ORDER = WANTS.map(([title]) => title);

/** The group of a product's first matching tag; without one, as for an operator's plugin, its category. */
const wantOf = ({ tags, category }: SurfaceProduct): string =>
  tags.map((tag) => BY_TAG.get(tag)).find((title) => title !== undefined) ?? nameCategory(category);

const slug = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");

/** Products without plans, grouped by a buyer's wishes; empty groups are left out. */
export function listWants(products: readonly SurfaceProduct[]): readonly Want[] {
  const groups = Map.groupBy(
    products.filter(({ plan }) => plan === null),
    wantOf,
  );
  const place = (title: string): number => (ORDER.includes(title) ? ORDER.indexOf(title) : ORDER.length);
  return [...groups]
    .sort(([a], [b]) => place(a) - place(b) || (a < b ? -1 : 1))
    .map(([title, own]) => ({ title, anchor: `in-${slug(title)}`, products: own }));
}
