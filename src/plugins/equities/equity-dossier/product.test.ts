import { describe, expect, test } from "bun:test";
import { createProductRig } from "../../../../test/helpers/product-rig.ts";
import { refusalOf } from "../../../../test/helpers/refusal.ts";
import { parseCharts } from "../../../catalog/chart.ts";
import { toClose } from "../../../upstream/series/share-closes.ts";
import { product } from "./product.ts";

const { createNode, run } = createProductRig(product, { now_ms: Date.parse("2026-10-01T18:30:00Z") });

describe("GET /equity-dossier", () => {
  test("a whole company: five years, eight quarters, scores, and a price of /stock-quote", async () => {
    const { data, sources } = await run(createNode());
    expect(data.company).toMatchObject({
      symbol: "AAPL",
      cik: 320_193,
      reporting_currency: "USD",
      is_financial: false,
    });
    expect([data.annual.length, data.quarters.length, data.piotroski?.evaluated]).toEqual([5, 8, 9]);
    expect(data.provenance).toBeNull();
    const { insiders } = data;
    expect(insiders).toMatchObject({ forms_read: 2 });
    const sold = insiders?.trades.filter(({ code }) => code === "S").reduce((sum, { shares }) => sum + shares, 0);
    expect(insiders?.sold_shares).toBe(sold ?? Number.NaN);
    expect(insiders?.trades.every(({ price, code }) => (price === null) === (code === "F"))).toBe(true);
    const full = await run(createNode(), "detail=full");
    expect(full.data.provenance?.revenue?.length).toBeGreaterThan(0);
    expect(data).toEqual({ ...full.data, provenance: null });
    expect(data.annual[0]?.period_end).toBe("2025-12-31");
    expect(data.valuation?.market_cap).toBeGreaterThan(0);
    const ttm = data.quarters.slice(0, 4).reduce((sum, { revenue }) => sum + (revenue ?? Number.NaN), 0);
    expect(data.ttm.revenue ?? 0).toBeCloseTo(ttm, -2);
    expect(sources.some(({ provider, ok }) => provider === "rhj" && ok)).toBe(true);
  });

  test("stored closes are drawn with the days of reports; without closes there is no picture", async () => {
    const { data, inputs } = await run(createNode());
    expect(product.preview.charts?.({ data, inputs })).toEqual([]);
    const [filing] = inputs.company.registrant.filings.filter(({ form }) => form === "10-Q");
    const from_ms = Date.parse(filing?.filed ?? "");
    const closes = [-2, -1, 0, 1].map((days) => {
      const at_ms = from_ms + days * 86_400_000;
      return toClose({ at_ms, value: 100 + days, sources: [] });
    });
    const [chart] = parseCharts(product.preview.charts?.({ data, inputs: { ...inputs, closes } }));
    const bands = chart?.kind === "time" ? (chart.bands ?? []) : [];
    expect(bands).toContainEqual({ name: "10-Q", tone: "good", from_ms, to_ms: from_ms + 86_400_000 });
  });

  test("as_known_at: a past day is answered as a node of that day would have, but for the price", async () => {
    const past_ms = Date.parse("2025-06-30T18:30:00Z");
    const then = await run(createNode({ now_ms: past_ms }), "detail=full");
    const asked = await run(createNode(), "detail=full&as_known_at=2025-06-30");
    expect(asked.data).toMatchObject({ known_at: "2025-06-30", as_of_period: "2025-03-31", valuation: null });
    const statements = [
      "annual",
      "quarters",
      "ttm",
      "balance",
      "ratios",
      "piotroski",
      "last_filing",
      "insiders",
    ] as const;
    for (const block of statements) expect([block, asked.data[block]]).toEqual([block, then.data[block]]);
    expect(asked.as_of_ms).toBe(then.as_of_ms);
    expect(asked.warnings).toContain("valuation, altman: of as_known_at only filings are known, and no price");
    for (const day of ["2026-02-30", "2026-10-02"])
      expect((await refusalOf(run(createNode(), `as_known_at=${day}`))).code).toBe("invalid_parameter");
  });

  test("without a price the statements stay; a bank has other formulas", async () => {
    const node = createNode();
    for (const id of ["rhj", "evm_rpc", "kraken"]) node.upstreams.setFault(id, "http500");
    const { data, warnings } = await run(node, "symbol=JPM");
    expect(data).toMatchObject({ valuation: null, altman: null, company: { is_financial: true } });
    expect(data.ratios).toMatchObject({ current_ratio: null, gross_margin: null });
    expect(data.ratios.roe).not.toBeNull();
    expect(warnings).toContain("valuation, altman: no permitted price");
    const kinds = data.holdings_13f?.forms.map(({ kind }) => kind);
    expect([kinds, data.holdings_13f?.positions]).toEqual([["report", "added"], 14]);
    const before = await run(node, "symbol=JPM&as_known_at=2026-08-14");
    expect(before.data.holdings_13f).toMatchObject({ period_end: "2026-06-30", forms: { length: 1 }, positions: 12 });
  });

  test("nothing is built on a price that the figures beside it contradict", async () => {
    const bend = async (answer: Response, { provider, path }: { readonly provider: string; readonly path: string }) => {
      if (provider !== "rhj" || !path.startsWith("/prices/")) return answer;
      const { quotes } = (await answer.json()) as { quotes: readonly { readonly bid: string }[] };
      // The day's highest price is a tenth under the bid.
      return Response.json({
        quotes: quotes.map((quote) => ({ ...quote, dailyHigh: String(Number(quote.bid) * 0.9), dailyLow: "1" })),
      });
    };
    const { data, warnings } = await run(createNode({ bend }));
    expect(data).toMatchObject({ valuation: null, altman: null });
    expect(warnings).toContain("valuation, altman: nothing is built on a price contradicted by day_range");
    expect(data.ratios.roe).not.toBeNull();
  });

  test("funds and unknown tickers are no companies", async () => {
    const node = createNode();
    for (const symbol of ["SPY", "ZZZZZ"]) {
      expect(await refusalOf(run(node, `symbol=${symbol}`))).toMatchObject({ code: "subject_not_found" });
    }
  });
});
