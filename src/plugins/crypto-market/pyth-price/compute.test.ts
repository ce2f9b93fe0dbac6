import { describe, expect, test } from "bun:test";
import type { Static } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { asSold } from "../../../../test/helpers/settled.ts";
import type { PythPrice } from "../../../upstream/providers/pyth-price.ts";
import type { SpotQuote } from "../../../upstream/providers/quote.ts";
import type { VenueReading } from "../oracle/venues.ts";
import { computePythPrice as draft } from "./compute.ts";
import { PythPriceSchema } from "./schema.ts";

const computePythPrice = asSold(PythPriceSchema, draft);

const PUBLISHED_MS = 1_790_000_000_000;
const ORACLE: PythPrice = {
  feed_id: "ef0d8b6fda2ceba41da15d4095d1da392a0d2f8ed0c6c7bc0f4cfac8c280b56d",
  price: 147.48123456,
  conf: 0.07374061,
  exponent: -8,
  publish_time_ms: PUBLISHED_MS,
  ema_price: 147.5,
  ema_conf: 0.08,
  verification: "full",
  path: "solana_push_feed",
  account: "7UVimffxr9ow1uXYxsr4LHAcV58mLzhmwaeKvJ1pjLiE",
  publish_slot: 370_000_000,
  slot_kind: "solana_posted_slot",
  context_slot: 370_000_020,
};

const venue = (name: string, mid: number, at_ms: number | null = null): VenueReading => {
  const value: SpotQuote = { bid: mid - 0.01, ask: mid + 0.01, at_ms };
  return { venue: name, quote: "USD", outcome: { ok: true, value } };
};
const broken: VenueReading = { venue: "gemini", quote: "USD", outcome: { ok: false, error: new Error("down") } };

const compute = (oracle: Partial<PythPrice> = {}, venues: readonly VenueReading[] = [], age_ms = 10_000) =>
  computePythPrice({ read_at_ms: PUBLISHED_MS + age_ms, oracle: { ...ORACLE, ...oracle }, venues });

/** The specification's vector. */
const PUBLISHED: Static<typeof PythPriceSchema> = {
  symbol: "SOL/USD",
  feed_id: "ef0d8b6fda2ceba41da15d4095d1da392a0d2f8ed0c6c7bc0f4cfac8c280b56d",
  price: 147.48123456,
  conf: 0.07374061,
  conf_bps: 5,
  lower: 147.40749395,
  upper: 147.55497517,
  lower_2conf: 147.33375334,
  upper_2conf: 147.62871578,
  exponent: -8,
  publish_time_at: "2026-09-21T14:13:20Z",
  age_s: 10,
  publish_slot: 370_000_000,
  slot_kind: "solana_posted_slot",
  ema_price: 147.5,
  ema_conf: 0.08,
  verification: "full",
  path: "solana_push_feed",
  account: "7UVimffxr9ow1uXYxsr4LHAcV58mLzhmwaeKvJ1pjLiE",
  context_slot: 370_000_020,
  stale: false,
  spot_median: 147.47,
  deviation_bps: 0.76,
};

describe("pyth-price", () => {
  test("gives the published vector with its intervals", () => {
    const { data, as_of_ms, warnings } = compute({}, [
      venue("gemini", 147.46),
      venue("bitstamp", 147.48, PUBLISHED_MS),
    ]);
    expect(data).toEqual(PUBLISHED);
    expect(as_of_ms).toBe(PUBLISHED_MS);
    expect(warnings).toEqual([]);
  });

  test("intervals have no more decimals than the feed", () => {
    const { data } = compute({ price: 0.1, conf: 0.02, exponent: -5 });
    expect([data.lower, data.upper, data.lower_2conf, data.upper_2conf]).toEqual([0.08, 0.12, 0.06, 0.14]);
  });

  test("is stale after 120 s, and says so", () => {
    expect(compute({}, [], 120_000).data).toMatchObject({ stale: false, age_s: 120 });
    const late = compute({}, [], 120_001);
    expect(late.data).toMatchObject({ stale: true, age_s: 120 });
    expect(late.warnings[0]).toContain("price: published 120 s ago");
  });

  test("a publish time slightly ahead of our clock gives age 0 and no date in the future", () => {
    const { data, as_of_ms } = compute({}, [], -30_000);
    expect(data.age_s).toBe(0);
    expect(as_of_ms).toBe(PUBLISHED_MS - 30_000);
  });

  test("the venue median needs two fresh quotes, else it is null with a warning", () => {
    const now_ms = PUBLISHED_MS + 10_000;
    const fresh = venue("bitstamp", 147.5, now_ms - 30_000);
    const old = venue("bitstamp", 100, now_ms - 30_001);
    const undated = venue("gemini", 147.3);
    expect(compute({}, [undated, fresh, broken]).data.spot_median).toBe(147.4);
    // Two without a stated time prove nothing to each other.
    for (const venues of [[], [broken], [fresh, broken], [undated, old], [undated, undated]]) {
      const { data, warnings } = compute({}, venues);
      expect([data.spot_median, data.deviation_bps]).toEqual([null, null]);
      expect(warnings.join()).toContain("spot_median, deviation_bps");
    }
  });

  test("what a path does not give is null, with a warning for each", () => {
    const { data, warnings } = compute({
      ema_price: null,
      ema_conf: null,
      publish_slot: null,
      slot_kind: null,
      verification: null,
      path: "hermes",
      account: null,
      context_slot: null,
    });
    expect(Value.Check(PythPriceSchema, data)).toBe(true);
    expect(warnings).toHaveLength(5);
    for (const name of ["account", "context_slot", "publish_slot", "slot_kind"])
      expect(warnings.join()).toContain(name);
  });
});
