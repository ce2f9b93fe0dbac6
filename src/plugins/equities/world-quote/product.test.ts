import { describe, expect, test } from "bun:test";
import { createProductRig } from "../../../../test/helpers/product-rig.ts";
import { refusalOf } from "../../../../test/helpers/refusal.ts";
import { parseCharts } from "../../../catalog/chart.ts";
import { MARKETS } from "../markets/markets.ts";
import { product } from "./product.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12, 34, 56);
const { createNode, run } = createProductRig(product, { now_ms: NOW_MS });

describe("GET /world-quote", () => {
  test("Taiwan's closes need no licence; the ECB has no rate of the Taiwan dollar, with a warning", async () => {
    const { data, warnings, as_of_ms } = await run(createNode());
    expect(data).toMatchObject({ symbol: "2330", market: "TWSE", currency: "TWD", end_of_day: true, price_usd: null });
    expect(warnings).toContain("price_usd, fx_rate, fx_date: the ECB fixes no rate of TWD");
    expect(new Date(as_of_ms).toISOString()).toBe("2026-10-01T05:30:00.000Z");
    expect(data.change).toBeCloseTo(data.price - (data.prev_close ?? 0), 4);
    expect(await refusalOf(run(createNode(), "symbol=9999"))).toMatchObject({ code: "subject_not_found" });
  });

  test("a vendor's licence opens London: pounds, dollars at the fix, the close before that has a price", async () => {
    const node = createNode({ licensed: ["yahoo"] });
    const { data } = await run(node, "market=LSE&symbol=BP");
    expect(data).toMatchObject({ market: "LSE", currency: "GBP", fx_date: "2026-09-30", end_of_day: false });
    expect(data.price).toBeLessThan(200);
    expect(data.price_usd).toBeCloseTo(data.price / (data.fx_rate ?? 0), 3);
    expect(await refusalOf(run(node, "market=LSE&symbol=ZZZZ"))).toMatchObject({ code: "subject_not_found" });
    expect((await refusalOf(run(createNode(), "market=LSE&symbol=BP"))).status).toBe(503);
    // Euros of a market that trades in kronor: a wrong listing.
    expect((await refusalOf(run(node, "market=STO&symbol=VOLV-B"))).code).toBe("upstream_bad_response");
  });

  test("where a vendor knows another company by that code, the next one is asked", async () => {
    // As CNBC answers "WBD", which New York gave up, with Webuild in Milan (its recorded quote-wbd.json).
    const bend = async (answer: Response, { provider }: { provider: string }) =>
      provider === "cnbc" ? new Response((await answer.text()).replace('"GBp"', '"EUR"')) : answer;
    const node = createNode({ licensed: ["cnbc", "yahoo"], bend });
    const { data, sources } = await run(node, "market=LSE&symbol=BP");
    expect(data.currency).toBe("GBP");
    expect(sources.filter(({ ok }) => ok).map(({ provider }) => provider)).toContain("yahoo");
    const alone = createNode({ licensed: ["cnbc"], bend });
    expect((await refusalOf(run(alone, "market=LSE&symbol=BP"))).code).toBe("upstream_bad_response");
  });

  test("a week of sessions as a picture: lunch in Tokyo, its holiday, no weekend", async () => {
    const node = createNode({
      licensed: ["twelvedata"],
      api_keys: { twelvedata: "k" },
      now_ms: Date.UTC(2026, 9, 9, 3),
    });
    const made = await run(node, "market=TSE&symbol=7203");
    const [chart] = parseCharts(product.preview.charts?.(made));
    if (chart?.kind !== "time") throw new Error("no chart");
    // Friday, then a holiday (12 October), then three days: eight points and a lunch break each.
    expect(chart.lines[0]?.points).toHaveLength(4 * 8);
    expect(chart.bands?.filter(({ name }) => name === "lunch")).toHaveLength(4);
    expect(chart.bands?.filter(({ tone }) => tone === "bad").map(({ name }) => name)).toEqual(["2026-10-12 holiday"]);
  });

  test("each vendor spells symbols its own way, and pence are pounds at all of them", async () => {
    for (const vendor of ["twelvedata", "cnbc", "yahoo"]) {
      const node = createNode({ licensed: [vendor], api_keys: { twelvedata: "k" } });
      const { data, sources } = await run(node, "market=LSE&symbol=BP");
      expect(sources.find(({ provider }) => provider === vendor)?.ok).toBe(true);
      expect(data.price).toBeLessThan(200);
    }
  });

  test("the catalog offers the markets that somebody may serve, and says what would open the others", () => {
    const offer = product.offers?.market;
    const node = {
      whyNone: (all: readonly { id: string }[]) => (all.some(({ id }) => id === "twse") ? null : "needs yahoo"),
    };
    const offered = MARKETS.filter(({ code }) => offer?.whyNot(code, node as never) === null);
    expect(offered.map(({ code }) => code)).toEqual(["TWSE"]);
  });
});
