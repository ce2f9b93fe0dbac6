import { describe, expect, test } from "bun:test";
import type { LandingCounts, LandingDoubts } from "../../ledger/landings.ts";
import { createLandingTrust, keepBelief, toShare } from "./landing-trust.ts";

const NETWORK = "eip155:8453";
const counts = (of: Partial<LandingCounts>): LandingCounts => ({
  network: NETWORK,
  facilitator: "one",
  pending: 0,
  confirmed: 0,
  missing: 0,
  disbelieved: 0,
  ...of,
});
const trustOf = (rows: readonly LandingCounts[], confirm_always = false, doubts: readonly LandingDoubts[] = []) => {
  const asked: (number | undefined)[] = [];
  const trust = createLandingTrust({
    landings: {
      counts: async (since_ms) => {
        asked.push(since_ms);
        return rows;
      },
      doubts: async () => doubts,
    },
    now_ms: () => 100 * 3_600_000,
    never_landed_max: 0.02,
    sample_min: 20,
    confirm_always,
  });
  return { trust, asked };
};

describe("a facilitator is believed", () => {
  test.each<[what: string, of: Partial<LandingCounts>, believed: boolean]>([
    ["while nothing is decided", { pending: 1_000 }, true],
    ["while the sample is too small, whatever it says", { missing: 19 }, true],
    ["up to the limit", { confirmed: 98, missing: 2 }, true],
    ["not above the limit", { confirmed: 97, missing: 3 }, false],
    ["not when it lied about what was never booked", { confirmed: 19, disbelieved: 1 }, false],
    ["whatever is pending beside a good record", { confirmed: 100, pending: 5_000 }, true],
  ])("%s", async (_what, of, believed) => {
    const { trust } = trustOf([counts(of)]);
    expect(await trust.mustConfirm("one", NETWORK)).toBe(!believed);
  });

  test("not from the first report on that the chain does not know, on that network alone", async () => {
    const { trust } = trustOf([counts({ confirmed: 1_000 })], false, [
      { facilitator: "one", network: NETWORK, count: 1 },
    ]);
    expect(await trust.mustConfirm("one", NETWORK)).toBe(true);
    expect(await trust.doubted("one", NETWORK)).toBe(1);
    expect(await trust.mustConfirm("two", NETWORK)).toBe(false);
    expect(await trust.mustConfirm("one", "eip155:84532")).toBe(false);
  });

  test("on its own record only: not another's, not another network's", async () => {
    const { trust } = trustOf([counts({ missing: 50 }), counts({ facilitator: "two", confirmed: 50 })]);
    expect(await trust.mustConfirm("one", NETWORK)).toBe(true);
    expect(await trust.mustConfirm("two", NETWORK)).toBe(false);
    expect(await trust.mustConfirm("three", NETWORK)).toBe(false);
    expect(await trust.mustConfirm("one", "eip155:84532")).toBe(false);
  });

  test("never where every answer has to be confirmed", async () => {
    expect(await trustOf([], true).trust.mustConfirm("one", NETWORK)).toBe(true);
  });

  test("by its last 24 hours, this one included", async () => {
    const { trust, asked } = trustOf([]);
    await trust.mustConfirm("one", NETWORK);
    expect(asked).toEqual([77 * 3_600_000]);
  });
});

describe("the share that never landed", () => {
  test.each<[of: Partial<LandingCounts>, settled: number, never_landed: number | null]>([
    [{ pending: 3 }, 3, null],
    [{ confirmed: 3, pending: 1 }, 4, 0],
    [{ confirmed: 1, missing: 2 }, 3, 0.6667],
    [{ confirmed: 1, missing: 1, disbelieved: 2 }, 2, 0.75],
  ])("of %o", (of, settled, never_landed) => {
    expect(toShare(counts(of))).toMatchObject({ settled, never_landed });
  });
});

describe("a belief that is kept", () => {
  function createAsked() {
    let must = false;
    let now_ms = 0;
    const asked: string[] = [];
    const ask = async (facilitator: string, network: string) => {
      asked.push(`${facilitator} ${network}`);
      return must;
    };
    const setMust = (to: boolean) => {
      must = to;
    };
    const pass = (ms: number) => {
      now_ms += ms;
    };
    return { ...keepBelief(ask, () => now_ms), asked, setMust, pass };
  }

  test("is asked for once a second, for each facilitator and network", async () => {
    const { mustConfirm, asked, setMust, pass } = createAsked();
    for (let times = 0; times < 3; times++) expect(await mustConfirm("one", NETWORK)).toBe(false);
    expect(await mustConfirm("two", NETWORK)).toBe(false);
    expect(asked).toEqual([`one ${NETWORK}`, `two ${NETWORK}`]);
    setMust(true);
    pass(999);
    expect(await mustConfirm("one", NETWORK)).toBe(false);
    pass(1);
    expect(await mustConfirm("one", NETWORK)).toBe(true);
  });

  test("ends at once with what is found out", async () => {
    const { mustConfirm, setMust, forget } = createAsked();
    expect(await mustConfirm("one", NETWORK)).toBe(false);
    setMust(true);
    forget();
    expect(await mustConfirm("one", NETWORK)).toBe(true);
  });

  test("is no disbelief: that is asked for each time", async () => {
    const { mustConfirm, asked, setMust } = createAsked();
    setMust(true);
    expect(await mustConfirm("one", NETWORK)).toBe(true);
    setMust(false);
    expect(await mustConfirm("one", NETWORK)).toBe(false);
    expect(asked).toHaveLength(2);
  });
});
