import { describe, expect, test } from "bun:test";
import { createRecordedContext } from "../../../../test/helpers/product-harness.ts";
import { UpstreamError } from "../../../core/errors.ts";
import { fetchPerpetuals, fetchPredictedFundings } from "./perpetuals.ts";

const contextOf = (body: unknown) => createRecordedContext({ now_ms: 0, bodies: { "hyperliquid POST /info": body } });
const kindOf = async (call: Promise<unknown>) => {
  const error = await call.catch((thrown: unknown) => thrown);
  return error instanceof UpstreamError ? error.kind : error;
};

describe("Hyperliquid perpetuals", () => {
  const entry = { funding: "0.0000073111", openInterest: "37470.12454", markPx: "84543.0", premium: null };
  const names = (...list: string[]) => ({ universe: list.map((name) => ({ name, szDecimals: 5, maxLeverage: 40 })) });

  test("coins are found by name, those without usable entry left out", async () => {
    const gone = { ...entry, funding: null };
    const capped = { ...entry, funding: "0.05" };
    const body = [names("SOL", "OLD", "ETH", "BTC"), [capped, null, gone, entry]];
    const found = await fetchPerpetuals(contextOf(body), ["BTC", "ETH", "SOL", "XRP"]);
    expect([...found]).toEqual([["BTC", { rate_1h_frac: 0.0000073111, open_interest_coins: 37_470.12454 }]]);
  });

  test("an answer with none of the coins, or whose lists do not match, is refused", async () => {
    const bodies = [
      [names("ETH"), [entry]],
      [names("BTC", "ETH"), [entry]],
      [names("BTC"), [{ ...entry, openInterest: "0.0" }]],
      [],
      {},
      null,
    ];
    for (const body of bodies) {
      expect(await kindOf(fetchPerpetuals(contextOf(body), ["BTC"]))).toBe("upstream_bad_response");
    }
  });
});

describe("Hyperliquid's predicted fundings", () => {
  const one = (fundingRate: string, fundingIntervalHours?: number) => ({
    fundingRate,
    nextFundingTime: 1_790_553_600_000,
    ...(fundingIntervalHours === undefined ? {} : { fundingIntervalHours }),
  });

  test("every venue's rate is brought to an hour", async () => {
    const venues = [
      ["BinPerp", one("0.00002801", 8)],
      ["HlPerp", one("-0.0000072019", 1)],
      ["BybitPerp", one("0.0001", 4)],
    ];
    const found = await fetchPredictedFundings(
      contextOf([
        ["BTC", venues],
        ["ETH", venues],
      ]),
      ["BTC"],
    );
    expect([...found.keys()]).toEqual(["BTC"]);
    expect(found.get("BTC")?.get("BinPerp")).toBeCloseTo(0.00002801 / 8, 15);
    expect(found.get("BTC")?.get("HlPerp")).toBe(-0.0000072019);
    expect(found.get("BTC")?.get("BybitPerp")).toBeCloseTo(0.000025, 15);
  });

  test("a venue that is null or does not state its hours is left out", async () => {
    const venues = [
      ["BinPerp", null],
      ["HlPerp", one("0.00001", 1)],
      ["BybitPerp", one("0.0001")],
    ];
    const found = await fetchPredictedFundings(contextOf([["BTC", venues]]), ["BTC"]);
    expect([...(found.get("BTC") ?? [])]).toEqual([["HlPerp", 0.00001]]);
  });

  test("another shape, and an answer without the coins, is refused", async () => {
    for (const body of [[["ETH", []]], [["BTC", null]], [], {}, null, "x"]) {
      expect(await kindOf(fetchPredictedFundings(contextOf(body), ["BTC"]))).toBe("upstream_bad_response");
    }
  });
});
