import { describe, expect, test } from "bun:test";
import { createRecordedContext } from "../../../test/helpers/product-harness.ts";
import { UpstreamError } from "../../core/errors.ts";
import { fetchBlockstreamBacklog, fetchBlockstreamTip } from "./blockstream/backlog.ts";
import { fetchBlockstreamFees } from "./blockstream/fees.ts";
import { fetchMempoolSpaceBacklog, fetchMempoolSpaceTip } from "./mempool-space/backlog.ts";
import { fetchMempoolSpaceFees } from "./mempool-space/fees.ts";
import { fetchDifficulty, fetchHashrate } from "./mempool-space/mining.ts";
import { fetchProjectedBlocks } from "./mempool-space/projected-blocks.ts";

// Bodies have the documented shapes; most values are the documented ones.
const NOW_MS = 1_790_000_000_000;
const context = (key: string, body: unknown) => createRecordedContext({ now_ms: NOW_MS, bodies: { [key]: body } });
const kindOf = async (call: Promise<unknown>) => {
  const error = await call.catch((thrown: unknown) => thrown);
  return error instanceof UpstreamError ? error.kind : error;
};
const JUNK = [null, [], {}, "x", 5];

describe("fees", () => {
  const precise = { fastestFee: 2.023, halfHourFee: 1.094, hourFee: 0.502, economyFee: 0.2, minimumFee: 0.1 };
  const estimates = { "1": 87.882, "2": 87.8, "3": 87.8, "6": 68.285, "144": 1.027, "504": 1.02, "1008": 1.01 };
  const readPrecise = (body: unknown) => fetchMempoolSpaceFees(context("mempool_space GET /api/v1/fees/precise", body));
  const readEstimates = (body: unknown) => fetchBlockstreamFees(context("blockstream GET /fee-estimates", body));

  test("both providers map onto the same names", async () => {
    expect(await readPrecise(precise)).toEqual({
      fastest: 2.023,
      half_hour: 1.094,
      hour: 0.502,
      economy: 0.2,
      minimum: 0.1,
    });
    expect(await readEstimates(estimates)).toEqual({
      fastest: 87.882,
      half_hour: 87.8,
      hour: 68.285,
      economy: 1.027,
      minimum: 1.01,
    });
  });

  test("zero, null, a missing target and a fastest rate below another are refused", async () => {
    for (const change of [{ fastestFee: 0 }, { hourFee: null }, { economyFee: 3 }, { fastestFee: "2.0" }]) {
      expect(await kindOf(readPrecise({ ...precise, ...change }))).toBe("upstream_bad_response");
    }
    const { "1": _, ...without } = estimates;
    for (const body of [without, { ...estimates, "1008": 5 }, ...JUNK]) {
      expect(await kindOf(readEstimates(body))).toBe("upstream_bad_response");
    }
  });
});

describe("backlog and tip", () => {
  const mempool = { count: 8134, vsize: 3_444_604, total_fee: 29_204_625, fee_histogram: [[53.01, 102_131]] };
  const blocks = (age_s: number) =>
    [0, 1, 2].map((n) => ({ id: "00", height: 960_000 - n, timestamp: NOW_MS / 1000 - age_s - n * 600 }));
  const CALLS = [
    { key: "mempool_space GET /api/mempool", fetchBacklog: fetchMempoolSpaceBacklog },
    { key: "blockstream GET /mempool", fetchBacklog: fetchBlockstreamBacklog },
  ];
  const TIPS = [
    { key: "mempool_space GET /api/v1/blocks", fetchTip: fetchMempoolSpaceTip },
    { key: "blockstream GET /blocks", fetchTip: fetchBlockstreamTip },
  ];

  test("the backlog is read alike from both", async () => {
    for (const { key, fetchBacklog } of CALLS) {
      const expected = { tx_count: 8134, vsize_vb: 3_444_604, total_fee_sat: 29_204_625 };
      expect(await fetchBacklog(context(key, mempool))).toEqual(expected);
      for (const body of [{ ...mempool, fee_histogram: [] }, { ...mempool, vsize: null }, ...JUNK]) {
        expect(await kindOf(fetchBacklog(context(key, body)))).toBe("upstream_bad_response");
      }
    }
  });

  test("the highest block counts; one older than 3 h or more than 2 h ahead is refused", async () => {
    for (const { key, fetchTip } of TIPS) {
      const read = (age_s: number) => fetchTip(context(key, blocks(age_s)));
      expect(await read(600)).toEqual({ height: 960_000 });
      expect(await fetchTip(context(key, blocks(600).reverse()))).toEqual({ height: 960_000 });
      expect(await read(10_800)).toEqual({ height: 960_000 });
      expect(await kindOf(read(10_801))).toBe("upstream_bad_response");
      expect(await kindOf(read(-7_201))).toBe("upstream_bad_response");
      for (const body of JUNK) expect(await kindOf(fetchTip(context(key, body)))).toBe("upstream_bad_response");
    }
  });
});

describe("what only mempool.space gives", () => {
  const difficulty = {
    progressPercent: 44.397,
    difficultyChange: 98.45,
    estimatedRetargetDate: NOW_MS + 600_000_000,
    remainingBlocks: 1_121,
    remainingTime: 665_977,
    previousRetarget: -4.807,
    nextRetargetHeight: 741_888,
    timeAvg: 302_328,
  };
  const readDifficulty = (change: object) =>
    fetchDifficulty(context("mempool_space GET /api/v1/difficulty-adjustment", { ...difficulty, ...change }));

  test("difficulty is passed through", async () => {
    expect(await readDifficulty({})).toEqual({
      change_est_pct: 98.45,
      progress_pct: 44.397,
      remaining_blocks: 1_121,
      retarget_est_at_ms: NOW_MS + 600_000_000,
      previous_change_pct: -4.807,
    });
  });

  test("a retarget date in seconds, long past or far ahead is refused", async () => {
    for (const estimatedRetargetDate of [1_790_600_000, NOW_MS - 86_400_001, NOW_MS + 61 * 86_400_000, null]) {
      expect(await kindOf(readDifficulty({ estimatedRetargetDate }))).toBe("upstream_bad_response");
    }
  });

  test("the hash rate is in hashes per second, far beyond whole numbers' limit", async () => {
    const read = (currentHashrate: unknown) =>
      fetchHashrate(context("mempool_space GET /api/v1/mining/hashrate/3d", { currentHashrate, hashrates: [] }));
    expect(await read(9.42e20)).toBe(9.42e20);
    for (const wrong of [942.5, 0, null, "9e20"]) expect(await kindOf(read(wrong))).toBe("upstream_bad_response");
  });

  test("projected blocks keep their order, and their range is the extremes of feeRange", async () => {
    const block = {
      blockSize: 1_604_363,
      blockVSize: 746_096.5,
      nTx: 863,
      totalFees: 8_875_608,
      medianFee: 10.79,
      feeRange: [1, 2.4, 11.1, 102],
    };
    const read = (body: unknown) =>
      fetchProjectedBlocks(context("mempool_space GET /api/v1/fees/mempool-blocks", body));
    expect(await read([block, { ...block, nTx: 1 }])).toEqual([
      { n_tx: 863, median_fee: 10.79, fee_min: 1, fee_max: 102, total_fee_sat: 8_875_608 },
      { n_tx: 1, median_fee: 10.79, fee_min: 1, fee_max: 102, total_fee_sat: 8_875_608 },
    ]);
    for (const body of [[{ ...block, feeRange: [] }], [{ ...block, medianFee: null }], ...JUNK]) {
      expect(await kindOf(read(body))).toBe("upstream_bad_response");
    }
  });
});
