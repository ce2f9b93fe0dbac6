/** The names of a new product. */
export interface NewProduct {
  /** Folder of the domain: "fx". */
  readonly domain: string;
  /** Path without its slash, and name of the folder: "forex-rate". */
  readonly name: string;
}

const pascal = (name: string): string =>
  name.replace(/(^|-)([a-z0-9])/g, (_, _hyphen: string, letter: string) => letter.toUpperCase());
const words = (name: string): string => name.replaceAll("-", " ");
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const renderProduct = ({ domain, name }: NewProduct): string => `import { defineProduct, exampleOf } from "intel-node";
import { bitstamp } from "intel-node/providers/bitstamp/provider";
import { kraken } from "intel-node/providers/kraken/provider";
import { compute${pascal(name)} } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { fetch${pascal(name)} } from "./fetch.ts";
import { ${pascal(name)}Params, ${pascal(name)}Schema } from "./schema.ts";

export const product = defineProduct({
  path: "/${name}",
  title: "${capital(words(name))}",
  description: "Middle of the best bid and ask of one coin in US dollars, its spread and the time of the quote.",
  category: "${domain}",
  tags: ["price"],
  price_usd: "0.01",
  params: ${pascal(name)}Params,
  data: ${pascal(name)}Schema,
  example: exampleOf({ symbol: "BTC" }, made),
  providers: [bitstamp, kraken],
  requires: [[bitstamp, kraken]],
  ttl: "15s",
  deadline_ms: 6_000,
  preview: { every: "30m", delay: "30m" },
  fetch: fetch${pascal(name)},
  compute: compute${pascal(name)},
});
`;

const renderSchema = ({ name }: NewProduct): string => `import { type Static, Type } from "@sinclair/typebox";
import { closed } from "intel-node";

const Coin = Type.Union([Type.Literal("BTC"), Type.Literal("ETH")], { default: "BTC", description: "The coin." });

export const ${pascal(name)}Params = Type.Object({ symbol: Coin }, closed);

export const ${pascal(name)}Schema = Type.Object(
  {
    symbol: Type.String({ description: "The coin, as it was asked for." }),
    price_usd: Type.Number({ description: "Middle of bid and ask, US dollars.", exclusiveMinimum: 0, digits: 8 }),
    spread_bps: Type.Number({ description: "Ask less bid over the middle, basis points.", minimum: 0, decimals: 2 }),
    quoted_at: Type.Union([Type.String(), Type.Null()], {
      description: "Time the venue states for the quote, ISO 8601 UTC; null when it states none.",
    }),
  },
  closed,
);

export type ${pascal(name)}Data = Static<typeof ${pascal(name)}Schema>;
`;

const renderFetch = ({ name }: NewProduct): string => `import { type FetchContext, UpstreamError } from "intel-node";
import { bitstamp } from "intel-node/providers/bitstamp/provider";
import { fetchBitstampQuote } from "intel-node/providers/bitstamp/ticker";
import { fetchKrakenQuote } from "intel-node/providers/kraken/depth";
import { kraken } from "intel-node/providers/kraken/provider";
import type { Quote } from "intel-node/providers/quote";

/** Oldest quote that may be sold. */
const AGE_MAX_MS = 120_000;

/**
 * Does only I/O: fetches the quote from the first provider that has one.
 * @throws NodeError when no provider has one.
 */
export function fetch${pascal(name)}(context: FetchContext, { symbol }: { readonly symbol: string }): Promise<Quote> {
  const refuseOld = async (provider: string, fetching: Promise<Quote>): Promise<Quote> => {
    const quote = await fetching;
    if (quote.at_ms === null || context.now_ms - quote.at_ms <= AGE_MAX_MS) return quote;
    throw new UpstreamError("upstream_bad_response", provider, "the quote is older than 2 minutes");
  };
  return context.first("${name}", [
    { provider: bitstamp, run: () => refuseOld(bitstamp.id, fetchBitstampQuote(context, symbol)) },
    { provider: kraken, run: () => refuseOld(kraken.id, fetchKrakenQuote(context, symbol)) },
  ]);
}
`;

const renderCompute = ({ name }: NewProduct): string => `import { type Computed, renderTime } from "intel-node";
import { getMid, type Quote } from "intel-node/providers/quote";
import type { ${pascal(name)}Data } from "./schema.ts";

/** Pure: turns a quote into data, in full precision. The node rounds figures by the schema. */
export function compute${pascal(name)}(
  quote: Quote,
  { params, now_ms }: { readonly params: { readonly symbol: string }; readonly now_ms: number },
): Computed<${pascal(name)}Data> {
  const mid = getMid(quote);
  const { bid, ask, at_ms } = quote;
  return {
    as_of_ms: Math.min(at_ms ?? now_ms, now_ms),
    warnings: at_ms === null ? ["quoted_at: the venue states no time"] : [],
    data: {
      symbol: params.symbol,
      price_usd: mid,
      spread_bps: ((ask - bid) / mid) * 10_000,
      quoted_at: at_ms === null ? null : renderTime(at_ms),
    },
  };
}
`;

const renderComputeTest = ({ name }: NewProduct): string => `import { expect, test } from "bun:test";
import { compute${pascal(name)} } from "./compute.ts";

const NOW_MS = Date.UTC(2026, 10, 21, 6);
const compute = (bid: number, ask: number, at_ms: number | null = NOW_MS - 2_000) =>
  compute${pascal(name)}({ bid, ask, at_ms }, { params: { symbol: "BTC" }, now_ms: NOW_MS });

test("the price is the middle, the spread is over the middle", () => {
  const { data, as_of_ms, warnings } = compute(9_990, 10_010);
  expect(data).toMatchObject({ symbol: "BTC", price_usd: 10_000, spread_bps: 20 });
  expect([as_of_ms, warnings]).toEqual([NOW_MS - 2_000, []]);
});

test("a time that is not stated is null, with a warning", () => {
  const { data, as_of_ms, warnings } = compute(100, 101, null);
  expect(data.quoted_at).toBeNull();
  expect([as_of_ms, warnings]).toEqual([NOW_MS, ["quoted_at: the venue states no time"]]);
});
`;

const renderProductTest = ({ name }: NewProduct): string => `import { describe, expect, test } from "bun:test";
import { createProductRig } from "../../../../test/helpers/product-rig.ts";
import { product } from "./product.ts";

const { createNode, run } = createProductRig(product, { now_ms: Date.UTC(2026, 9, 1, 12, 34, 56) });

describe("GET /${name}", () => {
  test("sells what its schema says, sourced", async () => {
    const { data, sources } = await run(createNode());
    expect(data.price_usd).toBeGreaterThan(0);
    expect(sources.map(({ provider, ok }) => [provider, ok])).toEqual([["bitstamp", true]]);
  });

  // test/contract/faults.test.ts tries every fault of every source. Only this product's own rules are tested here.
  test("Kraken's book takes the place of Bitstamp's quote", async () => {
    const node = createNode();
    node.upstreams.setFault("bitstamp", "http500");
    expect((await run(node)).data.price_usd).toBeGreaterThan(0);
  });
});
`;

/** A first example; `bun src/tools/examples.ts` writes the later ones. */
const EXAMPLE = `{
  "as_of": "2026-11-21T06:00:00Z",
  "data": { "symbol": "BTC", "price_usd": 64005.5, "spread_bps": 0.16, "quoted_at": "2026-11-21T05:59:58Z" }
}
`;

const renderReadme = ({ name }: NewProduct): string => `# /${name}

The middle of the best bid and ask of one coin in US dollars.

## Method
\`price_usd\` = (bid + ask) / 2, 8 significant digits; \`spread_bps\` = (ask - bid) / price_usd x 10,000.
A quote older than 2 minutes is refused. \`as_of\` is the time the venue states, or of the call where it states none.
## Worked example
\`\`\`formula
"half of the spread, in US dollars" = price_usd * spread_bps / 20000
\`\`\`
## Sources
Bitstamp's public ticker or, when it cannot be used, Kraken's public book.
## Limits
Other venues differ by some basis points.
`;

const renderIndex = (domain: string): string => `import { definePlugin } from "intel-node";

export const plugin = definePlugin({ id: "${domain}", title: "${capital(words(domain))}" });
`;

/** Every file of a new, working product, by path, including the domain's own file. */
export const renderNewProduct = (product: NewProduct): Readonly<Record<string, string>> => {
  const domain = `src/plugins/${product.domain}`;
  const folder = `${domain}/${product.name}`;
  return {
    [`${domain}/index.ts`]: renderIndex(product.domain),
    [`${folder}/product.ts`]: renderProduct(product),
    [`${folder}/schema.ts`]: renderSchema(product),
    [`${folder}/fetch.ts`]: renderFetch(product),
    [`${folder}/compute.ts`]: renderCompute(product),
    [`${folder}/example.gen.json`]: EXAMPLE,
    [`${folder}/compute.test.ts`]: renderComputeTest(product),
    [`${folder}/product.test.ts`]: renderProductTest(product),
    [`${folder}/README.md`]: renderReadme(product),
  };
};
