import { describe, expect, test } from "bun:test";
import { createWholeNode, type Outcome, PRODUCTS, produce, runJobs } from "../helpers/catalog-world.ts";
import type { BentCall } from "../helpers/simulated-node.ts";

/** A Thursday. */
const NOW_MS = Date.UTC(2026, 9, 1, 12, 24, 56);
const WARNING = /^swissquote: (1 of 2|\d+ of \d+) rows (was|were) unreadable and left out$/;

interface Profile {
  bid: unknown;
  ask: unknown;
}
type Feed = { spreadProfilePrices: Profile[] }[];

/** The dealer's answer with its narrowest profile changed in each feed. */
const bendProfile = (change: (profile: Profile) => Profile | null) => async (answer: Response, asked: BentCall) => {
  if (asked.provider !== "swissquote") return answer;
  const feeds = (await answer.json()) as Feed;
  for (const feed of feeds) {
    const [wide, narrow] = feed.spreadProfilePrices;
    if (!wide || !narrow) continue;
    const bent = change(narrow);
    feed.spreadProfilePrices = bent ? [wide, bent] : [wide];
  }
  return Response.json(feeds);
};

async function sell(path: string, params: object, bend?: ReturnType<typeof bendProfile>): Promise<Outcome> {
  const node = createWholeNode({ now_ms: NOW_MS, ...(bend ? { bend } : {}) });
  await runJobs(node, new Set(["commodities"]));
  const product = PRODUCTS.find((one) => one.path === path);
  if (!product) throw new Error(path);
  const outcome = await produce(node, product, product.params.fromBody(params));
  node.close();
  return outcome;
}

describe.each<[string, object]>([
  ["/forex-rate", {}],
  ["/forex-arbitrage", {}],
  ["/commodity-price", { symbol: "gold" }],
])("%s keeps its dealer", (path, params) => {
  test.each<[string, Partial<Profile>]>([
    ["bid 0", { bid: 0 }],
    ["bid null", { bid: null }],
    ["bid in words", { bid: "1.1 &euro;" }],
    ["crossed", { bid: 1e12 }],
  ])("with a profile of %s: it is as without that profile, and says so", async (_, change) => {
    const without = await sell(
      path,
      params,
      bendProfile(() => null),
    );
    const bent = await sell(
      path,
      params,
      bendProfile((profile) => ({ ...profile, ...change })),
    );
    if (!without.ok || !bent.ok) throw new Error(`${path} is not sold`);
    expect(bent.sold.data).toEqual(without.sold.data);
    expect(bent.sold.sources.some(({ provider, ok }) => provider === "swissquote" && ok)).toBe(true);
    expect(bent.sold.warnings.filter((text) => WARNING.test(text))).toHaveLength(1);
    expect(without.sold.warnings.filter((text) => WARNING.test(text))).toEqual([]);
  });
});
