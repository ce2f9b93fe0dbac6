import { describe, expect, test } from "bun:test";
import { createRecordedContext } from "../../../../test/helpers/product-harness.ts";
import { UpstreamError } from "../../../core/errors.ts";
import { fetchAlternativeMeIndex } from "./fear-greed.ts";

const DAY_S = 86_400;
const NEWEST_S = 1_789_776_000;
const NOW_MS = (NEWEST_S + DAY_S - 17_570) * 1000;

const row = (value: string, timestamp: number, change: object = {}) => ({
  value,
  value_classification: "Greed",
  timestamp: String(timestamp),
  ...change,
});
/** The publisher's documented answer. */
const ANSWER = {
  name: "Fear and Greed Index",
  data: [row("71", NEWEST_S, { time_until_update: "17570" }), row("62", NEWEST_S - DAY_S)],
  metadata: { error: null },
};

const read = (body: unknown, now_ms = NOW_MS) =>
  fetchAlternativeMeIndex(createRecordedContext({ now_ms, bodies: { "alternative_me GET /fng/?limit=366": body } }));
const kindOf = async (body: unknown, now_ms?: number) => {
  const error = await read(body, now_ms).catch((thrown: unknown) => thrown);
  return error instanceof UpstreamError ? error.kind : error;
};

describe("Alternative.me", () => {
  test("the documented answer gives values, words, dates and the next update", async () => {
    expect(await read(ANSWER)).toEqual({
      rows: [
        { value: 71, classification: "Greed", at_ms: NEWEST_S * 1000 },
        { value: 62, classification: "Greed", at_ms: (NEWEST_S - DAY_S) * 1000 },
      ],
      next_update_at_ms: (NEWEST_S + DAY_S) * 1000,
    });
  });

  test("a wait that is missing, negative or absurd is no next update", async () => {
    for (const change of [{}, { time_until_update: "-1481" }, { time_until_update: "999999" }]) {
      const reading = await read({ ...ANSWER, data: [row("71", NEWEST_S, change)] });
      expect(reading.next_update_at_ms).toBeNull();
    }
  });

  test("a newest value of 48 h is used, an older one and one in the future are refused", async () => {
    const newest_ms = NEWEST_S * 1000;
    expect((await read(ANSWER, newest_ms + 172_800_000)).rows).toHaveLength(2);
    expect(await kindOf(ANSWER, newest_ms + 172_800_001)).toBe("upstream_bad_response");
    expect(await kindOf(ANSWER, newest_ms - 60_001)).toBe("upstream_bad_response");
  });

  test("errors, empty lists, nulls, disorder and values that are no whole percent are refused", async () => {
    const bodies: unknown[] = [
      { ...ANSWER, metadata: { error: "limit reached" } },
      { ...ANSWER, data: [] },
      { ...ANSWER, data: [...ANSWER.data].reverse() },
      { ...ANSWER, data: [row("71", NEWEST_S), row("62", NEWEST_S)] },
      { ...ANSWER, data: [{ value: null, value_classification: null, timestamp: null }] },
      ...["", "101", "-1", "7.5", "071", "NaN"].map((value) => ({ ...ANSWER, data: [row(value, NEWEST_S)] })),
      null,
      [],
      {},
    ];
    for (const body of bodies) expect(await kindOf(body)).toBe("upstream_bad_response");
  });
});
