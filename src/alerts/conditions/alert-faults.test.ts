import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AlertWorld, createAlertWorld } from "../../../test/helpers/alert-world.ts";
import { ALERT_EVENT_NAMES } from "../../config/alert-events.ts";

const folder = mkdtempSync(join(tmpdir(), "alert-faults-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let worlds = 0;
const begin = (): AlertWorld => {
  worlds += 1;
  const data_dir = join(folder, `${worlds}`);
  mkdirSync(join(data_dir, "backups"), { recursive: true });
  return createAlertWorld(data_dir);
};
const backUp = ({ state, data_dir }: AlertWorld, age_ms: number): void => {
  const file = join(data_dir, "backups", "ledger-1.db");
  writeFileSync(file, "");
  utimesSync(file, (state.now_ms - age_ms) / 1_000, (state.now_ms - age_ms) / 1_000);
};

interface Fault {
  readonly breakIt: (world: AlertWorld) => unknown;
  readonly mendIt: (world: AlertWorld) => unknown;
}

/** Every event that opens and closes, how it comes about and how it ends. */
const FAULTS: Readonly<Record<string, Fault>> = {
  ledger: {
    breakIt: ({ state }) => (state.ledger_trouble = "disk I/O error"),
    mendIt: ({ state }) => (state.ledger_trouble = null),
  },
  facilitator: {
    breakIt: ({ state }) => (state.facilitator_ok = false),
    mendIt: ({ state }) => (state.facilitator_ok = true),
  },
  network: {
    breakIt: ({ state }) => (state.network_off = "no live facilitator settles it"),
    mendIt: ({ state }) => (state.network_off = null),
  },
  gas: {
    breakIt: ({ state }) => (state.gas_warning = "0.0001 ETH are left: 12 settlements"),
    mendIt: ({ state }) => (state.gas_warning = null),
  },
  "never-landed": { breakIt: ({ state }) => (state.missing = 2), mendIt: ({ state }) => (state.missing = 0) },
  income: { breakIt: ({ state }) => (state.unbooked = 2), mendIt: ({ state }) => (state.unbooked = 0) },
  doubted: { breakIt: ({ state }) => (state.doubted = 2), mendIt: ({ state }) => (state.doubted = 0) },
  "key-suspended": { breakIt: ({ state }) => (state.suspended = 1), mendIt: ({ state }) => (state.suspended = 0) },
  "settlement-unknown": { breakIt: ({ state }) => (state.unknown = 1), mendIt: ({ state }) => (state.unknown = 0) },
  provider: {
    breakIt: ({ state }) => (state.spare_fails = true),
    mendIt: ({ state }) => (state.spare_fails = false),
  },
  offline: {
    breakIt: ({ state }) => Object.assign(state, { facilitator_ok: false, provider_down: true, spare_fails: true }),
    mendIt: ({ state }) => Object.assign(state, { facilitator_ok: true, provider_down: false, spare_fails: false }),
  },
  channels: {
    breakIt: ({ state }) => (state.claims_failed = 3),
    mendIt: ({ state }) => (state.claims_failed = 0),
  },
  "peer-channel": {
    breakIt: ({ state }) => (state.stuck_channels = 1),
    mendIt: ({ state }) => (state.stuck_channels = 0),
  },
  webhooks: {
    breakIt: ({ state }) => (state.dead_webhooks = 3),
    mendIt: ({ state }) => (state.dead_webhooks = 0),
  },
  anchors: {
    breakIt: ({ state }) => (state.untaken_since_ms = state.now_ms - 7 * HOUR_MS),
    mendIt: ({ state }) => (state.untaken_since_ms = null),
  },
  look: {
    breakIt: ({ state }) => (state.source_fault = "a fault of our own"),
    mendIt: ({ state }) => (state.source_fault = null),
  },
  source: {
    breakIt: ({ state }) => (state.provider_down = true),
    mendIt: ({ state }) => (state.provider_down = false),
  },
  product: {
    breakIt: ({ state }) => (state.product_broken = true),
    mendIt: ({ state }) => (state.product_broken = false),
  },
  dataset: {
    breakIt: ({ state }) => (state.dataset_fault = "790 rows where at least 800 are due"),
    mendIt: ({ state }) => (state.dataset_fault = null),
  },
  "source-changed": {
    breakIt: ({ state, answerHourly }) => {
      answerHourly(6);
      state.answer = { last: 1 };
      answerHourly(3);
    },
    mendIt: ({ state, answerHourly }) => {
      state.answer = { price: 1 };
      answerHourly(1);
    },
  },
  quota: {
    breakIt: ({ spendQuota }) => spendQuota(80),
    // The day is over, and with it what was spent.
    mendIt: ({ state }) => (state.now_ms += DAY_MS),
  },
  models: {
    breakIt: ({ state }) => (state.models_down = true),
    mendIt: ({ state }) => (state.models_down = false),
  },
  "model-budget": {
    breakIt: ({ spendOnModels }) => spendOnModels(0.85),
    mendIt: ({ state }) => (state.now_ms += DAY_MS),
  },
  "model-spent": {
    breakIt: ({ spendOnModels, askDear }) => {
      spendOnModels(0.95);
      return askDear();
    },
    mendIt: ({ state }) => (state.now_ms += DAY_MS),
  },
  certificate: {
    breakIt: ({ state }) => (state.certificate_ends_ms = state.now_ms + 5 * DAY_MS),
    mendIt: ({ state }) => (state.certificate_ends_ms = state.now_ms + 90 * DAY_MS),
  },
  clock: { breakIt: ({ state }) => (state.clock_level = "fail"), mendIt: ({ state }) => (state.clock_level = "ok") },
  version: {
    breakIt: ({ state }) => (state.newest_version = "1.1.0"),
    mendIt: ({ state }) => (state.newest_version = "1.0.0"),
  },
  table: {
    breakIt: ({ state }) => (state.table_ends = "2026-12-09"),
    mendIt: ({ state }) => (state.table_ends = "2027-12-08"),
  },
  disk: {
    breakIt: ({ state }) => (state.disk = { free: 4e8, total: 2e10 }),
    mendIt: ({ state }) => (state.disk = { free: 9e9, total: 2e10 }),
  },
  backup: {
    breakIt: ({ state }) => (state.now_ms += 3 * DAY_MS),
    mendIt: (world) => backUp(world, 0),
  },
};

/** Looks five minutes apart for so long, as the node's job does; all is found out again before each look. */
async function watch(world: AlertWorld, for_ms: number): Promise<void> {
  for (let passed_ms = 0; passed_ms <= for_ms; passed_ms += 5 * MINUTE_MS) {
    await world.findOut();
    await world.look();
    world.state.now_ms += 5 * MINUTE_MS;
  }
}

for (const [event, { breakIt, mendIt }] of Object.entries(FAULTS)) {
  test(`${event}: opens once and closes once, over restarts`, async () => {
    const world = begin();
    backUp(world, HOUR_MS);
    await watch(world, 10 * MINUTE_MS);
    expect(world.sent).toEqual([]);

    await breakIt(world);
    await watch(world, 40 * MINUTE_MS);
    expect(world.kindsOf(event)).toEqual(["opened"]);

    // A start knows nothing yet of what calls and looks outside show: that has not mended.
    for (let restarts = 0; restarts < 3; restarts += 1) {
      world.restart();
      await world.look();
      world.state.now_ms += 15 * MINUTE_MS;
      await world.look();
    }
    await watch(world, 15 * MINUTE_MS);
    expect(world.kindsOf(event)).toEqual(["opened"]);

    await mendIt(world);
    world.restart();
    await watch(world, 20 * MINUTE_MS);
    world.restart();
    await watch(world, 20 * MINUTE_MS);
    expect(world.kindsOf(event)).toEqual(["opened", "closed"]);
    expect(world.openEvents()).not.toContain(event);
  });
}

test("an outage of a provider is reported within a minute of its breaker", async () => {
  const world = begin();
  backUp(world, 0);
  await world.findOut();
  await world.look();
  world.state.provider_down = true;
  await world.findOut();
  // The node looks every 15 seconds.
  for (let passed_s = 0; passed_s < 60; passed_s += 15) {
    await world.look();
    world.state.now_ms += 15_000;
  }
  expect(world.sent.map(({ event, title }) => [event, title])).toEqual([["source", "source does not answer"]]);
});

/** How long a fault lasts on its own before it is reported, ms. */
const TOLD_AFTER_MS: Readonly<Record<string, number>> = {
  source: 15_000,
  gas: MINUTE_MS,
  disk: MINUTE_MS,
  provider: MINUTE_MS,
  "model-budget": MINUTE_MS,
  models: 2 * MINUTE_MS,
  product: 10 * MINUTE_MS,
  "settlement-unknown": 30 * MINUTE_MS,
};
/** Faults of the node itself while something else is told, and what is not known then. */
const MEANWHILE: Readonly<Record<string, Omit<Fault, "mendIt"> & { readonly hides: readonly string[] }>> = {
  "the data folder takes no writes": {
    // Where the book's new version would be written stands a folder.
    breakIt: ({ data_dir }) => mkdirSync(join(data_dir, "alerts.json.new")),
    hides: [],
  },
  "the ledger cannot be read": {
    breakIt: ({ state }) => (state.ledger_reads = "fail"),
    hides: ["doubted", "never-landed", "key-suspended", "settlement-unknown", "channels"],
  },
  "the ledger answers nothing": {
    breakIt: ({ state }) => (state.ledger_reads = "hang"),
    hides: ["doubted", "never-landed", "key-suspended", "settlement-unknown", "channels"],
  },
  "a look of our own fails": {
    breakIt: ({ state }) => (state.source_fault = "a fault of our own"),
    hides: ["source-changed", "look"],
  },
};
for (const [what, fault] of Object.entries(MEANWHILE)) {
  const told = Object.entries(FAULTS).filter(([event]) => !fault.hides.includes(event));
  test.each(told)(`%s is reported within a minute while ${what}`, async (event, { breakIt }) => {
    const world = begin();
    backUp(world, HOUR_MS);
    await world.watch(MINUTE_MS);
    await fault.breakIt(world);
    await breakIt(world);
    await world.watch((TOLD_AFTER_MS[event] ?? 0) + MINUTE_MS);
    expect(world.kindsOf(event)).toEqual(["opened"]);
  });
}

test.each([
  ["fails", "fail"],
  ["never ends", "hang"],
] as const)("a read of the ledger that %s is reported within a minute, and its end", async (_what, reads) => {
  const world = begin();
  backUp(world, HOUR_MS);
  world.state.ledger_reads = reads;
  await world.watch(MINUTE_MS);
  expect(world.sent.map(({ event, severity }) => [event, severity])).toEqual([["ledger", "critical"]]);
  world.restart();
  world.state.ledger_reads = "work";
  await world.watch(11 * MINUTE_MS);
  expect(world.openEvents()).toEqual([]);
});

test("a ledger that answers nothing is not asked again at every pass", async () => {
  const world = begin();
  backUp(world, HOUR_MS);
  world.state.ledger_reads = "hang";
  await world.watch(MINUTE_MS);
  const asked = world.ledgerReads();
  await world.watch(MINUTE_MS);
  expect(world.ledgerReads()).toBe(asked);
});

test("what a look cannot judge stays open until it can", async () => {
  const world = begin();
  backUp(world, HOUR_MS);
  world.state.suspended = 1;
  await world.watch(MINUTE_MS);
  world.state.ledger_reads = "fail";
  world.state.suspended = 0;
  await world.watch(30 * MINUTE_MS);
  expect(world.kindsOf("key-suspended")).toEqual(["opened"]);
  world.state.ledger_reads = "work";
  await world.watch(11 * MINUTE_MS);
  expect(world.kindsOf("key-suspended")).toEqual(["opened", "closed"]);
});

test("a machine that loses its network is one message, a reminder after four hours and one end", async () => {
  const world = begin();
  backUp(world, HOUR_MS);
  await world.watch(2 * MINUTE_MS);
  Object.assign(world.state, { provider_down: true, spare_fails: true });
  await world.watch(30_000);
  Object.assign(world.state, { facilitator_ok: false, network_off: "no live facilitator settles it" });
  await world.watch(HOUR_MS / 2);
  world.restart();
  await world.watch(HOUR_MS / 2);
  const opened = world.sent.filter(({ kind }) => kind === "opened").map(({ event }) => event);
  expect(opened).toEqual(["source", "offline"]);
  await world.watch(4 * HOUR_MS);
  expect(world.sent.filter(({ kind }) => kind === "reminded").map(({ event }) => event)).toEqual(["offline"]);
  Object.assign(world.state, { provider_down: false, spare_fails: false, facilitator_ok: true, network_off: null });
  await world.watch(20 * MINUTE_MS);
  expect(world.openEvents()).toEqual([]);
  expect(world.sent.length).toBeLessThanOrEqual(5);
});

test("what a facilitator calls settled is reported when it is doubted and when it is decided, each once", async () => {
  const world = begin();
  backUp(world, HOUR_MS);
  world.state.doubted = 2;
  await world.watch(HOUR_MS);
  expect(world.sent.map(({ title }) => title)).toEqual([
    "facilitator main: the chain (Base) does not know 2 payments it called settled",
  ]);
  // A day later one of them landed, and the other never did.
  world.state.now_ms += DAY_MS;
  Object.assign(world.state, { doubted: 0, missing: 1 });
  backUp(world, 0);
  await world.watch(6 * HOUR_MS);
  expect(world.kindsOf("never-landed")).toEqual(["opened"]);
  expect(world.kindsOf("doubted")).toEqual(["opened", "closed"]);
  world.state.missing = 2;
  await world.watch(MINUTE_MS);
  expect(world.kindsOf("never-landed")).toEqual(["opened", "opened"]);
});

test("a facilitator that takes its networks with it is one message", async () => {
  const world = begin();
  backUp(world, HOUR_MS);
  Object.assign(world.state, { facilitator_ok: false, network_off: "no live facilitator settles it" });
  world.state.facilitator_networks = ["base", "solana"];
  await world.watch(MINUTE_MS);
  expect(world.sent.map(({ title }) => title)).toEqual(["facilitator main does not answer: nothing can be paid"]);
  world.state.facilitator_ok = true;
  world.state.network_off = null;
  await world.watch(2 * MINUTE_MS);
  expect(world.kindsOf("facilitator")).toEqual(["opened", "closed"]);
});

test("a channel that is set late gets what is open, and no end of what it never got", async () => {
  const world = begin();
  backUp(world, HOUR_MS);
  world.setChannels([]);
  Object.assign(world.state, { facilitator_ok: false, suspended: 1 });
  await world.watch(10 * MINUTE_MS);
  world.state.suspended = 0;
  await world.watch(11 * MINUTE_MS);
  expect(world.openEvents()).toEqual(["facilitator"]);
  world.restart();
  world.setChannels([{ name: "late" }]);
  await world.watch(MINUTE_MS);
  expect(world.sent.map(({ event, kind }) => [event, kind])).toEqual([["facilitator", "opened"]]);
  world.state.facilitator_ok = true;
  await world.watch(20 * MINUTE_MS);
  expect(world.sent.map(({ event, kind }) => [event, kind])).toEqual([
    ["facilitator", "opened"],
    ["facilitator", "closed"],
  ]);
});

test("the first sale is reported once, and each day's sum once, also when the node restarts at midnight", async () => {
  const world = begin();
  backUp(world, -20 * DAY_MS);
  await watch(world, 10 * MINUTE_MS);
  expect(world.sent).toEqual([]);
  world.sell(20_000n);
  await watch(world, 10 * MINUTE_MS);
  world.restart();
  await watch(world, 10 * MINUTE_MS);
  expect(world.kindsOf("first-sale")).toEqual(["told"]);
  expect(world.kindsOf("daily")).toEqual([]);
  for (let day = 1; day <= 3; day += 1) {
    world.state.now_ms += DAY_MS;
    world.restart();
    await watch(world, 10 * MINUTE_MS);
    world.restart();
    await watch(world, 10 * MINUTE_MS);
  }
  const days = world.sent.filter((one) => one.event === "daily").map(({ title }) => title);
  expect(days).toEqual(["2026-11-22: 0.02 USD", "2026-11-23: 0.00 USD", "2026-11-24: 0.00 USD"]);
  expect(world.kindsOf("first-sale")).toEqual(["told"]);
});

test("the first sale says what it was, however many followed before anybody looked", async () => {
  const world = begin();
  backUp(world, 0);
  world.sell(20_000n);
  world.state.now_ms += MINUTE_MS;
  world.sell(500_000n);
  await world.look();
  expect(world.sent.map(({ text }) => text)).toEqual([
    "/price for 0.02 USD on Base, 2026-11-22T06:00:00Z. 2 payments so far, 0.52 USD. The receipt is on /receipts.",
  ]);
});

test("every event of the operator's table is broken and mended here", () => {
  expect(ALERT_EVENT_NAMES.toSorted()).toEqual([...Object.keys(FAULTS), "daily", "first-sale"].toSorted());
});
