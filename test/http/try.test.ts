import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  cleanUp,
  type DemoNode,
  newFolder,
  newPayer,
  payingFetch,
  startDemo,
  waitForPast,
} from "../helpers/demo-node.ts";
import { until } from "../helpers/hang-limit.ts";

/** A product whose upstream never answers. */
const BROKEN = `
import { Type } from "@sinclair/typebox";
import { definePlugin, defineProduct } from "intel-node";
export default definePlugin({ id: "broken", title: "Broken", products: [defineProduct({
  path: "/a-broken-one", title: "Broken", description: "Test.", category: "test", tags: ["test"], price_usd: "0.001",
  params: Type.Object({}), data: Type.Object({ n: Type.Integer() }),
  example: { params: {}, as_of: "2026-01-01T00:00:00Z", data: { n: 1 } },
  providers: [], requires: [], ttl: "0s", deadline_ms: 2_000, tried: { order: 5 }, sample: true,
  preview: { every: "10m", delay: "10m" },
  fetch: async () => { throw new Error("no data"); },
  compute: (_, { now_ms }) => ({ as_of_ms: now_ms, data: { n: 1 }, warnings: [] }),
})] });
`;

type Body = Record<string, unknown>;
interface Product {
  readonly product: string;
  readonly path: string;
  readonly price_usd: string;
}

let node: DemoNode;
const bodyOf = async (path: string): Promise<Body> => (await (await node.get(path)).json()) as Body;

beforeAll(async () => {
  const plugins = newFolder();
  mkdirSync(join(plugins, "broken"));
  writeFileSync(join(plugins, "broken", "index.ts"), BROKEN);
  node = await startDemo({ args: ["--plugins", plugins], history: true });
  await waitForPast(node);
});
afterAll(cleanUp);

describe("/try", () => {
  test("shows real, delayed data of at most six products, each at its price", async () => {
    const { items, sandbox, node_id, generated_at } = await bodyOf("/try");
    const { products, plans } = (await bodyOf("/get-pricing")) as { products: Product[]; plans: Product[] };
    const sold = new Map(products.map((product) => [product.product, product]));
    expect({ sandbox, node_id: typeof node_id }).toEqual({ sandbox: true, node_id: "string" });
    const shown = items as (Product & { delayed: boolean; as_of: string; data: Body })[];
    expect(shown.length).toBeGreaterThan(2);
    expect(shown.length).toBeLessThanOrEqual(6);
    for (const { product, path, price_usd, delayed, as_of, data } of shown.filter((one) => one.data !== null)) {
      expect(sold.get(product)).toMatchObject({ path, price_usd });
      expect(plans.map((plan) => plan.path)).not.toContain(path);
      expect(delayed).toBe(true);
      expect(Date.parse(as_of)).toBeLessThan(Date.parse(String(generated_at)));
      const preview = (await bodyOf(`${path}?preview=1`)) as { data: Body };
      expect(Object.keys(data)).toEqual(Object.keys(preview.data));
    }
  });

  test("starts with the products named for it, the same at every call", async () => {
    const [{ items, next_step }, again, sample] = [await bodyOf("/try"), await bodyOf("/try"), await bodyOf("/sample")];
    const names = (items as Product[]).map(({ product }) => product);
    expect((again.items as Product[]).map(({ product }) => product)).toEqual(names);
    const { node_id, generated_at, sandbox, warnings, signals_chain, ...sampled } = sample;
    const ids = Object.values(sampled).flatMap((one) => (one === null ? [] : [(one as Product).product]));
    expect(ids.length).toBeGreaterThan(0);
    const wanted = ["fear-greed", "oracle-consensus", "regime", "mempool", "forex-rate", "br-macro"];
    const named = names.filter((name) => wanted.includes(name));
    expect(names.slice(0, named.length)).toEqual(wanted.filter((name) => named.includes(name)));
    expect((items as { data: Body }[])[names.indexOf("oracle-consensus")]?.data.symbol).toBe("BTC");
    expect(next_step).toContain("402");
  });

  test("makes nothing up: what has no snapshot has no data, and is named", async () => {
    const { items, warnings } = (await bodyOf("/try")) as { items: (Product & Body)[]; warnings: string[] };
    const broken = items.find(({ product }) => product === "a-broken-one");
    expect(broken).toMatchObject({ endpoint: "/a-broken-one", price_atomic: "1000", as_of: null, data: null });
    expect(warnings).toContain("a-broken-one: no snapshot is old enough yet");
  });
});

test("/sample names a part that is missing, and keeps its place", async () => {
  const { node_id, generated_at, sandbox, signals_chain, warnings, ...parts } = await bodyOf("/sample");
  expect(parts.a_broken_one).toBeNull();
  const named = (warnings as string[]).map((one) => one.split(":")[0] ?? "");
  const missing = Object.keys(parts).filter((name) => parts[name] === null);
  expect(named.toSorted()).toEqual(missing.toSorted());
  expect(warnings).toContain("a_broken_one: no snapshot is old enough yet");
});

test("/sample holds the head of the chain of signals as it is now", async () => {
  const [{ signals_chain }, live] = [await bodyOf("/sample"), await bodyOf("/live")];
  expect(signals_chain).toEqual({ length: expect.any(Number), head: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(signals_chain).toEqual(live.signals_chain);
});

describe("/live", () => {
  const about = async (path: string) => {
    const { products } = (await bodyOf("/live")) as { products: (Product & Body)[] };
    return products.find((product) => product.path === path);
  };

  test("says of every product whether its last run gave data", async () => {
    const { products } = (await bodyOf("/live")) as { products: Body[] };
    const sold = (await bodyOf("/get-pricing")) as { products: Product[] };
    expect(products.map(({ path }) => path)).toEqual(sold.products.map(({ path }) => path));
    expect((await payingFetch(newPayer())(`${node.url}/fear-greed`)).status).toBe(200);
    await until(async () => (await about("/fear-greed"))?.ok === true, "what /live keeps to be renewed");
    // A failure while the sandbox's past was lived is none of now.
    expect((await payingFetch(newPayer())(`${node.url}/a-broken-one`)).status).toBe(503);
    await until(async () => (await about("/a-broken-one"))?.ok === false, "what /live keeps to be renewed");
    expect(await about("/a-broken-one")).toMatchObject({ ok: false, last_success_at: null });
    expect(await about("/day-pass")).toMatchObject({ ok: true });
  });

  test("tells the latency of paid calls by what paid for them", async () => {
    const response = await payingFetch(newPayer())(`${node.url}/mempool`);
    expect(response.status).toBe(200);
    type Latency = Record<string, { p50: number; p95: number } | null>;
    const read = async () => ((await bodyOf("/live")) as { latency_ms: Latency }).latency_ms;
    // A run of the sandbox's own may have made it "ok" before: what was just sold is what is waited for.
    const isSold = async () => ((await about("/mempool"))?.last_settlement_at ?? null) !== null;
    await until(isSold, "what /live keeps to be renewed");
    const latency_ms = await read();
    expect(Object.keys(latency_ms).sort()).toEqual(["key", "x402"]);
    expect(latency_ms.x402?.p50).toBeGreaterThan(0);
    expect(latency_ms.x402?.p95).toBeGreaterThanOrEqual(latency_ms.x402?.p50 ?? 0);
    expect(await about("/mempool")).toMatchObject({ ok: true });
  });
});
