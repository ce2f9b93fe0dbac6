import { expect, test } from "bun:test";
import { Glob } from "bun";

/**
 * Each list of an upstream's answer has a decision: `Rows`, read one by one, or `Whole`, with its reason (ADR 0018). A
 * new reader without one fails here.
 */
const FILES = [
  ...new Glob("src/upstream/providers/**/*.ts").scanSync("."),
  ...new Glob("src/plugins/*/providers/**/*.ts").scanSync("."),
  // Readers that belong to one domain's own parts.
  ...["src/plugins/trust-desk/bazaar/listings.ts", "src/plugins/fx/quotes/quotes.ts"],
].filter((file) => !/\.test\.ts$|simulat|\/recorded\//.test(file));

/** Rows under names: of one subject, or looked into by the reader itself. */
const RECORDS: Readonly<Record<string, string>> = {
  "src/plugins/brazil/providers/ibge/fetch-aggregate.ts": "a series of months: a hole would be a wrong neighbour",
  "src/plugins/brazil/providers/ibge/fetch-crop.ts": "a row's own cells",
  "src/plugins/macro/providers/bea/calendar.ts": "two named members, each date through eachRow",
  "src/plugins/macro/providers/gdelt-events/event-file.ts": "what a job stores, no answer",
  "src/plugins/tokens/providers/rugcheck/report.ts": "labels of one token's holders",
  "src/upstream/providers/alternative-me/market-caps.ts": "the total is a sum over all of them",
  "src/upstream/providers/defillama/token-price.ts": "one token is asked for",
  "src/upstream/providers/goplus/address-security.ts": "labels of one address",
  "src/upstream/providers/goplus/token-security.ts": "one token is asked for",
  "src/upstream/providers/kraken/asset-pairs.ts": "pairs of other kinds have other rows: a row that fits is a pair",
  "src/upstream/providers/kraken/candles.ts": "one pair is asked for",
  "src/upstream/providers/kraken/depth.ts": "one pair is asked for",
  "src/upstream/providers/kraken/order-book.ts": "one pair is asked for",
  "src/upstream/providers/kraken/share-token.ts": "one pair is asked for",
};

/** Lists that stand in a text or in bytes. */
const TEXTS: Readonly<Record<string, "rows" | "whole" | "no list">> = {
  "src/upstream/providers/bitcoin-blocks.ts": "whole",
  "src/upstream/providers/coinbase/order-book.ts": "whole",
  "src/upstream/providers/ecb/meetings.ts": "whole",
  "src/upstream/providers/ecb/reference-rates.ts": "whole",
  "src/upstream/providers/fred/series.ts": "whole",
  "src/upstream/providers/gdelt/articles.ts": "rows",
  "src/upstream/providers/rss.ts": "rows",
  "src/plugins/ai/providers/feeds/read-feed.ts": "rows",
  "src/plugins/ai/providers/feeds/robots.ts": "no list",
  "src/plugins/brazil/providers/b3-files/fetch-trade-file.ts": "whole",
  "src/plugins/brazil/providers/b3-reports/fetch-settlement-report.ts": "whole",
  "src/plugins/equities/providers/sec/company-facts.ts": "whole",
  "src/plugins/equities/providers/sec/current-filings.ts": "rows",
  "src/plugins/equities/providers/sec/ownership.ts": "whole",
  "src/plugins/equities/providers/sec/submission-text.ts": "no list",
  "src/plugins/macro/providers/bls/calendar.ts": "rows",
  "src/plugins/macro/providers/gdelt-events/event-file.ts": "rows",
};

const read = async (): Promise<ReadonlyMap<string, string>> =>
  new Map(await Promise.all(FILES.map(async (file) => [file, await Bun.file(file).text()] as const)));

test("no list of an answer is left undecided", async () => {
  const undecided = [...(await read())].filter(([, text]) => text.includes("Type.Array("));
  expect(undecided.map(([file]) => file)).toEqual([]);
  expect(FILES.length).toBeGreaterThan(150);
});

test("rows under names are decided too", async () => {
  const named = [...(await read())].filter(([, text]) => text.includes("Type.Record("));
  expect(named.map(([file]) => file).sort()).toEqual(Object.keys(RECORDS).sort());
});

test("and lists in texts, which say themselves how they are read", async () => {
  const texts = [...(await read())].filter(([, text]) => /format: "(text|bytes)"/.test(text));
  expect(texts.map(([file]) => file).sort()).toEqual(Object.keys(TEXTS).sort());
  for (const [file, text] of texts) expect([file, text.includes("eachRow(")]).toEqual([file, TEXTS[file] === "rows"]);
});
