import { describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { fc } from "../../../../test/helpers/properties.ts";
import { asSold } from "../../../../test/helpers/settled.ts";
import { NodeError, UpstreamError } from "../../../core/errors.ts";
import { computeOracleConsensus as draft } from "./compute.ts";
import type { OracleReading } from "./fetch.ts";
import { CHAINLINK_AGE_MAX_MS, PYTH_AGE_MAX_MS, REDSTONE_AGE_MAX_MS } from "./rules.ts";
import { ConsensusSchema } from "./schema.ts";
import { vector } from "./vector.ts";

const computeOracleConsensus = asSold(ConsensusSchema, draft);

const NOW_MS = 1_790_000_000_000;

function reading(
  source: string,
  kind: OracleReading["kind"],
  price: number,
  age_s: number | null = null,
): OracleReading {
  const at_ms = age_s === null ? null : NOW_MS - age_s * 1000;
  const maximum: Record<string, number> = {
    pyth: PYTH_AGE_MAX_MS,
    redstone: REDSTONE_AGE_MAX_MS,
    chainlink: CHAINLINK_AGE_MAX_MS,
  };
  return { source, kind, age_max_ms: maximum[source] ?? 30_000, outcome: { ok: true, value: { price, at_ms } } };
}
const failed = (source: string, kind: OracleReading["kind"], error: unknown): OracleReading => ({
  source,
  kind,
  age_max_ms: 30_000,
  outcome: { ok: false, error },
});
const compute = (readings: readonly OracleReading[], usdt_usd: number | null = 0.9998) =>
  computeOracleConsensus({ read_at_ms: NOW_MS, readings, usdt_usd }, "BTC");
const detailOf = (readings: readonly OracleReading[], source: string, usdt_usd?: number | null) =>
  compute(readings, usdt_usd).data.sources_detail.find((detail) => detail.source === source);

const VECTOR = [
  reading("pyth", "oracle", 64_000, 10),
  reading("redstone", "oracle", 64_010, 20),
  reading("chainlink", "oracle", 63_950, 600),
  reading("kraken", "usd", 64_005, 2),
  reading("bitstamp", "usd", 64_002, 1),
  reading("gemini", "usd", 64_020),
  reading("cryptocom", "usd", 66_500, 1),
];

const UNDATED = "sources_detail[gemini].age_s: the source states no time";

describe("oracle-consensus", () => {
  test("gives the published vector", () => {
    const { data, as_of_ms, warnings } = compute(VECTOR);
    expect(data).toEqual(vector.data);
    expect(as_of_ms).toBe(NOW_MS - 1_000);
    expect(warnings).toEqual([UNDATED]);
  });

  test("does not depend on the order of the sources", () => {
    expect(compute(VECTOR.toReversed()).data).toEqual({
      ...vector.data,
      sources_detail: vector.data.sources_detail.toReversed(),
    });
  });

  test("sources that agree exactly are all kept, however small their deviation", () => {
    const six = ["pyth", "redstone", "chainlink"].map((source) => reading(source, "oracle", 100, 1));
    const same = [...six, ...["a", "b", "c"].map((source) => reading(source, "usd", 100))];
    expect(compute(same).data).toMatchObject({ consensus_usd: 100, range_bps: 0, score: 100, verdict: "agree" });
    // 5 x 0.0002 of the median: the floor of the scale.
    expect(detailOf([...same, reading("d", "usd", 100.09)], "d")?.used).toBe(true);
    expect(detailOf([...same, reading("d", "usd", 100.11)], "d")).toMatchObject({ used: false, reason: "outlier" });
  });

  test("more than 2 % off the median is an outlier, however wide the others are apart", () => {
    const wide = [90, 95, 100, 105, 110].map((price, index) => reading(`v${index}`, "usd", price, 1));
    const { data } = compute(wide);
    expect(data).toMatchObject({ n_fresh: 5, n_kept: 1, verdict: "insufficient", consensus_usd: 100 });
  });

  test("exactly 2 % off the median is not one yet", () => {
    const prices = [98, 99, 100, 101, 102];
    const readings = prices.map((price, n) => reading(["pyth", "redstone", "a", "b", "c"][n] ?? "", "usd", price, 1));
    expect(compute(readings).data.sources_detail.filter(({ used }) => !used)).toEqual([]);
  });

  test("the verdict follows the range of what is kept", () => {
    const spread = (bps: number) =>
      [0, bps / 2, bps].map((off, index) => reading(`v${index}`, "usd", 10_000 * (1 + off / 20_000), 1));
    const verdictOf = (bps: number) => compute(spread(bps * 2)).data.verdict;
    expect([verdictOf(0), verdictOf(24), verdictOf(26), verdictOf(99), verdictOf(110)]).toEqual([
      "agree",
      "agree",
      "loose",
      "loose",
      "diverge",
    ]);
    expect(compute(spread(220)).data.score).toBe(0);
  });

  test("25 bps still agree and 100 are still loose; the score falls with every one of them", () => {
    // The median is 10,000, so that a range of r bps is r dollars.
    const at = (below: number, above: number) =>
      compute([10_000 - below, 10_000, 10_000 + above].map((price, index) => reading(`v${index}`, "usd", price, 1)))
        .data;
    const shown = [at(10, 14.99), at(10, 15), at(10, 15.01), at(40, 59.99), at(40, 60), at(40, 60.01)];
    // 100 x (1 - r / 100) x 3 of 6 sources x 0.8 without an oracle: 40 - 0.4 r
    expect(shown.map(({ range_bps, verdict, score }) => [range_bps, verdict, score])).toEqual([
      [24.99, "agree", 30],
      [25, "agree", 30],
      [25.01, "loose", 30],
      [99.99, "loose", 0],
      [100, "loose", 0],
      [100.01, "diverge", 0],
    ]);
    expect(at(20, 30).score).toBe(20);
  });

  test("fewer than 3 kept sources are insufficient, and the number kept lowers the score", () => {
    const two = [reading("pyth", "oracle", 100, 1), reading("kraken", "usd", 100, 1)];
    expect(compute(two).data).toMatchObject({ verdict: "insufficient", score: 33.3, consensus_usd: 100 });
    expect(compute([...two, reading("gemini", "usd", 100)]).data).toMatchObject({ verdict: "agree", score: 50 });
    const scoreOf = (more: number) =>
      compute([...two, ...Array.from({ length: more }, (_, n) => reading(`v${n}`, "usd", 100, 1))]).data.score;
    // 5, 6 and 7 sources: six are enough, and more make no difference.
    expect([scoreOf(3), scoreOf(4), scoreOf(5)]).toEqual([83.3, 100, 100]);
  });

  test("without an oracle the score is a fifth lower", () => {
    const venues = ["a", "b", "c", "d", "e", "f"].map((source) => reading(source, "usd", 100, 1));
    expect(compute(venues).data).toMatchObject({ score: 80, n_oracles: 0, verdict: "agree" });
  });

  test("two fresh sources far apart give no consensus, rather than one between them", () => {
    const { data, warnings } = compute([reading("kraken", "usd", 100, 1), reading("gemini", "usd", 110)]);
    expect(data).toMatchObject({ consensus_usd: null, range_bps: null, score: 0, n_kept: 0, verdict: "insufficient" });
    expect(data.sources_detail.map(({ reason, deviation_bps }) => [reason, deviation_bps])).toEqual([
      ["outlier", null],
      ["outlier", null],
    ]);
    expect(warnings.join()).toContain("consensus_usd");
  });

  test("each kind of source has its own age limit: 120 s, 180 s, 3,600 s, 30 s", () => {
    for (const [source, kind, limit_s] of [
      ["pyth", "oracle", 120],
      ["redstone", "oracle", 180],
      ["chainlink", "oracle", 3_600],
      ["bitstamp", "usd", 30],
      ["okx", "usdt", 30],
    ] as const) {
      const others = [reading("kraken", "usd", 100, 1), reading("gemini", "usd", 100)];
      const at = (age_s: number) => detailOf([...others, reading(source, kind, 100, age_s)], source, 1);
      expect(at(limit_s)).toMatchObject({ used: true, reason: null, age_s: limit_s });
      expect(at(limit_s + 1)).toMatchObject({ used: false, reason: "stale", price: 100 });
    }
  });

  test("a stale price moves nothing but the list", () => {
    const others = [
      reading("kraken", "usd", 100, 1),
      reading("gemini", "usd", 100),
      reading("bitstamp", "usd", 100, 1),
    ];
    const { data, warnings } = compute([...others, reading("pyth", "oracle", 101, 121)]);
    expect(data).toMatchObject({ consensus_usd: 100, n_fresh: 3, n_kept: 3, n_oracles: 0 });
    expect(data.sources_detail.at(-1)).toMatchObject({ deviation_bps: 100, raw_price: 101 });
    expect(warnings).toEqual(["sources_detail.pyth: 121 s old, not used", UNDATED]);
  });

  test("USDT prices are converted, and count for nothing without a rate", () => {
    const readings = [
      reading("kraken", "usd", 100, 1),
      reading("gemini", "usd", 100),
      reading("okx", "usdt", 100.1, 1),
    ];
    expect(detailOf(readings, "okx", 0.999)).toMatchObject({ raw_price: 100.1, price: 99.9999, used: true });
    const { data, warnings } = compute(readings, null);
    expect(data.sources_detail.at(-1)).toMatchObject({ raw_price: 100.1, price: null, used: false, reason: "error" });
    expect(data).toMatchObject({ usdt_usd: null, n_fresh: 2 });
    expect(warnings).toEqual([
      "sources_detail.okx: no USDT/USD rate to convert it with",
      UNDATED,
      "usdt_usd: no fresh USDT/USD rate was read",
    ]);
  });

  test("a failed source is listed with nothing but its reason, and a warning without the upstream's words", () => {
    const error = new UpstreamError("upstream_timeout", "kraken", "secret words");
    const readings = [failed("kraken", "usd", error), reading("bitstamp", "usd", 100, 1)];
    expect(detailOf(readings, "kraken")).toEqual({
      source: "kraken",
      kind: "usd",
      price: null,
      raw_price: null,
      age_s: null,
      weight: 1,
      deviation_bps: null,
      used: false,
      reason: "error",
    });
    expect(compute(readings).warnings).toEqual(["sources_detail.kraken: no usable answer (upstream_timeout)"]);
  });

  test("without a fresh price it is refused with 503", () => {
    const down = failed("kraken", "usd", new UpstreamError("upstream_unavailable", "kraken", "500"));
    const old = reading("pyth", "oracle", 100, 500);
    for (const [readings, code] of [
      [[down, old], "upstream_unavailable"],
      [[old], "upstream_bad_response"],
      [[], "upstream_unavailable"],
    ] as const) {
      let thrown: unknown;
      try {
        compute(readings);
      } catch (error) {
        thrown = error;
      }
      expect(thrown).toBeInstanceOf(NodeError);
      expect(thrown).toMatchObject({ status: 503, code });
    }
  });

  test("prices without a stated time count only beside one with a fresh time", () => {
    const undated = ["gemini", "binance", "x", "y"].map((source) => reading(source, "usd", 100));
    expect(compute([...undated, reading("kraken", "usd", 100, 30)]).data.n_kept).toBe(5);
    for (const readings of [undated, [...undated, reading("kraken", "usd", 100, 31)]]) {
      expect(() => compute(readings)).toThrow(NodeError);
    }
  });

  test("a date slightly in the future gives age 0", () => {
    const readings = [reading("pyth", "oracle", 100, -30), reading("kraken", "usd", 100, 1)];
    expect(detailOf(readings, "pyth")?.age_s).toBe(0);
    expect(compute(readings).as_of_ms).toBe(NOW_MS);
  });

  test("another unit of price changes the prices alone", () => {
    const list = fc.array(fc.double({ min: 90, max: 110, noNaN: true }), { minLength: 1, maxLength: 9 });
    fc.assert(
      fc.property(list, fc.integer({ min: -8, max: 8 }), (prices, power) => {
        const at = (unit: number) =>
          compute(prices.map((price, index) => reading(`v${index}`, index % 2 ? "usd" : "oracle", price * unit, 1)))
            .data;
        const [plain, scaled] = [at(1), at(2 ** power)];
        // Prices have eight digits, so they agree to seven, whatever their size.
        const { consensus_usd } = plain;
        if (consensus_usd === null) expect(scaled.consensus_usd).toBeNull();
        else expect((scaled.consensus_usd ?? 0) / (consensus_usd * 2 ** power)).toBeCloseTo(1, 6);
        const withoutPrices = ({ consensus_usd, sources_detail, ...rest }: typeof plain) => ({
          ...rest,
          details: sources_detail.map(({ price, raw_price, ...detail }) => detail),
        });
        expect(withoutPrices(scaled)).toEqual(withoutPrices(plain));
      }),
    );
  });

  test("whatever the prices, the answer matches its schema and is between the kept ones", () => {
    const any = fc.record({
      kind: fc.constantFrom("oracle" as const, "usd" as const, "usdt" as const),
      price: fc.double({ min: 1e-4, max: 1e6, noNaN: true }),
      age_s: fc.option(fc.integer({ min: 0, max: 29 })),
    });
    fc.assert(
      fc.property(fc.array(any, { minLength: 1, maxLength: 12 }), (list) => {
        const readings = list.map((one, index) => reading(`s${index}`, one.kind, one.price, one.age_s));
        if (list.every(({ age_s }) => age_s === null)) return true;
        const { data } = compute(readings);
        const used = data.sources_detail.filter((detail) => detail.used).map(({ price }) => price ?? Number.NaN);
        const slack = 1 + 1e-7;
        return (
          Value.Check(ConsensusSchema, data) &&
          used.length === data.n_kept &&
          (data.consensus_usd === null
            ? used.length === 0
            : data.consensus_usd >= Math.min(...used) / slack && data.consensus_usd <= Math.max(...used) * slack)
        );
      }),
    );
  });
});
