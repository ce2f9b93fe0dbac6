import { describe, expect, test } from "bun:test";
import { describeDoubt, findDoubt } from "./graded-record.ts";

describe("what a record says against its signals", () => {
  test.each([
    [{ n: 0, wins: 0, mean_net_bps: null }, "sample_too_small"],
    [{ n: 29, wins: 29, mean_net_bps: 90 }, "sample_too_small"],
    [{ n: 45, wins: 27, mean_net_bps: 12 }, "not_told_apart_from_a_coin"],
    [{ n: 100, wins: 30, mean_net_bps: -9 }, "worse_than_a_coin"],
    [{ n: 100, wins: 70, mean_net_bps: -0.1 }, "loses_after_costs"],
    [{ n: 100, wins: 70, mean_net_bps: 0 }, "loses_after_costs"],
    [{ n: 100, wins: 70, mean_net_bps: 0.1 }, null],
    [{ n: 100, wins: 70, mean_net_bps: null }, null],
  ] as const)("%p: %p", (record, doubt) => {
    expect(findDoubt(record)).toBe(doubt);
  });

  test("is said in one sentence, and not at all where nothing speaks against them", () => {
    expect(describeDoubt("short signals", { n: 60, wins: 25, mean_net_bps: -33.84 })).toBe(
      "60 short signals are graded, on average -33.8 bps each after costs: not told apart from a coin",
    );
    expect(describeDoubt("votes", { n: 0, wins: 0, mean_net_bps: null })).toBe(
      "0 votes are graded: too few to say anything",
    );
    expect(describeDoubt("votes", { n: 100, wins: 70, mean_net_bps: 1 })).toBeNull();
  });
});
