import { describe, expect, test } from "bun:test";
import { createRecordedContext } from "../../../../test/helpers/product-harness.ts";
import { UpstreamError } from "../../../core/errors.ts";
import { simulator } from "./simulator.ts";
import { fetchTone } from "./tone.ts";

const NEWEST_MS = Date.UTC(2026, 7, 31, 18, 15);
const NOW_MS = NEWEST_MS + 1_800_000;
const QUERY = "(bitcoin OR BTC)";

const answerOf = (...data: { date: string; value: unknown }[]) => ({
  query_details: { title: QUERY, date_resolution: "15m" },
  timeline: [{ series: "Average Tone", data }],
});
const NEWEST = { date: "20260831T181500Z", value: -2.5829 };

function read(body: unknown, now_ms = NOW_MS) {
  const asked: string[] = [];
  const answer = ({ path }: { path: string }) => {
    asked.push(path);
    return body;
  };
  const reading = fetchTone(createRecordedContext({ now_ms, bodies: { "gdelt GET /doc?": answer } }), QUERY);
  return { reading, asked };
}
const kindOf = async (body: unknown, now_ms?: number) => {
  const error = await read(body, now_ms).reading.catch((thrown: unknown) => thrown);
  return error instanceof UpstreamError ? error.kind : error;
};

describe("GDELT's tone", () => {
  test("is the mean of the intervals that had articles", async () => {
    const empty = { date: "20260831T180000Z", value: 0 };
    const { reading, asked } = read(answerOf({ date: "20260831T174500Z", value: 1.5829 }, empty, NEWEST));
    expect(await reading).toEqual({ mean: -0.5, n: 2, newest_at_ms: NEWEST_MS });
    const query = new URLSearchParams(asked[0]?.slice("/doc?".length));
    expect(Object.fromEntries(query)).toEqual({
      query: "(bitcoin OR BTC) sourcelang:english",
      mode: "timelinetone",
      timespan: "24h",
      format: "json",
    });
  });

  test("six hours without articles, and dates of the future, are refused", async () => {
    expect((await read(answerOf(NEWEST), NEWEST_MS + 6 * 3_600_000).reading).n).toBe(1);
    expect(await kindOf(answerOf(NEWEST), NEWEST_MS + 6 * 3_600_000 + 1)).toBe("upstream_bad_response");
    expect(await kindOf(answerOf(NEWEST), NEWEST_MS - 60_001)).toBe("upstream_bad_response");
    expect(await kindOf(answerOf({ ...NEWEST, value: 0 }))).toBe("upstream_bad_response");
  });

  test("an invalid series of tones is refused", async () => {
    const bodies: unknown[] = [
      {},
      null,
      "Please limit requests to one every 5 seconds",
      answerOf(),
      { timeline: [] },
      answerOf({ ...NEWEST, value: null }),
      answerOf({ ...NEWEST, value: 101 }),
      answerOf({ date: "2026-08-31", value: 1 }),
      answerOf({ date: "20261331T181500Z", value: 1 }),
      { timeline: [{ series: "Volume Intensity", data: [NEWEST] }] },
    ];
    for (const body of bodies) expect(await kindOf(body)).toBe("upstream_bad_response");
  });

  test("the simulated one is read like the real one, and refuses other questions with a sentence", async () => {
    const world = { now: () => NOW_MS, price: () => 1, noise: (key: string) => (Bun.hash.crc32(key) % 1_000) / 1_000 };
    const ask = (query: string, path = "/doc") =>
      simulator.respond(
        { method: "GET", path, query: new URLSearchParams(query), headers: new Headers(), body: undefined },
        world,
      );
    const answer = ask("query=bitcoin&mode=timelinetone");
    if (!("json" in answer)) throw new Error("a timeline is JSON");
    const tone = await read(answer.json).reading;
    expect(tone.n).toBeGreaterThan(80);
    expect(Math.abs(tone.mean)).toBeLessThan(5);
    expect(ask("query=x&mode=artlist")).toEqual({ text: "Your query was too short." });
    expect(ask("", "/other")).toMatchObject({ status: 404 });
  });
});
