import { afterEach, describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import {
  createRequest,
  createTestProvider,
  createTestUpstream,
  type FakeServer,
  startFakeServer,
} from "../../test/helpers/fake-upstream.ts";
import { isNodeError } from "../core/errors.ts";
import { createCatalog } from "./catalog.ts";
import type { FetchContext, RunPurpose } from "./context.ts";
import { outcomeOf } from "./failover.ts";
import { defineProduct } from "./product.ts";
import { createRunner } from "./runner.ts";

const servers: FakeServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});
const NO_HISTORY = { read: async () => [] };

/** A node whose one product has an optional part of a provider that allows a call in two seconds, and busy jobs. */
function assertSold<T>(product: T | undefined): T {
  if (!product) throw new Error("not sold");
  return product;
}

const LIMITS = { rate_per_s: 0.5, burst: 1, timeout_ms: 60_000, attempts: 1, body_bytes_max: 10_000 };

async function createWorld(deadline_ms: number) {
  const server = startFakeServer((_request, n) => Response.json({ value: n }));
  servers.push(server);
  const provider = createTestProvider({ base_urls: [server.url], limits: LIMITS });
  const held: (() => void)[] = [];
  const asked = Promise.withResolvers<void>();
  const node = createTestUpstream({
    sleep: (ms) =>
      new Promise<void>((wake) => {
        held.push(() => {
          node.pass(ms);
          wake();
        });
      }),
  });
  const product = defineProduct({
    path: "/parts",
    title: "Parts",
    description: "A product with an optional part.",
    category: "test",
    tags: ["test"],
    price_usd: "0.01",
    params: Type.Object({}),
    data: Type.Object({ part: Type.Union([Type.Number(), Type.Null()]) }),
    example: { params: {}, as_of: "2026-01-01T00:00:00Z", data: { part: 1 } },
    providers: [provider],
    requires: [],
    ttl: "1h",
    deadline_ms,
    preview: { every: "1h" },
    // By hand, as a product may do it that does not use `each`.
    fetch: (context: FetchContext) => {
      const part = outcomeOf(context.get(provider, createRequest({ path: "/part" })));
      asked.resolve();
      return part;
    },
    compute: (part, { now_ms }) => ({
      as_of_ms: now_ms,
      data: { part: part.ok ? part.value.value : null },
      warnings: [],
    }),
  });
  const catalog = createCatalog({
    plugins: [
      {
        id: "test",
        title: "Test",
        file: "test",
        origin: "operator",
        jobs: [],
        simulators: [],
        products: [{ file: "parts.ts", product }],
      },
    ],
    prices: {},
    preview_delay_ms: 0,
    reserved_paths: [],
    whyNot: node.upstream.whyNot,
  });
  const sold = assertSold(catalog.get("/parts"));
  const runner = createRunner({
    node_id: "test",
    sandbox: false,
    clock: node.clock,
    history: NO_HISTORY,
    createContext: node.upstream.createContext,
    onFailure: () => undefined,
    onSuccess: () => undefined,
  });
  const contextFor = (purpose: RunPurpose) =>
    node.upstream.createContext({
      now_ms: node.clock.now(),
      signal: new AbortController().signal,
      history: NO_HISTORY,
      purpose,
      limit_ms: 600_000,
    });
  const job = contextFor("job");
  await job.get(provider, createRequest({ path: "/job-0" }));
  const jobs = [1, 2, 3, 4].map((n) => job.get(provider, createRequest({ path: `/job-${n}` })));
  /** Ends a pause, and waits for the call it allows to arrive: calls under way at once arrive in any order. */
  const pass = async () => {
    while (held.length === 0) await Bun.sleep(1);
    const arrived = server.requests.length;
    held.shift()?.();
    while (server.requests.length === arrived) await Bun.sleep(1);
  };
  return {
    asked: asked.promise,
    jobs,
    pass,
    server,
    call: () => runner.produce(sold, sold.params.defaults),
    fresh: () => runner.fresh(sold, sold.params.defaults),
  };
}

describe("a part that the node's own rate limit kept it from asking for", () => {
  test("is fetched before the jobs that wait, when the product's deadline leaves the time", async () => {
    const { asked, call, jobs, pass, server } = await createWorld(8_000);
    const answer = call();
    await asked;
    for (let n = 0; n < 5; n += 1) await pass();
    expect(JSON.parse((await answer).body).data).toEqual({ part: 2 });
    await Promise.all(jobs);
    expect(server.requests.map(({ path }) => path).slice(0, 3)).toEqual(["/job-0", "/part", "/job-1"]);
  });

  test("is never sold as missing, nor kept so for the next buyer", async () => {
    const { call, fresh } = await createWorld(1_500);
    const error = await call().catch((thrown: unknown) => thrown);
    expect(isNodeError(error) && [error.code, error.options.retry_after_s]).toEqual(["upstream_unavailable", 2]);
    expect(String(error)).toContain("Nothing was charged");
    expect(fresh()).toBeNull();
  });
});
