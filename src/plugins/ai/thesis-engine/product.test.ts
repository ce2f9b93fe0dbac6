import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { asSold } from "../../../../test/helpers/settled.ts";
import { createSimulatedNode, type SimulatedNode } from "../../../../test/helpers/simulated-node.ts";
import { createTestSigner } from "../../../../test/helpers/test-signer.ts";
import { NodeError } from "../../../core/errors.ts";
import { describeDoubt } from "../../../quant/graded-record.ts";
import { verifyTrackRecord } from "../../../trust/track-record.ts";
import { gradeTheses } from "../theses/grade.ts";
import { makeThesis } from "../theses/make.ts";
import { readTheses } from "../theses/records.ts";
import { computeThesis as draft } from "./compute.ts";
import { fetchThesis, findFirstThesis } from "./fetch.ts";
import { product } from "./product.ts";

const computeThesis = asSold(product.data, draft);

const DAY_MS = 86_400_000;
/** Days that are lived: the longest horizon, and the days until it is graded. */
const DAYS = 95;
const START_MS = Date.UTC(2026, 7, 1, 23, 20);

let node: SimulatedNode;
beforeAll(() => {
  node = createSimulatedNode({ now_ms: START_MS });
});
afterAll(() => node.close());

const signalOf = (day: number) => ({
  symbol: day % 3 === 0 ? "ETH" : "BTC",
  side: day % 2 === 0 ? "long" : "short",
  confidence: 40 + (day % 60),
  factors: [
    { name: "trend", value: 0.5, contribution: day % 2 === 0 ? 6.5 : -6.5 },
    { name: "breadth", value: null, contribution: null },
    { name: "funding", value: -0.2, contribution: 1.25 },
  ],
  bucket: { n: 25, win_rate: 0.56, lo95: 0.37, hi95: 0.73 },
});

/** A job's context on a day, whose signals are known. */
function contextOf(day: number) {
  const answers: Readonly<Record<string, unknown>> = {
    // Every fourth day nothing is sure enough.
    "/alpha-signal": { signals: day % 4 === 3 ? [] : [signalOf(day)] },
    "/regime": { regime: "bull" },
    "/macro-calendar": {
      events: [
        {
          title: "FOMC decision",
          country: "US",
          importance: "high",
          time_utc: new Date(START_MS + (day + 5) * DAY_MS).toISOString(),
        },
      ],
    },
  };
  const ask = async (path: string) => ({ as_of_ms: node.clock.now(), data: answers[path], warnings: [] });
  return { ...node.createContext(), ask: ask as never };
}

async function liveDays(): Promise<void> {
  for (let day = 0; day < DAYS; day += 1) {
    node.clock.set(START_MS + day * DAY_MS);
    await makeThesis(contextOf(day));
    // The later marks of the hour write nothing more.
    node.clock.set(START_MS + day * DAY_MS + 900_000);
    await makeThesis(contextOf(day));
    node.clock.set(START_MS + day * DAY_MS + 4_800_000);
    await makeThesis(contextOf(day));
    await gradeTheses(contextOf(day));
  }
}

describe("GET /thesis-engine", () => {
  test("before the first thesis there is nothing to sell, and it says when there is", async () => {
    expect(await findFirstThesis({ records: node.records, now_ms: START_MS - 1_000 })).toBe(START_MS);
    const refused = await fetchThesis(node.createContext()).catch((error) => error);
    expect(refused).toBeInstanceOf(NodeError);
    expect(refused.code).toBe("no_history");
  });

  test("lived theses are graded by the opens of their days, and the public verifier proves them all", async () => {
    await liveDays();
    const theses = await readTheses(node.records);
    expect(theses).toHaveLength(3 * DAYS);
    const graded = theses.filter(({ outcome }) => outcome !== null);
    expect(new Set(graded.map(({ record }) => record.horizon_h / 24))).toEqual(new Set([7, 30, 90]));
    for (const { record, outcome } of graded) {
      expect(Date.parse(outcome?.entry_at ?? "") % DAY_MS).toBe(0);
      expect(Date.parse(outcome?.exit_at ?? "") - Date.parse(outcome?.entry_at ?? "")).toBe(
        record.horizon_h * 3_600_000,
      );
    }
    const { data, warnings } = computeThesis(await fetchThesis(node.createContext(), { records: 200 }));
    expect([...Value.Errors(product.data, data)]).toEqual([]);
    expect(data).toMatchObject({ written_by: "template", payload: { n_scored: graded.length } });
    // A doubt from the theses' own record is shown beside a thesis that names a direction.
    const { wins, n_scored, sum_net_bps } = data.payload;
    const told = describeDoubt("records of this model", {
      n: n_scored,
      wins,
      mean_net_bps: Number(sum_net_bps) / n_scored,
    });
    const warned = warnings.filter((text) => text.startsWith("direction:"));
    expect(warned).toEqual(data.direction === "none" || told === null ? [] : [`direction: ${told}`]);
    const { public_key } = createTestSigner();
    const verify = (answer: unknown) => verifyTrackRecord(answer, { findKey: () => public_key });
    expect(verify({ data }).claims.filter(({ state }) => state !== "proven")).toEqual([]);
    // One result that is made better is found, whatever else is made to fit.
    const [newest, ...rest] = data.records ?? [];
    if (!newest) throw new Error("nothing is graded");
    const better = { ...newest, outcome: { ...newest.outcome, net_bps: "999.0" } };
    expect(verify({ data: { ...data, records: [better, ...rest] } }).verdict).toBe("broken");
    const some = computeThesis(await fetchThesis(node.createContext(), { records: 10 })).data;
    expect(Object.fromEntries(verify({ data: some }).claims.map(({ name, state }) => [name, state]))).toEqual({
      signature: "proven",
      membership: "proven",
      order: "proven",
      grades: "proven",
      completeness: "unproven",
      totals: "unproven",
    });
    expect(verify({ data: { ...data, records: rest } }).verdict).toBe("broken");
  });

  test("a day without an edge says so, and is neither a hit nor a miss", async () => {
    const theses = await readTheses(node.records);
    const none = theses.filter(({ record }) => record.side === "none");
    expect(none.length).toBeGreaterThan(0);
    for (const { outcome, record } of none) expect([outcome, record.invalidation_price]).toEqual([null, null]);
  });
});
