import { afterAll, expect, test } from "bun:test";
import { cleanUp, payingFetch } from "../helpers/demo-node.ts";
import {
  freePort,
  localPlugin,
  newNodeFolder,
  startFacilitator,
  startRun,
  startUpstream,
  stopRuns,
  until,
} from "../helpers/run-node.ts";

afterAll(async () => {
  await stopRuns();
  await cleanUp();
});

const statusOf = async (url: string): Promise<number> => (await fetch(url)).status;

test("with the first facilitator dead, the second one is offered and settles", async () => {
  const [alive, upstream] = [startFacilitator(), startUpstream()];
  const dead = `url = "http://127.0.0.1:${await freePort()}"`;
  const node = await startRun(newNodeFolder([dead, `url = "${alive.url}"`], "", localPlugin(upstream.url)));
  expect(node.out()).toContain("down: ");
  await until(async () => (await statusOf(`${node.url()}/local`)) === 402, "an offer");
  const paid = await payingFetch()(`${node.url()}/local`);
  expect(paid.status).toBe(200);
  expect(alive.calls).toMatchObject({ verify: 1, settle: 1 });
  const live = (await (await fetch(`${node.url()}/live`)).json()) as { networks: { ok: boolean }[] };
  expect(live.networks.some((entry) => entry.ok)).toBe(true);
  await Promise.all([alive.stop(), upstream.stop()]);
});

test("with all of them dead at start the node says so, and recovers by itself when one comes alive", async () => {
  const upstream = startUpstream();
  const port = await freePort();
  const node = await startRun(newNodeFolder([`url = "http://127.0.0.1:${port}"`], "", localPlugin(upstream.url)));
  const ready = await fetch(`${node.url()}/readyz`);
  expect(ready.status).toBe(503);
  expect(JSON.stringify(await ready.json())).toContain("no live facilitator");
  const refused = await fetch(`${node.url()}/local`);
  expect(refused.status).toBe(503);
  expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
  expect(await refused.json()).toMatchObject({ code: "facilitator_unavailable", charged: false });
  expect((await fetch(`${node.url()}/healthz`)).status).toBe(200);

  const alive = startFacilitator(port);
  await until(async () => (await statusOf(`${node.url()}/local`)) === 402, "recovery");
  expect((await payingFetch()(`${node.url()}/local`)).status).toBe(200);
  expect((await fetch(`${node.url()}/readyz`)).status).toBe(200);
  await Promise.all([alive.stop(), upstream.stop()]);
});

test("/supported is asked once, not per request", async () => {
  const [alive, upstream] = [startFacilitator(), startUpstream()];
  const node = await startRun(newNodeFolder([`url = "${alive.url}"`], "", localPlugin(upstream.url)));
  for (let call = 0; call < 20; call++) expect(await statusOf(`${node.url()}/local`)).toBe(402);
  expect(alive.calls.supported).toBe(1);
  await Promise.all([alive.stop(), upstream.stop()]);
});
