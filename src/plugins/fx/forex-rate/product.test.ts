import { describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { createProductRig } from "../../../../test/helpers/product-rig.ts";
import { refusalOf } from "../../../../test/helpers/refusal.ts";
import type { BentCall } from "../../../../test/helpers/simulated-node.ts";
import { job as ptax } from "../../brazil/jobs/ptax.ts";
import { job as sgs } from "../../brazil/jobs/sgs.ts";
import { product } from "./product.ts";

/** A Thursday. */
const { createNode, run } = createProductRig(product, { now_ms: Date.UTC(2026, 9, 1, 12, 24, 56) });

describe("GET /forex-rate", () => {
  test("live rate of two venues beside the official one", async () => {
    const { data, warnings, sources } = await run(createNode());
    expect(data).toMatchObject({ base: "EUR", quote: "USD", kind: "live", market_state: "open" });
    expect(data.official?.date).toBe("2026-09-30");
    expect(data.quotes.map(({ used }) => used)).toEqual([true, true]);
    expect(data.pctile_52w).not.toBeNull();
    expect(new Set(sources.map(({ provider }) => provider))).toEqual(new Set(["ecb", "kraken", "swissquote"]));
    expect(warnings).toEqual(["quotes[kraken].age_s: the venue states no time"]);
  });

  test("a cross through the dollar, and a currency with the official rate alone", async () => {
    const cross = await run(createNode(), "pair=CHFJPY");
    expect(cross.data).toMatchObject({ kind: "live", quoted_by: "swissquote" });
    expect(cross.warnings.join("\n")).toContain("kraken is not used, spread above 25 bps");
    const alone = await run(createNode(), "pair=SEK");
    expect(alone.data).toMatchObject({ base: "USD", quote: "SEK", kind: "official_daily", quotes: [], bid: null });
  });

  test("at the weekend the dealers' quotes are old, and that is said", async () => {
    const { data, warnings } = await run(createNode({ now_ms: Date.UTC(2026, 9, 3, 12) }));
    expect(data.market_state).toBe("weekend");
    expect(warnings.join("\n")).toContain("swissquote is not used, older than 60 s");
  });

  test("a cross that Kraken lists is asked for there, and the narrower quote is the best", async () => {
    const { data } = await run(createNode(), "pair=EURGBP");
    expect(data.quotes.map(({ provider, used }) => [provider, used])).toEqual([
      ["swissquote", true],
      ["kraken", true],
    ]);
    // Its legs to the dollar would cost both spreads.
    const of = (id: string) => data.quotes.find(({ provider }) => provider === id);
    expect((1 - (of("kraken")?.bid ?? 0) / (of("kraken")?.ask ?? 1)) * 1e4).toBeLessThan(2);
    expect(data.quoted_by).toBe("swissquote");
  });

  test("a cross that it lists and does not trade now, or does not list, is made of its legs", async () => {
    const asked: string[] = [];
    const bend = (answer: Response, { provider, path }: BentCall) => {
      if (provider === "kraken" && path.includes("Ticker")) asked.push(path);
      return answer;
    };
    await run(createNode({ bend }), "pair=AUDJPY");
    await run(createNode({ bend }), "pair=GBPCAD");
    expect(asked.map((path) => path.split("pair=")[1])).toEqual(["AUDUSD,USDJPY", "GBPUSD,USDCAD"]);
  });

  test("a pair without a dealer has the rate of the chain's oracle, and says so", async () => {
    const { data, sources, as_of_ms } = await run(createNode(), "pair=BRL/JPY");
    expect(data).toMatchObject({ kind: "oracle", rate_of: ["chainlink"], quotes: [], bid: null });
    expect(Math.abs(data.rate / (data.official?.rate ?? 0) - 1)).toBeLessThan(0.03);
    expect(data.deviation_from_official_bps).not.toBeNull();
    expect(sources.some(({ provider, ok }) => provider === "evm_rpc" && ok)).toBe(true);
    expect(as_of_ms).toBeGreaterThan(Date.UTC(2026, 9, 1, 12));
  });

  test("a feed that says it prices something else is not used", async () => {
    const bend = async (answer: Response, { body }: BentCall): Promise<Response> => {
      if (!body.includes("0x7284e416")) return answer;
      const text = Buffer.from("CLP / USD").toString("hex").padEnd(64, "0");
      const words = [32n, 9n].map((word) => word.toString(16).padStart(64, "0")).join("");
      const { id } = JSON.parse(body);
      return Response.json({ jsonrpc: "2.0", id, result: `0x${words}${text}` });
    };
    const { data, warnings } = await run(createNode({ bend }), "pair=BRL");
    expect(data.kind).toBe("official_daily");
    expect(warnings).toContain("rate: no live quote can be used, and the oracle could not be read");
  });

  test("the PTAX is shown beside the dollar in reais, in both directions; other pairs lack it", async () => {
    const node = createNode();
    const before = await run(node, "pair=USDBRL");
    expect(before.data.ptax).toBeNull();
    expect(before.warnings.filter((text) => text.startsWith("ptax:"))).toHaveLength(1);
    for (const job of [sgs, ptax]) await job.run(node.createContext());
    const { data, warnings, sources } = await run(node, "pair=USDBRL");
    expect(data.ptax?.date).toBe("2026-09-30");
    expect(data.ptax?.deviation_bps).toBeCloseTo((data.rate / (data.ptax?.sell ?? 1) - 1) * 1e4, 3);
    expect(sources.map(({ provider }) => provider)).toContain("bcb_olinda");
    expect(warnings).toContain("bid, ask, spread_bps, quoted_by: no live quote of it");
    const turned = await run(node, "pair=BRLUSD");
    expect(turned.data.ptax?.sell).toBe(data.ptax?.sell);
    expect(Math.abs(turned.data.ptax?.deviation_bps ?? 1e9)).toBeLessThan(300);
    expect(Object.hasOwn((await run(node)).data, "ptax")).toBe(false);
  });

  test("with the ECB down Frankfurter's copy gives official rate, changes and volatility", async () => {
    const whole = await run(createNode());
    const node = createNode();
    node.upstreams.setFault("ecb", "http500");
    const { data, warnings } = await run(node);
    expect(data).toEqual({ ...whole.data, official: { ...whole.data.official, read_from: "frankfurter" } } as never);
    expect(warnings).toEqual(["quotes[kraken].age_s: the venue states no time"]);
    const copy = await run(node, "pair=SEK");
    expect(copy.data).toMatchObject({ kind: "official_daily", rate_of: ["frankfurter"] });
  });

  test("one source of any kind is enough, and a currency without one is refused", async () => {
    const kinds = {
      kraken: "live",
      swissquote: "live",
      evm_rpc: "oracle",
      ecb: "official_daily",
      frankfurter: "official_daily",
    };
    for (const [left, kind] of Object.entries(kinds)) {
      const node = createNode();
      for (const id of Object.keys(kinds)) if (id !== left) node.upstreams.setFault(id, "http500");
      const { data } = await run(node);
      expect(data.kind).toBe(kind as typeof data.kind);
    }
    expect((await refusalOf(run(createNode(), "pair=CNH"))).code).toBe("invalid_parameter");
  });

  test("the preview withholds the live quotes", async () => {
    const { data } = await run(createNode());
    expect(Value.Check(product.data, product.preview.redact?.(data))).toBe(true);
  });
});
