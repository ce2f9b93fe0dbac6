import { afterAll, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { cleanUp, newPayer, payingFetch } from "../helpers/demo-node.ts";
import { until } from "../helpers/hang-limit.ts";
import {
  freePort,
  localPlugin,
  newNodeFolder,
  startFacilitator,
  startRun,
  startUpstream,
  stopRuns,
} from "../helpers/run-node.ts";
import { createPaymentPayload } from "../helpers/sign-for.ts";

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

test("a facilitator that dies while the node runs costs no sale: the next one takes over", async () => {
  const [first, second, upstream] = [startFacilitator(), startFacilitator(), startUpstream()];
  const entries = [first, second].map(({ url }) => `url = "${url}"`);
  const node = await startRun(newNodeFolder(entries, "", localPlugin(upstream.url)));
  const url = `${node.url()}/local`;
  await until(async () => (await statusOf(url)) === 402, "an offer");
  expect((await payingFetch()(url)).status).toBe(200);
  expect([first.calls.settle, second.calls.settle]).toEqual([1, 0]);
  await first.stop();
  for (let sale = 1; sale <= 3; sale++) {
    expect((await payingFetch()(url)).status).toBe(200);
    expect([second.calls.verify, second.calls.settle]).toEqual([sale, sale]);
  }
  await Promise.all([second.stop(), upstream.stop()]);
});

test("the main network is offered with its own USDC, and only where it can be settled", async () => {
  const [for_test, upstream] = [startFacilitator(), startUpstream()];
  const network = "eip155:8453";
  const paid: { network: string; asset: string; amount: string }[] = [];
  const main = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      const kinds = [{ x402Version: 2, scheme: "exact", network }];
      if (pathname === "/supported") return Response.json({ kinds, extensions: [], signers: {} });
      const { paymentRequirements } = (await request.json()) as { paymentRequirements: (typeof paid)[number] };
      if (pathname === "/verify") return Response.json({ isValid: true });
      paid.push(paymentRequirements);
      return Response.json({ success: true, transaction: `0x${"1".repeat(64)}`, network });
    },
  });
  const urls = [for_test.url, `http://127.0.0.1:${main.port}`];
  const where = newNodeFolder(
    urls.map((url) => `url = "${url}"`),
    "",
    localPlugin(upstream.url),
  );
  writeFileSync(where.config, readFileSync(where.config, "utf8").replace("testnet = true\n", ""));
  const node = await startRun(where);
  const url = `${node.url()}/local`;
  await until(async () => (await statusOf(url)) === 402, "an offer");
  const { accepts } = (await (await fetch(url)).json()) as { accepts: unknown[] };
  const usdc = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
  expect(accepts).toMatchObject([{ network, asset: usdc, amount: "1000", extra: { name: "USD Coin", version: "2" } }]);
  expect((await payingFetch()(url)).status).toBe(200);
  expect(paid).toMatchObject([{ network, asset: usdc, amount: "1000" }]);
  expect(for_test.calls).toMatchObject({ verify: 0, settle: 0 });
  await Promise.all([for_test.stop(), main.stop(true), upstream.stop()]);
});

test("a facilitator that moved in the list and to another port gets what was open once more", async () => {
  const upstream = startUpstream();
  const network = "eip155:84532";
  const settled: string[] = [];
  const start = (name: string, answers: boolean) =>
    Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      async fetch(request) {
        const { pathname } = new URL(request.url);
        const kinds = [{ x402Version: 2, scheme: "exact", network }];
        if (pathname === `/${name}/supported`) return Response.json({ kinds, extensions: [], signers: {} });
        if (pathname === `/${name}/verify`) return Response.json({ isValid: true });
        settled.push(name);
        if (!answers) return new Response("bad gateway", { status: 502 });
        return Response.json({ success: true, transaction: `0x${"5".repeat(64)}`, network });
      },
    });
  const entry = (server: { port: number | undefined }, name: string) =>
    `url = "http://127.0.0.1:${server.port}/${name}"\nnetworks = ["${network}"]`;
  const [one, other] = [start("one", false), start("other", true)];
  const port = String(one.port);
  const where = newNodeFolder([entry(one, "one"), entry(other, "other")], "", localPlugin(upstream.url));
  const node = await startRun(where);
  await until(async () => (await statusOf(`${node.url()}/local`)) === 402, "an offer");
  const header = await createPaymentPayload(await fetch(`${node.url()}/local`), newPayer());
  const send = (url: string) => fetch(`${url}/local`, { headers: { "PAYMENT-SIGNATURE": header } });
  expect((await send(node.url())).status).toBe(503);
  await node.kill();
  await one.stop(true);

  const moved = start("one", true);
  const [, first = "", second = "", rest = ""] =
    /^(\[\[fac.*?)(\[\[fac.*?)(\[server\].*)$/s.exec(readFileSync(where.config, "utf8")) ?? [];
  writeFileSync(where.config, `${second}${first.replace(port, String(moved.port))}${rest}`);
  const again = await startRun(where);
  await until(async () => (await send(again.url())).status === 200, "the settlement");
  expect(settled).toEqual(["one", "one"]);
  await Promise.all([moved.stop(true), other.stop(true), upstream.stop()]);
});

test("three networks, of which two have a live facilitator: the third is left out of every 402, and said", async () => {
  const upstream = startUpstream();
  const [base, solana, algorand] = [
    "eip155:84532",
    "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1",
    "algorand:SGO1GKSzyE7IEPItTxCByw9x8FmnrCDe",
  ];
  const fee_payer = "GyGKxMyg1p9SsHfm15MkNUu1u9TN2JtTspcdmrtGUdse";
  const start = (kinds: readonly object[], signers: object) =>
    Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => Response.json({ kinds, extensions: [], signers }) });
  const [one, two] = [
    start([{ x402Version: 2, scheme: "exact", network: base }], {}),
    start([{ x402Version: 2, scheme: "exact", network: solana, extra: { feePayer: fee_payer } }], {}),
  ];
  const dead = `url = "http://127.0.0.1:${await freePort()}"`;
  const wallets =
    `[wallets.solana]\npay_to = "${fee_payer}"\n[wallets.algorand]\n` +
    'pay_to = "5VESRRRI2HBMN2XJAM4JAWMVMEUVSJZ2LRR7SNRWYFDBJLEHG7I2572N4M"\n';
  const entries = [dead, `url = "http://127.0.0.1:${two.port}"`, `url = "http://127.0.0.1:${one.port}"`];
  const node = await startRun(newNodeFolder(entries, wallets, localPlugin(upstream.url)));
  const offered = async (): Promise<string[]> => {
    const header = (await fetch(`${node.url()}/local`)).headers.get("PAYMENT-REQUIRED");
    return header ? JSON.parse(atob(header)).accepts.map((entry: { network: string }) => entry.network) : [];
  };
  await until(async () => (await offered()).length === 2, "two offers");
  expect(await offered()).toEqual([base, solana]);
  const live = (await (await fetch(`${node.url()}/live`)).json()) as { networks_left_out: { network: string }[] };
  expect(live.networks_left_out).toEqual([{ network: algorand, why: "no live facilitator settles it" } as never]);
  await one.stop(true);
  await Promise.all([two.stop(true), upstream.stop()]);
});
