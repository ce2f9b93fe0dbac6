import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAlertBook } from "../alert-book.ts";
import type { AlertCondition, AlertMessage } from "../types.ts";
import { findEndings } from "./alert-conditions.ts";
import { createOutsideWatch, findOutside, type Looks } from "./look-outside.ts";

const folder = mkdtempSync(join(tmpdir(), "outside-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 10, 22);

/** A world that a test makes worse and better again. */
function createWorld() {
  const world = { now_ms: START_MS, ends_ms: START_MS + 90 * DAY_MS, clock: "ok", version: "1.0.0", silent: false };
  const answer = async <T>(value: T): Promise<T> => {
    if (world.silent) throw new Error("no answer");
    return value;
  };
  const asked: string[] = [];
  const looks: Looks = {
    certificate: () => answer(world.ends_ms),
    clock: (urls) => {
      asked.push(...urls);
      return answer({ level: world.clock, says: "61.0 s behind 3 servers" });
    },
    version: () => answer(world.version),
  };
  const watch = createOutsideWatch({
    config: () => ({
      node: { public_url: "https://node.example.com" } as never,
      chains: { base: { rpc: ["https://rpc.example.com", "http://10.0.0.1"], indexer: [] } },
      upgrade: { ready_timeout: "30s", url: "https://releases.example.com", key: "R".repeat(56) },
    }),
    catalog: { providers: [] },
    now: () => world.now_ms,
    looks,
  });
  const find = () => findOutside(watch.read(), { now_ms: world.now_ms, version: "1.0.0" });
  return { world, watch, asked, find };
}

test("nothing is wrong before anybody looked, and servers are asked over https alone", async () => {
  const { watch, asked, find } = createWorld();
  expect(find()).toEqual([]);
  await watch.pass();
  expect(find()).toEqual([]);
  expect(asked).toEqual(["https://rpc.example.com"]);
});

test("a certificate that is not renewed grows more urgent", async () => {
  const { world, watch, find } = createWorld();
  const severity = async (days: number) => {
    world.ends_ms = START_MS + days * DAY_MS;
    await watch.pass();
    return find().map((one) => `${one.id} ${one.severity}`);
  };
  expect(await severity(15)).toEqual([]);
  expect(await severity(10)).toEqual(["certificate warning"]);
  expect(await severity(2)).toEqual(["certificate critical"]);
  expect(await severity(-1)).toEqual(["certificate critical"]);
});

test("a table of dates is reported before its last day", () => {
  const plugin = { dated: () => [{ what: "Meetings", last_day: "2026-12-09", extend: "[plugins.x] dates" }] };
  const at = (now_ms: number) => findEndings({ plugins: [plugin as never], config: EMPTY, now_ms }).map(({ id }) => id);
  expect(at(START_MS)).toEqual(["table:Meetings"]);
  expect(at(START_MS - 110 * DAY_MS)).toEqual([]);
});
const EMPTY = { providers: { allow_terms: [], off: [], tables: {} }, plugins: { disabled: [], tables: {} } };

test("each opens once and closes once, also over restarts", async () => {
  const { world, watch, find } = createWorld();
  const file = join(folder, "alerts.json");
  const sent: AlertMessage[] = [];
  const channel = { name: "test 1", wants: () => true, send: async (message: AlertMessage) => void sent.push(message) };
  const clock = { now: () => world.now_ms };
  // Every look is another process's, which knows what the file says.
  const lookAfterRestart = async (later_ms: number, conditions: () => readonly AlertCondition[]) => {
    world.now_ms += later_ms;
    await watch.pass();
    const book = createAlertBook({ file, clock, channels: [channel], log: () => undefined });
    book.update(conditions());
    await book.deliver();
  };
  const kinds = (event: string) => sent.filter((one) => one.event === event).map(({ kind }) => kind);
  const faults: readonly [event: string, breakIt: () => void, mendIt: () => void][] = [
    ["certificate", () => (world.ends_ms = world.now_ms + DAY_MS), () => (world.ends_ms = world.now_ms + 90 * DAY_MS)],
    ["clock", () => (world.clock = "fail"), () => (world.clock = "ok")],
    ["version", () => (world.version = "1.1.0"), () => (world.version = "1.0.0")],
  ];
  for (const [event, breakIt, mendIt] of faults) {
    breakIt();
    for (let looks = 0; looks < 3; looks += 1) await lookAfterRestart(3_600_000, find);
    // What cannot be seen for a while has not mended.
    world.silent = true;
    await lookAfterRestart(3_600_000, find);
    world.silent = false;
    expect([event, kinds(event)]).toEqual([event, ["opened"]]);
    mendIt();
    for (let looks = 0; looks < 3; looks += 1) await lookAfterRestart(3_600_000, find);
    expect([event, kinds(event)]).toEqual([event, ["opened", "closed"]]);
  }
});
