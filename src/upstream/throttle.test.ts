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
import { START_MS, STILL_TIMERS } from "../../test/helpers/still-clock.ts";
import type { RunPurpose } from "../catalog/context.ts";
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

const LIMITS = { rate_per_s: 1_000, burst: 1_000, timeout_ms: 60_000, attempts: 1, body_bytes_max: 10_000 };
const provide = (base_urls: string[], limits: Partial<ProviderDefinition["limits"]> = {}) =>
  createTestProvider({ base_urls, limits: { ...LIMITS, ...limits } });

const answers = (value: number) => Response.json({ value });

describe("the node's own rate", () => {
  test("a call over the rate waits its turn; one that would wait over 2 s is refused", async () => {
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
      node.pass(1_000);
      held[n]?.wake();
    }
    await Promise.all([second, third]);
    expect(server.requests.map(({ path }) => path)).toEqual(["/1", "/2", "/3"]);
    expect(held.map(({ ms }) => ms)).toEqual([1_000, 1_000]);
  });

  test("after its wait, a call is not made if the upstream asked for a pause meanwhile", async () => {
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
    node.pass(1_000);
    token.resolve();
    expect((await second).message).toContain("asked for a pause of another 59 s");
    expect(server.requests.length).toBe(1);
  });

  test.each([
    ["stands", 0],
    ["is set back by an hour", -3_600_000],
  ])("a call gets its turn when its time has passed, though the clock %s meanwhile", async (_, by_ms) => {
    const server = serve(() => answers(1));
    let elapsed_ms = 0;
    const held: (() => void)[] = [];
    const node = createTestUpstream({
      timers: { ...STILL_TIMERS, elapsed_ms: () => elapsed_ms },
      sleep: (ms) =>
        new Promise<void>((wake) => {
          held.push(() => {
            elapsed_ms += ms;
            wake();
          });
        }),
    });
    const provider = provide([server.url], { rate_per_s: 1, burst: 1 });
    const run = createRun(node);
    await run.get(provider, createRequest({ path: "/1" }));
    const second = run.get(provider, createRequest({ path: "/2" }));
    while (held.length === 0) await Bun.sleep(1);
    node.clock.advance(by_ms);
    held[0]?.();
    while (server.requests.length < 2 && held.length < 2) await Bun.sleep(1);
    expect([server.requests.length, held.length]).toEqual([2, 1]);
    await second;
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

describe("buyers and jobs in one queue", () => {
  const SLOW = { rate_per_s: 0.5, burst: 1 };

  /** A node whose pauses end on command; each of them advances the clock by its time. */
  function createPausedNode() {
    const held: (() => void)[] = [];
    const node = createTestUpstream({
      sleep: (ms) =>
        new Promise<void>((wake) => {
          held.push(() => {
            node.pass(ms);
            wake();
          });
        }),
    });
    /** Ends a pause, and waits until its call arrives, because parallel calls arrive in any order. */
    const pass = async (server: FakeServer) => {
      while (held.length === 0) await Bun.sleep(1);
      const arrived = server.requests.length;
      held.shift()?.();
      while (server.requests.length === arrived) await Bun.sleep(1);
    };
    const run = (purpose: RunPurpose, limit_ms: number) =>
      node.upstream.createContext({
        now_ms: node.clock.now(),
        signal: new AbortController().signal,
        history: { read: async () => [] },
        purpose,
        limit_ms,
      });
    return { node, pass, run };
  }

  test("a buyer goes before jobs that came first, and jobs wait without a limit", async () => {
    const server = serve((_request, n) => answers(n));
    const { pass, run } = createPausedNode();
    const provider = provide([server.url], SLOW);
    const job = run("job", 600_000);
    await job.get(provider, createRequest({ path: "/job-0" }));
    const jobs = [1, 2, 3].map((n) => job.get(provider, createRequest({ path: `/job-${n}` })));
    const buyer = run("buyer", 10_000).get(provider, createRequest({ path: "/buyer" }));
    for (let n = 0; n < 4; n += 1) await pass(server);
    await Promise.all([...jobs, buyer]);
    expect(server.requests.map(({ path }) => path)).toEqual(["/job-0", "/buyer", "/job-1", "/job-2", "/job-3"]);
  });

  test("a job's call gets a buyer's priority as soon as a buyer makes the same request", async () => {
    const server = serve((_request, n) => answers(n));
    const { pass, run } = createPausedNode();
    const provider = provide([server.url], SLOW);
    const job = run("job", 600_000);
    await job.get(provider, createRequest({ path: "/0" }));
    const jobs = ["/1", "/2"].map((path) => job.get(provider, createRequest({ path })));
    const buyer = run("buyer", 10_000).get(provider, createRequest({ path: "/2" }));
    for (let n = 0; n < 2; n += 1) await pass(server);
    await Promise.all([...jobs, buyer]);
    expect(server.requests.map(({ path }) => path)).toEqual(["/0", "/2", "/1"]);
  });

  test("jobs leave half a burst to buyers", async () => {
    const server = serve((_request, n) => answers(n));
    const { node, run } = createPausedNode();
    const provider = provide([server.url], { rate_per_s: 1, burst: 4 });
    const job = run("job", 600_000);
    for (const path of ["/1", "/2"]) await job.get(provider, createRequest({ path }));
    void job.get(provider, createRequest({ path: "/3" })).catch(() => undefined);
    const buyer = run("buyer", 5_000);
    for (const path of ["/4", "/5"]) await buyer.get(provider, createRequest({ path }));
    expect(server.requests.map(({ path }) => path)).toEqual(["/1", "/2", "/4", "/5"]);
    expect(node.clock.now()).toBe(START_MS);
  });

  test("a buyer waits within the call's own time limit, not longer; then nothing is sold", async () => {
    const server = serve((_request, n) => answers(n));
    const { pass, run } = createPausedNode();
    const provider = provide([server.url], { rate_per_s: 0.2, burst: 1 });
    const buyer = run("buyer", 8_000);
    await buyer.get(provider, createRequest({ path: "/1" }));
    const second = buyer.get(provider, createRequest({ path: "/2" }));
    const third = await getFailure(buyer.get(provider, createRequest({ path: "/3" })));
    expect([third.kind, third.own_limit, third.retry_after_s]).toEqual(["upstream_rate_limited", true, 10]);
    expect(buyer.missed()?.code).toBe("upstream_unavailable");
    await pass(server);
    expect((await second).value).toBe(2);
  });

  test("a busy provider is skipped for the next one at once, and its data does not count as missing", async () => {
    const [busy, free] = [serve((_request, n) => answers(n)), serve(() => answers(100))];
    const { run } = createPausedNode();
    const slow = createTestProvider({
      id: "slow_api",
      base_urls: [busy.url],
      limits: { ...LIMITS, rate_per_s: 0.1, burst: 1 },
    });
    const other = provide([free.url]);
    const buyer = run("buyer", 60_000);
    const ask = (path: string) =>
      buyer.first("a value", [
        { provider: slow, run: () => buyer.get(slow, createRequest({ path })) },
        { provider: other, run: () => buyer.get(other, createRequest({ path })) },
      ]);
    expect((await ask("/1")).value).toBe(1);
    expect((await ask("/2")).value).toBe(100);
    expect(buyer.missed()).toBeNull();
  });
});
