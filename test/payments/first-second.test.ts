import { afterEach, expect, test } from "bun:test";
import { defineJob } from "../../src/catalog/plugin.ts";
import type { ComingJob } from "../../src/jobs/scheduler.ts";
import { until } from "../helpers/hang-limit.ts";
import { type MoneyNode, startMoneyNode } from "../helpers/money-node.ts";
import { PAYERS, payFor } from "../helpers/payers.ts";

/** Long enough for any signature to be dead. */
const DEAD_MS = 600_000;

let money: MoneyNode | null = null;
afterEach(async () => {
  await money?.stop();
  money = null;
});

/** What a node's start does with an upstream that never answers: as long as the job may take. */
const hangs = (n: number) =>
  defineJob({
    id: `hangs-${n}`,
    schedule: "0 0 * * *",
    at_start: true,
    deadline_ms: 3_600_000,
    providers: [],
    run: ({ signal }) =>
      new Promise<void>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true })),
  });

test("a facilitator that lies at a node's first second is found out while the start waits", async () => {
  const jobs = Array.from({ length: 12 }, (_, n) => hangs(n));
  money = await startMoneyNode("never_landed_sample = 3", undefined, { jobs });
  const { url, node, sandbox, clock } = money;
  let settled = false;
  void node.settled.then(() => {
    settled = true;
  });
  const lie = { method: "POST", body: JSON.stringify({ settle: "lie" }) };
  await sandbox.handleControl(new Request("http://localhost/__sandbox/facilitator", lie));
  const [first] = PAYERS;
  if (!first) throw new Error("nobody pays");
  for (let sale = 0; sale < 3; sale += 1) {
    const headers = await payFor(`${url}/one`, await first.newPayer(url), 2);
    expect((await fetch(`${url}/one`, { headers })).status).toBe(200);
  }
  // Nobody asks the node to look: its own timer fires.
  clock.advance(DEAD_MS);
  await until(async () => {
    clock.advance(10_000);
    const live = (await (await fetch(`${url}/live`)).json()) as { networks: { missing: number }[] };
    return live.networks.some(({ missing }) => missing === 3);
  }, "the landing check's own timer");
  expect(settled).toBe(false);
  // What the start still owes is said, and when it is due.
  const { coming } = (await (await fetch(`${url}/readyz?verbose`)).json()) as {
    coming: ComingJob[];
  };
  const owed = coming.filter(({ id }) => id.startsWith("test/hangs-"));
  expect(owed).toHaveLength(jobs.length);
  expect(owed[0]).toEqual({ id: "test/hangs-0", state: "runs", next_run: expect.stringMatching(/^\d{4}-.*T00:00:00/) });
  expect(await (await fetch(`${url}/welcome`)).json()).toMatchObject({ coming: { jobs: coming.length } });
});
