import { type Static, Type } from "@sinclair/typebox";
import {
  cleanForeign,
  type FetchContext,
  isTestNetwork,
  isUSDC,
  type ProviderDefinition,
  Rows,
  readTerms,
  Whole,
} from "intel-node";

/** One resource as a register lists it: its seller's claims. */
export interface BazaarListing {
  readonly resource: string;
  readonly host: string;
  readonly network: string;
  readonly price_atomic: number;
  readonly category: string;
  readonly calls_30d: number | null;
  readonly payers_30d: number | null;
  readonly updated_at_ms: number | null;
}

export interface ListingPage {
  readonly listings: readonly BazaarListing[];
  /** How many the register says it has. */
  readonly total: number;
}

const Quality = Type.Object({
  l30DaysTotalCalls: Type.Optional(Type.Union([Type.Integer({ minimum: 0 }), Type.Null()])),
  l30DaysUniquePayers: Type.Optional(Type.Union([Type.Integer({ minimum: 0 }), Type.Null()])),
});
const Item = Type.Object({
  resource: Type.String({ maxLength: 4_096 }),
  // Offers that we cannot read are left out: sellers write many kinds.
  accepts: Type.Optional(Whole("parts", Type.Unknown(), { maxItems: 100 })),
  description: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  lastUpdated: Type.Optional(Type.Union([Type.String(), Type.Number()])),
  quality: Type.Optional(Type.Union([Quality, Type.Null()])),
});
const Page = Type.Object({
  items: Rows(Item, { minItems: 1, maxItems: 1_000 }),
  pagination: Type.Object({ total: Type.Integer({ minimum: 0 }) }),
});

const PAGE = 1_000;
const TTL_MS = 6 * 3_600_000;
const CATEGORIES: readonly (readonly [string, RegExp])[] = [
  ["price", /price|quote|ohlc|ticker|candle/i],
  ["sentiment", /sentiment|fear|mood/i],
  ["wallet", /wallet|address|portfolio|balance/i],
  ["token", /token|contract|rug|holder/i],
  ["news", /news|headline|article/i],
  ["llm", /\bllm|\bgpt|chat|completion|inference/i],
  ["search", /search|scrape|crawl|web/i],
];

/** A rough kind of what is sold, from the words of its seller. */
const categoryOf = (words: string): string => CATEGORIES.find(([, is]) => is.test(words))?.[0] ?? "other";

function toListing(item: Static<typeof Item>): BazaarListing | null {
  // As it is shown: when cut, an address may no longer be valid.
  const resource = cleanForeign(item.resource, 300);
  const terms = readTerms({ accepts: item.accepts ?? [] });
  // A seller may name a test network first, to be tried out.
  const priced = terms?.accepts.find(
    (one) => isUSDC(one) && one.amount_atomic !== null && isTestNetwork(one.network) === false,
  );
  if (!priced || !URL.canParse(resource)) return null;
  const updated = item.lastUpdated;
  const at_ms = typeof updated === "number" ? updated * 1000 : Date.parse(updated ?? "");
  return {
    resource,
    host: new URL(resource).host,
    network: priced.network,
    price_atomic: Number(priced.amount_atomic),
    category: categoryOf(`${item.resource} ${item.description ?? ""}`),
    calls_30d: item.quality?.l30DaysTotalCalls ?? null,
    payers_30d: item.quality?.l30DaysUniquePayers ?? null,
    updated_at_ms: Number.isFinite(at_ms) ? at_ms : null,
  };
}

/**
 * The first 1,000 resources of a register that take USDC on a main network.
 * @throws UpstreamError
 */
export function fetchListings(context: Pick<FetchContext, "get">, provider: ProviderDefinition): Promise<ListingPage> {
  return context.get(provider, {
    path: `/resources?type=http&limit=${PAGE}&offset=0`,
    schema: Page,
    ttl_ms: TTL_MS,
    read: ({ items, pagination }) => ({
      listings: items.flatMap((one) => toListing(one) ?? []),
      total: pagination.total,
    }),
  });
}
