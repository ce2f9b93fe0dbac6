import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { cleanUp, type DemoNode, payingFetch, startDemo } from "../helpers/demo-node.ts";
import { repeat } from "../helpers/effort.ts";
import { until } from "../helpers/hang-limit.ts";
import { PROXIES, startProxy, stopProxies } from "../helpers/proxies.ts";
import { freePort, localPlugin, newNodeFolder, startRun, stopRuns } from "../helpers/run-node.ts";

/** The proxies of docs/operator/proxy.md, with the very files it shows, in front of a node that sells. */
const SALES = repeat({ quick: 5, full: 1_000, long: 1_000 });

let node: DemoNode;
beforeAll(async () => {
  node = await startDemo();
});
afterAll(async () => {
  await stopProxies();
  await stopRuns();
  await cleanUp();
});

describe.each(PROXIES)("behind $name, set up as docs/operator/proxy.md says", (proxy) => {
  let url: string | null = null;
  beforeAll(async () => {
    url = await startProxy(proxy, node.url);
  });

  test("every product shows its price", async () => {
    if (url === null) return;
    const { products } = (await (await fetch(`${node.url}/get-pricing`)).json()) as { products: { path: string }[] };
    expect(products.length).toBeGreaterThan(20);
    for (const { path } of products) expect([path, (await fetch(`${url}${path}`)).status]).toEqual([path, 402]);
  });

  test("calls are bought", async () => {
    if (url === null) return;
    const pay = payingFetch();
    for (let sold = 0; sold < SALES; sold += 1) {
      const response = await pay(`${url}/fear-greed`);
      expect(response.status).toBe(200);
      await response.arrayBuffer();
    }
  });

  test("the node learns the client, and its sandbox stays shut", async () => {
    if (url === null) return;
    expect((await fetch(`${url}/__sandbox`)).status).toBeGreaterThanOrEqual(400);
    await until(() => node.log().includes('"event":"untrusted_proxy"'), "the warning");
  });
});

test("an upgrade behind Caddy, set up as docs/operator/proxy.md says, loses no call", async () => {
  const where = newNodeFolder([], "", localPlugin("http://127.0.0.1:9"));
  const port = await freePort();
  writeFileSync(where.config, readFileSync(where.config, "utf8").replace("port = 0", `port = ${port}`));
  const before = await startRun(where);
  const caddy = PROXIES.find(({ name }) => name === "caddy");
  const url = caddy ? await startProxy(caddy, before.url()) : null;
  if (url === null) return;
  const statuses: number[] = [];
  let is_over = false;
  const keepCalling = async () => {
    while (!is_over) {
      const response = await fetch(`${url}/get-pricing`);
      await response.arrayBuffer();
      statuses.push(response.status);
      await Bun.sleep(2);
    }
  };
  const callers = Array.from({ length: 8 }, keepCalling);
  await until(() => statuses.length > 50, "calls before the upgrade");
  before.signal("SIGTERM");
  expect(await before.exited()).toBe(0);
  const after = await startRun(where);
  const seen = statuses.length;
  await until(() => statuses.length > seen + 50, "calls after the upgrade");
  is_over = true;
  await Promise.all(callers);
  expect(after.pid).not.toBe(before.pid);
  expect(new Set(statuses)).toEqual(new Set([200]));
});
