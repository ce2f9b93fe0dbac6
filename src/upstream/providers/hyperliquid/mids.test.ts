import { describe, expect, test } from "bun:test";
import { createRecordedContext } from "../../../../test/helpers/product-harness.ts";
import { fetchHyperliquidMids } from "./mids.ts";

/** The fields of a recorded entry. */
const entry = (midPx: string | null, rest: Record<string, unknown> = {}) => ({
  funding: "0.0000073111",
  openInterest: "37470.12454",
  prevDayPx: "83995.0",
  dayNtlVlm: "1134990950.9",
  premium: "-0.000390177",
  oraclePx: "84577.0",
  markPx: "84543.0",
  midPx,
  impactPxs: ["84543.0", "84544.0"],
  dayBaseVlm: "13415.0319",
  ...rest,
});

const fetchMids = (body: unknown) =>
  fetchHyperliquidMids(createRecordedContext({ now_ms: 0, bodies: { "hyperliquid POST /info": body } }));

describe("mids", () => {
  test("a recorded answer gives prices and volumes by ticker", async () => {
    const mids = await fetchMids([
      { universe: [{ name: "BTC", szDecimals: 5, maxLeverage: 40 }, { name: "kPEPE" }] },
      [entry("84543.5"), entry("0.0123", { dayNtlVlm: "1000.5" })],
    ]);
    expect(mids.get("BTC")).toEqual({ price_usd: 84_543.5, volume_usd: 1_134_990_950.9 });
    expect(mids.get("PEPE")).toEqual({ price_usd: 0.0000123, volume_usd: 1_000.5 });
    expect(mids.has("kPEPE")).toBe(false);
  });

  test("delisted coins and those without a middle price are left out", async () => {
    const mids = await fetchMids([
      { universe: [{ name: "BTC" }, { name: "MATIC", isDelisted: true }, { name: "NEW" }, { name: "ODD" }] },
      [entry("84543.5"), entry("1"), entry(null), { midPx: 1 }],
    ]);
    expect([...mids.keys()]).toEqual(["BTC"]);
  });

  test.each([
    ["lists that do not match", [{ universe: [{ name: "BTC" }, { name: "ETH" }] }, [entry("1")]]],
    ["no price at all", [{ universe: [{ name: "BTC" }] }, [entry(null)]]],
    ["another shape", { error: "busy" }],
    ["nothing", [{ universe: [] }, []]],
    ["null", null],
  ])("%s are refused", async (_, body) => {
    expect(fetchMids(body)).rejects.toThrow();
  });
});
