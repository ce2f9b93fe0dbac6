import { describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { asSold } from "../../../../test/helpers/settled.ts";
import { NodeError } from "../../../core/errors.ts";
import { DAY_MS } from "../../../upstream/providers/bars.ts";
import type { FearGreedRow } from "../../../upstream/providers/fear-greed-reading.ts";
import { computeFearGreed as draft, rewindFearGreed } from "./compute.ts";
import type { FearGreedInputs } from "./fetch.ts";
import { FearGreedSchema } from "./schema.ts";
import { vector } from "./vector.ts";

const computeFearGreed = asSold(FearGreedSchema, draft);

const TODAY_MS = Date.UTC(2026, 8, 19);
const NO_MARKET = { ok: false, why: "no up-to-date daily bars of Bitcoin are stored" } as const;

const rowsOf = (values: readonly number[], classification = "Greed"): FearGreedRow[] =>
  values.map((value, index) => ({ value, classification, at_ms: TODAY_MS - index * DAY_MS }));

const compute = (rows: readonly FearGreedRow[], market: FearGreedInputs["market"] = NO_MARKET) =>
  computeFearGreed({
    publisher: { ok: true, value: { index_id: "alternative_me", rows, next_update_at_ms: TODAY_MS + DAY_MS } },
    market,
  });

/** Flat Bitcoin prices up to the close of yesterday. */
const market = (count: number): FearGreedInputs["market"] => ({
  ok: true,
  windows: [
    {
      symbol: "BTC",
      interval: "1d",
      provider: "hyperliquid",
      fetched_at_ms: TODAY_MS,
      bars: Array.from({ length: count }, (_, index) => ({
        t_ms: TODAY_MS - (count - index) * DAY_MS,
        open: 1,
        high: 1,
        low: 1,
        close: 1,
        volume: 1,
      })),
    },
  ],
  funding_days: [],
});

describe("the publisher's index", () => {
  test("is passed through unchanged, with its attribution", () => {
    const { data, as_of_ms } = compute(rowsOf([71, 62]));
    expect(data).toMatchObject({
      index_id: "alternative_me",
      value: 71,
      classification: "Greed",
      value_at: "2026-09-19T00:00:00Z",
      next_update_at: "2026-09-20T00:00:00Z",
      attribution: { url: "https://alternative.me/crypto/fear-and-greed-index/" },
    });
    expect(as_of_ms).toBe(TODAY_MS);
  });

  test("changes are against the same day earlier; a missing day gives null, not its neighbour", () => {
    const rows = rowsOf(Array.from({ length: 31 }, (_, index) => 80 - index));
    expect(compute(rows).data).toMatchObject({ change_1d: 1, change_7d: 7, change_30d: 30 });
    const { data, warnings } = compute(rows.filter((_, index) => index !== 7));
    expect(data).toMatchObject({ change_1d: 1, change_7d: null, change_30d: 30 });
    expect(warnings.join()).toContain("change_7d");
  });

  test("the streak ends with another classification and with a missing day", () => {
    const mixed = [...rowsOf([71, 70, 69]), ...rowsOf([1, 2, 3, 60, 60]).slice(3)];
    const other = mixed.map((row, index) => (index === 3 ? { ...row, classification: "Fear" } : row));
    expect(compute(other).data.streak_days).toBe(3);
    expect(compute(rowsOf([71, 70, 69]).filter((_, index) => index !== 1)).data.streak_days).toBe(1);
    expect(compute(rowsOf(Array(366).fill(60))).data.streak_days).toBe(366);
  });

  test("the percentile is the rank among 365 values and null below 200", () => {
    const rising = Array.from({ length: 366 }, (_, index) => Math.max(0, 100 - Math.floor(index / 4)));
    // Four of the 365 equal the newest, all others are smaller.
    expect(compute(rowsOf(rising)).data.percentile_365d).toBe(99.45);
    expect(compute(rowsOf(Array(200).fill(5))).data.percentile_365d).toBe(50);
    expect(compute(rowsOf(Array(199).fill(5))).data.percentile_365d).toBeNull();
  });

  test("the history is the last 30 days, newest first", () => {
    const { history } = compute(rowsOf(Array.from({ length: 40 }, (_, index) => index))).data;
    expect(history).toHaveLength(30);
    expect([history?.[0], history?.[29]]).toEqual([
      { date: "2026-09-19", value: 0 },
      { date: "2026-08-21", value: 29 },
    ]);
  });

  test("a publisher of one value has no context, and the answer says so", () => {
    const publisher = { index_id: "coinmarketcap", rows: rowsOf([40]), next_update_at_ms: null } as const;
    const { data, warnings } = computeFearGreed({ publisher: { ok: true, value: publisher }, market: NO_MARKET });
    expect(data).toMatchObject({
      index_id: "coinmarketcap",
      change_1d: null,
      percentile_365d: null,
      streak_days: null,
      history: null,
      next_update_at: null,
    });
    expect(warnings.map((text) => text.split(":")[0])).toEqual([
      "index_id",
      "next_update_at",
      "change_1d, change_7d, change_30d, percentile_365d, streak_days, history",
      "node_index",
    ]);
    expect(Value.Check(FearGreedSchema, data)).toBe(true);
  });
});

describe("the node's own index", () => {
  test("is shown next to the publisher's, never mixed with it", () => {
    const { data, warnings } = compute(rowsOf([10, 11]), market(729));
    expect(data.value).toBe(10);
    expect(data.node_index?.value).toBe(50);
    expect(warnings.join("\n")).toContain(
      "node_index.components[breadth].value, node_index.components[funding].value: too little history",
    );
  });

  test("as_of is the newer of the publisher's date and the last bar's close", () => {
    const late = rowsOf([10, 11]).map((row) => ({ ...row, at_ms: row.at_ms - DAY_MS }));
    expect(compute(late, market(729)).as_of_ms).toBe(TODAY_MS);
    expect(compute(late).as_of_ms).toBe(TODAY_MS - DAY_MS);
  });

  test("replaces publishers that all failed, under its own name", () => {
    const publisher = { ok: false, error: new NodeError("upstream_unavailable", "down") } as const;
    const { data, as_of_ms } = computeFearGreed({ publisher, market: market(729) });
    expect(data).toMatchObject({ index_id: "node", value: 50, classification: "neutral", attribution: null });
    expect(data.value_at).toBe("2026-09-19T00:00:00Z");
    expect(as_of_ms).toBe(TODAY_MS);
    expect(Value.Check(FearGreedSchema, data)).toBe(true);
  });

  test("with neither, the publisher's failure is thrown", () => {
    const error = new NodeError("upstream_unavailable", "down");
    const publisher = { ok: false, error } as const;
    expect(() => computeFearGreed({ publisher, market: NO_MARKET })).toThrow(error);
    expect(() => computeFearGreed({ publisher, market: market(300) })).toThrow(error);
  });
});

describe("yesterday's view", () => {
  test("drops the newest value and the node's index", () => {
    const value = { index_id: "alternative_me", rows: rowsOf([71, 62, 60]), next_update_at_ms: 1 } as const;
    const inputs = rewindFearGreed({ publisher: { ok: true, value }, market: market(729) });
    if (!inputs) throw new Error("there is an earlier view");
    const { data, as_of_ms } = computeFearGreed(inputs);
    expect(data).toMatchObject({ value: 62, change_1d: 2, node_index: null, next_update_at: "2026-09-19T00:00:00Z" });
    expect(as_of_ms).toBe(TODAY_MS - DAY_MS);
  });

  test("needs two values", () => {
    const value = { index_id: "coinmarketcap", rows: rowsOf([71]), next_update_at_ms: null } as const;
    expect(rewindFearGreed({ publisher: { ok: true, value }, market: NO_MARKET })).toBeNull();
    expect(rewindFearGreed({ publisher: { ok: false, error: 0 }, market: NO_MARKET })).toBeNull();
  });
});

test("the published example's context follows from its own history", () => {
  const { value, change_1d, change_7d, history } = vector.data;
  expect(value).toBe(history?.[0]?.value ?? -1);
  expect([change_1d, change_7d]).toEqual([value - (history?.[1]?.value ?? 0), value - (history?.[7]?.value ?? 0)]);
});
