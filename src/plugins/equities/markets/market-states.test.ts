import { afterEach, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { createSimulatedNode, type SimulatedNode } from "../../../../test/helpers/simulated-node.ts";
import { createWorld } from "../../../sandbox/world.ts";
import { getSimulatedShare } from "../../../upstream/providers/simulated-shares.ts";
import { US_VENDORS } from "../vendors/us-vendors.ts";
import { readVendorChange, readVendorNumber } from "../vendors/vendor-quote.ts";

/** Moments of each state, the close whose price is right then, and the close before that. Null while it trades. */
const STATES: Readonly<Record<string, readonly [now: string, close: string | null, before: string]>> = {
  open: ["2026-09-02T19:10:00Z", null, "2026-09-01T20:00:00Z"],
  before: ["2026-09-02T12:00:00Z", "2026-09-01T20:00:00Z", "2026-08-31T20:00:00Z"],
  after: ["2026-09-02T22:00:00Z", "2026-09-02T20:00:00Z", "2026-09-01T20:00:00Z"],
  weekend: ["2026-09-05T15:00:00Z", "2026-09-04T20:00:00Z", "2026-09-03T20:00:00Z"],
  // Labor Day, a Monday.
  holiday: ["2026-09-07T15:00:00Z", "2026-09-04T20:00:00Z", "2026-09-03T20:00:00Z"],
  // The day after Thanksgiving ends at 13:00 in New York; Thursday had no session.
  "half day": ["2026-11-27T19:00:00Z", "2026-11-27T18:00:00Z", "2026-11-25T21:00:00Z"],
};
const TABLE = readFileSync(new URL("../../../../docs/market-states.md", import.meta.url), "utf8");
const ROWS = TABLE.split("\n").flatMap((line) => {
  const [, vendor = "", states = "", price = "", before = ""] = line.split("|").map((cell) => cell.trim());
  return US_VENDORS.some(({ provider }) => provider.id === vendor)
    ? states.split(", ").map((state) => ({ vendor, state, price, before }))
    : [];
});

const nodes: SimulatedNode[] = [];
afterEach(() => {
  for (const node of nodes.splice(0)) node.close();
});

/** The figure of an answer that the table names in its backticks. */
function findFigure(answer: unknown, cell: string): string | number {
  const path = /`([^`]+)`/.exec(cell)?.[1] ?? "";
  let value = answer;
  for (const step of path.split(".")) value = (value as Readonly<Record<string, unknown>>)[step];
  if (typeof value !== "string" && typeof value !== "number") throw new Error(`no figure ${path}`);
  return value;
}

async function readVendor(vendor: string, now_ms: number) {
  let answer: unknown;
  const bend = async (response: Response) => {
    answer = await response.clone().json();
    return response;
  };
  const api_keys = { twelvedata: "k", massive: "k", finnhub: "k" };
  const node = createSimulatedNode({ now_ms, licensed: [vendor], api_keys, bend });
  nodes.push(node);
  const world = createWorld("test", () => now_ms);
  const found = US_VENDORS.find(({ provider }) => provider.id === vendor);
  const quote = await found?.fetch(node.createContext(), "AAPL");
  if (!quote) throw new Error(`no vendor ${vendor}`);
  return {
    quote,
    answer,
    priceAt: (time: string) => getSimulatedShare(world, "AAPL", { at_ms: Date.parse(time) }),
  };
}

test("the table has one line for every vendor in every state of the market", () => {
  const wanted = US_VENDORS.flatMap(({ provider }) => Object.keys(STATES).map((state) => `${provider.id} ${state}`));
  expect(ROWS.map(({ vendor, state }) => `${vendor} ${state}`).sort()).toEqual(wanted.sort());
});

test.each(ROWS)("$vendor, $state: price and close before are the figures that the table names", async (row) => {
  const [now = "", close, before_at] = STATES[row.state] ?? ["", null, ""];
  const { quote, answer, priceAt } = await readVendor(row.vendor, Date.parse(now));
  const price = readVendorNumber(findFigure(answer, row.price)) ?? Number.NaN;
  expect(quote.price).toBe(price);
  // The table's value is right: the close of regular hours, to the cent, at its own time.
  if (close !== null) {
    expect(quote.price).toBeCloseTo(priceAt(close), 1);
    expect(new Date(quote.at_ms ?? 0).toISOString()).toBe(close.replace("Z", ".000Z"));
  }
  if (row.before === "unknown") {
    expect(quote.prev_close).toBeNull();
    expect(quote.warnings?.[0]).toMatch(/^prev_close: /);
    return;
  }
  expect(quote.prev_close).toBeCloseTo(priceAt(before_at), 1);
  if (!row.before.includes("`")) return;
  const figure = findFigure(answer, row.before);
  const stated = row.before.startsWith("price less") ? price - (readVendorChange(String(figure)) ?? 0) : Number(figure);
  expect(quote.prev_close).toBeCloseTo(stated, 4);
});
