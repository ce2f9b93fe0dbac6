import { afterEach, describe, expect, test } from "bun:test";
import {
  createRequest,
  createRun,
  createTestProvider,
  createTestUpstream,
  type FakeServer,
  getFailure,
  startFakeServer,
} from "../../test/helpers/fake-upstream.ts";
import type { ProviderDefinition } from "../catalog/provider.ts";

const servers: FakeServer[] = [];
const serve = (respond: Parameters<typeof startFakeServer>[0]): FakeServer => {
  const server = startFakeServer(respond);
  servers.push(server);
  return server;
};
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

const LIMITS = { rate_per_s: 1_000, burst: 1_000, timeout_ms: 5_000, attempts: 1, body_bytes_max: 10_000 };
const provide = (base_urls: string[], limits: Partial<ProviderDefinition["limits"]> = {}) =>
  createTestProvider({ base_urls, limits: { ...LIMITS, ...limits } });

const answers = (value: number) => Response.json({ value });

describe("the node's own rate", () => {
  test("a call over the rate waits its turn; one that would wait over 2 s is refused without a call", async () => {
    const server = serve(() => answers(1));
    const node = createTestUpstream({ sleep: (ms) => hold(ms) });
    const held: { ms: number; wake: () => void }[] = [];
    const hold = (ms: number) => new Promise<void>((wake) => held.push({ ms, wake }));
    const provider = provide([server.url], { rate_per_s: 1, burst: 1 });
    const run = createRun(node);
    const get = (path: string) => run.get(provider, createRequest({ path }));
    await get("/1");
    const second = get("/2");
    const third = get("/3");
    const fourth = await getFailure(get("/4"));
    expect([fourth.kind, fourth.retry_after_s]).toEqual(["upstream_rate_limited", 3]);
    for (let n = 0; n < 2; n++) {
      while (held.length <= n) await Bun.sleep(1);
      node.clock.advance(1_000);
      held[n]?.wake();
    }
    await Promise.all([second, third]);
    expect(server.requests.map(({ path }) => path)).toEqual(["/1", "/2", "/3"]);
    expect(held.map(({ ms }) => ms)).toEqual([1_000, 1_000]);
  });

  test("a call that waited its turn is not made when the upstream asked for a pause meanwhile", async () => {
    const limited = Promise.withResolvers<Response>();
    const server = serve((_request, n) => (n === 1 ? limited.promise : answers(n)));
    const token = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const sleep = () => {
      asked.resolve();
      return token.promise;
    };
    const node = createTestUpstream({ sleep });
    const provider = provide([server.url], { rate_per_s: 1, burst: 1 });
    const first = getFailure(createRun(node).get(provider, createRequest({ path: "/1" })));
    const second = getFailure(createRun(node).get(provider, createRequest({ path: "/2" })));
    await asked.promise;
    limited.resolve(new Response("slow down", { status: 429 }));
    expect((await first).kind).toBe("upstream_rate_limited");
    node.clock.advance(1_000);
    token.resolve();
    expect((await second).message).toContain("asked for a pause of another 59 s");
    expect(server.requests.length).toBe(1);
  });

  test("a configured rate replaces the provider's", async () => {
    const server = serve(() => answers(1));
    const node = createTestUpstream({ settings: { rate_per_s: 0.1 } });
    const provider = provide([server.url], { burst: 1 });
    await createRun(node).get(provider, createRequest());
    const failure = await getFailure(createRun(node).get(provider, createRequest()));
    expect([failure.kind, failure.retry_after_s]).toEqual(["upstream_rate_limited", 10]);
  });
});
