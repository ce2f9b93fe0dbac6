import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { Type } from "@sinclair/typebox";
import { defineProduct } from "../../src/catalog/product.ts";
import { openMarketDb } from "../../src/stores/market-db.ts";
import { type MoneyNode, startMoneyNode } from "../helpers/money-node.ts";
import { createStillClock } from "../helpers/still-clock.ts";

/** What a watch would have told, before it is paid for: of what is free, and of nothing else. */
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** What is sold now: no condition may find it out. */
const SOLD_HEIGHT = 77;

const tide = defineProduct({
  path: "/tide",
  title: "Tide",
  description: "A height that changes.",
  category: "test",
  tags: [],
  price_usd: "0.01",
  params: Type.Object({ port: Type.Optional(Type.String({ maxLength: 20 })) }),
  data: Type.Object({
    height: Type.Number(),
    state: Type.Union([Type.Literal("ebb"), Type.Literal("flood")]),
    depth: Type.Union([Type.Number(), Type.Null()]),
  }),
  example: { params: {}, as_of: "2026-01-01T00:00:00Z", data: { height: 1, state: "ebb", depth: 2 } },
  providers: [],
  requires: [],
  ttl: "1m",
  deadline_ms: 5_000,
  preview: { every: "1h", delay: "1h", redact: (data) => ({ ...data, depth: null }) },
  fetch: async () => SOLD_HEIGHT,
  compute: (height, { now_ms }) => ({
    as_of_ms: now_ms,
    data: { height, state: height > 20 ? ("flood" as const) : ("ebb" as const), depth: 3 },
    warnings: [],
  }),
});

/** Heights of the last days, the oldest first; the newest is too young to be free, the first too old to be kept. */
const HEIGHTS = [99, 10, 30, 31, 5, 40] as const;
const BEGAN_MS = Date.now();
const AGES_MS = [31 * DAY_MS, 20 * DAY_MS, 10 * DAY_MS, 9 * DAY_MS, 5 * DAY_MS, HOUR_MS / 2];

let money: MoneyNode;
const start = (limits: string): Promise<MoneyNode> =>
  startMoneyNode("[watch]\nidle_share = 0.2", undefined, {
    products: [tide],
    limits,
    prepareData(folder) {
      const db = openMarketDb(join(folder, "market-sandbox.db"), { clock: createStillClock(BEGAN_MS) });
      for (const [index, height] of HEIGHTS.entries()) {
        const as_of_ms = BEGAN_MS - (AGES_MS[index] ?? 0);
        const data = { height, state: height > 20 ? "flood" : "ebb", depth: null };
        const body = JSON.stringify({ sources: [], warnings: [], data });
        db.saveSnapshot({ product: "tide", params_key: "{}", as_of_ms, taken_at_ms: as_of_ms, body });
      }
      db.close();
    },
  });
beforeAll(async () => {
  money = await start("");
});
afterAll(() => money.stop());

interface Shown {
  readonly detail?: string;
  readonly past: { readonly samples: number; readonly told: number; readonly told_at: readonly string[] };
  readonly estimate: Readonly<Record<string, unknown>>;
}
async function preview(
  order: object,
  { url } = money,
): Promise<{ readonly status: number; readonly text: string; readonly body: Shown }> {
  const response = await fetch(`${url}/watch/preview`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ product: "/tide", every: "1h", ...order }),
  });
  const text = await response.text();
  return { status: response.status, text, body: JSON.parse(text) as Shown };
}
const timeOf = (age_ms: number): string => new Date(BEGAN_MS - age_ms).toISOString();

describe("what it would have told", () => {
  test("is judged on the samples that are free now, and priced", async () => {
    const { status, body } = await preview({
      condition: { field: "state", op: "==", value: "flood" },
      budget_usd: "1",
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      product: "/tide",
      past: { days: 30, samples: 4, without_value: 0, told: 1, told_at: [timeOf(10 * DAY_MS)] },
      // 30 days by the hour, and the first look; one turn in 15 days is two in 30.
      estimate: {
        evaluations: 721,
        told: 2,
        price_told_usd: "0.01",
        price_idle_usd: "0.002",
        idle_usd: "1.442",
        sum_usd: "1.458",
        budget_lasts: false,
      },
    });
  });

  test("a crossing, a change and a state that is repeated", async () => {
    const crossed = { field: "height", op: "crossed", value: 20 };
    expect((await preview({ condition: crossed })).body.past.told_at).toEqual([
      timeOf(10 * DAY_MS),
      timeOf(5 * DAY_MS),
    ]);
    expect((await preview({ condition: { field: "height", op: "changed" } })).body.past.told).toBe(3);
    const over = { field: "height", op: ">", value: 20 };
    expect((await preview({ condition: over, repeat: true })).body.past.told).toBe(2);
    expect((await preview({ cron: "0 7 * * *", every: undefined })).body).toMatchObject({
      past: { told: 4 },
      estimate: { evaluations: 30, told: 30, sum_usd: "0.30" },
    });
  });
});

describe("what is sold is not found out", () => {
  const asked: readonly (readonly [string, object])[] = [
    ["the answer of now", { field: "height", op: "==", value: SOLD_HEIGHT }],
    ["a sample that is too young", { field: "height", op: "==", value: 40 }],
    ["what was free before it was kept", { field: "height", op: "==", value: 99 }],
    ["what samples withhold", { field: "depth", op: "==", value: 3 }],
  ];
  test.each(asked)("%s", async (_, condition) => {
    const { status, body, text } = await preview({ condition, repeat: true });
    expect([status, body.past.told]).toEqual([200, 0]);
    // Another value is answered by the very same bytes but for what the call itself is named by.
    const other = await preview({ condition: { ...condition, value: -12_345 }, repeat: true });
    const strip = (bytes: string): string => bytes.replace(/"generated_at":"[^"]*"/, "");
    expect(strip(text)).toBe(strip(other.text));
  });

  test("a paid answer of other parameters is none of the samples", async () => {
    const { body } = await preview({ params: { port: "Santos" }, condition: { field: "height", op: ">", value: 0 } });
    expect(body).toMatchObject({ past: { samples: 0, told: 0, from: null }, estimate: { told: null, sum_usd: null } });
  });

  test("no value is in what is answered, and withheld ones are said to be", async () => {
    const { text, body } = await preview({ condition: { field: "depth", op: ">", value: 0 } });
    expect(body.past).toMatchObject({ samples: 4, without_value: 4 });
    expect(text).not.toContain("height");
  });
});

test("what could not be set is refused alike, and nothing is set", async () => {
  const bad = await preview({ condition: { field: "hieght", op: "changed" } });
  expect([bad.status, bad.body.detail]).toEqual([422, expect.stringContaining('"height"')]);
  expect((await preview({ every: "1s" })).status).toBe(422);
  expect((await preview({ product: "/tidy" })).body.detail).toContain("/tide");
  const { status } = await fetch(`${money.url}/watch/preview`);
  expect(status).toBe(405);
});

test("a client with too many previews must wait, and nothing else is refused for it", async () => {
  // Two units a minute are 200 samples at most, and a look goes through four.
  const limited = await start("unpaid_work_per_minute = 2");
  try {
    limited.node.setLimits(true);
    const statuses: number[] = [];
    for (let n = 0; n < 60; n += 1) statuses.push((await preview({}, limited)).status);
    expect(new Set(statuses.slice(0, 20))).toEqual(new Set([200]));
    expect(new Set(statuses.slice(50))).toEqual(new Set([429]));
    expect((await fetch(`${limited.url}/tide`)).status).toBe(402);
    limited.clock.advance(60_000);
    expect((await preview({}, limited)).status).toBe(200);
  } finally {
    await limited.stop();
  }
});
