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
import { START_MS } from "../../test/helpers/still-clock.ts";
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

const fails = (status: number, headers: Record<string, string> = {}) => new Response("no", { status, headers });
const answers = (value: number) => Response.json({ value });

describe("retries", () => {
  test("a 503 is retried after a jittered pause that doubles, at most `attempts` times in all", async () => {
    const server = serve(() => fails(503));
    const node = createTestUpstream();
    const failure = await getFailure(createRun(node).get(provide([server.url], { attempts: 4 }), createRequest()));
    expect(failure.kind).toBe("upstream_unavailable");
    expect(server.requests.length).toBe(4);
    // random() is 0.5: half of 200, 400 and 800 ms.
    expect(node.slept_ms).toEqual([100, 200, 400]);
  });

  test("a repetition that succeeds leaves one source that is ok", async () => {
    const server = serve((_request, n) => (n < 3 ? fails(500) : answers(n)));
    const run = createRun(createTestUpstream());
    expect((await run.get(provide([server.url], { attempts: 3 }), createRequest())).value).toBe(3);
    expect(run.sources().map(({ ok }) => ok)).toEqual([true]);
  });

  test.each([400, 401, 403, 404, 301])("status %d is not tried again", async (status) => {
    const server = serve(() => fails(status));
    await getFailure(createRun(createTestUpstream()).get(provide([server.url], { attempts: 3 }), createRequest()));
    expect(server.requests.length).toBe(1);
  });

  test("an answer of the wrong shape is not retried", async () => {
    const server = serve(() => Response.json({}));
    await getFailure(createRun(createTestUpstream()).get(provide([server.url], { attempts: 3 }), createRequest()));
    expect(server.requests.length).toBe(1);
  });

  test("a dropped connection is retried", async () => {
    const server = serve(() => answers(1));
    const fetch_once_broken = (() => {
      let n = 0;
      return (url: string, init: RequestInit) => {
        n += 1;
        if (n === 1) return Promise.reject(Object.assign(new Error("reset"), { code: "ECONNRESET" }));
        return fetch(url, init);
      };
    })();
    const node = createTestUpstream({ fetch: fetch_once_broken });
    const got = await createRun(node).get(provide([server.url], { attempts: 2 }), createRequest());
    expect(got.value).toBe(1);
  });

  test("a retry continues for the remaining caller when another one leaves", async () => {
    const abort = new AbortController();
    const server = serve((_request, n) => {
      abort.abort();
      return n === 1 ? fails(503) : answers(n);
    });
    const node = createTestUpstream();
    const provider = provide([server.url], { attempts: 2 });
    const stayed = createRun(node).get(provider, createRequest());
    const left = getFailure(createRun(node, abort.signal).get(provider, createRequest()));
    expect((await left).kind).toBe("upstream_timeout");
    expect((await stayed).value).toBe(2);
  });

  test("there is no retry once the last caller has left", async () => {
    const abort = new AbortController();
    const server = serve(() => {
      abort.abort();
      return fails(503);
    });
    const node = createTestUpstream();
    const run = createRun(node, abort.signal);
    const failure = await getFailure(run.get(provide([server.url], { attempts: 5 }), createRequest()));
    expect(failure.kind).toBe("upstream_timeout");
    // The flight outlives its caller; it has ended once its call is recorded.
    while (node.upstream.status().length === 0) await Bun.sleep(1);
    await Bun.sleep(5);
    expect(server.requests.length).toBe(1);
    expect(node.slept_ms).toEqual([]);
  });
});

describe("pauses that the upstream asks for", () => {
  test("a short Retry-After is waited for", async () => {
    const server = serve((_request, n) => (n === 1 ? fails(429, { "retry-after": "2" }) : answers(n)));
    const node = createTestUpstream();
    expect((await createRun(node).get(provide([server.url], { attempts: 2 }), createRequest())).value).toBe(2);
    expect(node.slept_ms).toEqual([2_110]);
  });

  test("a long one is not waited for: the provider is skipped without a call until it ends", async () => {
    const server = serve((_request, n) => (n === 1 ? fails(429, { "retry-after": "120" }) : answers(n)));
    const node = createTestUpstream();
    const provider = provide([server.url], { attempts: 3 });
    const first = await getFailure(createRun(node).get(provider, createRequest()));
    expect([first.kind, first.retry_after_s]).toEqual(["upstream_rate_limited", 120]);
    node.clock.advance(119_000);
    const run = createRun(node);
    const second = await getFailure(run.get(provider, createRequest({ path: "/v1/other" })));
    expect([second.kind, second.retry_after_s]).toEqual(["upstream_rate_limited", 1]);
    expect(run.sources()).toMatchObject([{ ok: false, error: "upstream_rate_limited" }]);
    expect(server.requests.length).toBe(1);
    node.clock.advance(1_000);
    expect((await createRun(node).get(provider, createRequest())).value).toBe(2);
  });

  test("an HTTP date is understood", async () => {
    const until = new Date(START_MS + 90_000).toUTCString();
    const server = serve(() => fails(418, { "retry-after": until }));
    const failure = await getFailure(createRun(createTestUpstream()).get(provide([server.url]), createRequest()));
    expect(failure.retry_after_s).toBe(90);
  });

  test("without a stated pause it is a minute, doubling while it repeats, starting again after a success", async () => {
    let limited = true;
    const server = serve(() => (limited ? fails(429) : answers(1)));
    const node = createTestUpstream();
    const provider = provide([server.url], { attempts: 3 });
    const get = () => createRun(node).get(provider, createRequest());
    const pauses: (number | undefined)[] = [];
    for (let n = 0; n < 6; n++) {
      await getFailure(get());
      const pause = (await getFailure(get())).retry_after_s;
      pauses.push(pause);
      node.clock.advance((pause ?? 0) * 1000);
    }
    expect(pauses).toEqual([60, 120, 240, 480, 900, 900]);
    expect(server.requests.length).toBe(6);
    limited = false;
    await get();
    limited = true;
    await getFailure(get());
    expect((await getFailure(get())).retry_after_s).toBe(60);
  });

  test("a 429 holds for every address of an API, but only for the one address of a chain", async () => {
    const limited = serve(() => fails(429));
    const other = serve(() => answers(2));
    const node = createTestUpstream();
    const failure = await getFailure(createRun(node).get(provide([limited.url, other.url]), createRequest()));
    expect(failure.kind).toBe("upstream_rate_limited");
    expect(other.requests.length).toBe(0);
    const chain = createTestProvider({ id: "rpc", base_urls: [], chains: { base: [limited.url, other.url] } });
    const request = createRequest({ path: "", chain: "base" });
    expect((await createRun(node).get(chain, request)).value).toBe(2);
    expect((await createRun(node).get(chain, request)).value).toBe(2);
    expect(limited.requests.length).toBe(2);
  });
});

describe("addresses", () => {
  test("the second address is asked at once when the first one fails, and both are cited", async () => {
    const first = serve(() => fails(500));
    const second = serve(() => answers(2));
    const node = createTestUpstream();
    const run = createRun(node);
    expect((await run.get(provide([first.url, second.url]), createRequest())).value).toBe(2);
    expect(node.slept_ms).toEqual([]);
    expect(run.sources()).toMatchObject([
      { url: `${first.url}/v1/thing`, ok: false, error: "upstream_unavailable" },
      { url: `${second.url}/v1/thing`, ok: true },
    ]);
  });

  test("bad content moves on to the next address, and only temporary failures are retried", async () => {
    const first = serve(() => new Response("<html>"));
    const second = serve((_request, n) => (n === 1 ? fails(503) : answers(n)));
    const provider = provide([first.url, second.url], { attempts: 3 });
    expect((await createRun(createTestUpstream()).get(provider, createRequest())).value).toBe(2);
    expect(first.requests.length).toBe(1);
  });

  test('"not found" is an answer: no other address is asked', async () => {
    const first = serve(() => fails(404));
    const second = serve(() => answers(2));
    const failure = await getFailure(
      createRun(createTestUpstream()).get(provide([first.url, second.url]), createRequest()),
    );
    expect(failure.kind).toBe("upstream_not_found");
    expect(second.requests.length).toBe(0);
  });

  test("a configured address replaces the provider's own", async () => {
    const own = serve(() => answers(1));
    const configured = serve(() => answers(2));
    const node = createTestUpstream({ settings: { base_url: `${configured.url}/mirror/` } });
    expect((await createRun(node).get(provide([own.url]), createRequest({ path: "/a?b=c" }))).value).toBe(2);
    expect(configured.requests[0]?.path).toBe("/mirror/a?b=c");
    expect(own.requests.length).toBe(0);
  });
});

describe("circuit breaker", () => {
  test("five failures in a row block an address; after 10 s one call may try, and a success unblocks it", async () => {
    let broken = true;
    const server = serve(() => (broken ? fails(500) : answers(1)));
    const node = createTestUpstream();
    const provider = provide([server.url]);
    const get = () => createRun(node).get(provider, createRequest());
    const state = () => node.upstream.status()[0]?.breaker;
    for (let n = 0; n < 5; n++) await getFailure(get());
    expect(state()).toBe("open");
    node.clock.advance(9_999);
    const shut = await getFailure(get());
    expect([shut.kind, shut.retry_after_s]).toEqual(["upstream_unavailable", 1]);
    expect(server.requests.length).toBe(5);
    node.clock.advance(1);
    expect(state()).toBe("half_open");
    await getFailure(get());
    expect(state()).toBe("open");
    await getFailure(get());
    expect(server.requests.length).toBe(6);
    node.clock.advance(10_000);
    broken = false;
    expect((await get()).value).toBe(1);
    expect(state()).toBe("closed");
    const changes = node.events.flatMap((event) => (event.event === "upstream_breaker" ? [event.state] : []));
    expect(changes).toEqual(["open", "half_open", "open", "half_open", "closed"]);
  });

  test("while one call is on trial, another goes to the next address instead of waiting", async () => {
    const trial = Promise.withResolvers<Response>();
    const arrived = Promise.withResolvers<void>();
    let broken = true;
    const first = serve(() => {
      if (broken) return fails(500);
      arrived.resolve();
      return trial.promise;
    });
    const second = serve(() => answers(2));
    const node = createTestUpstream();
    const provider = provide([first.url, second.url]);
    const get = (path: string) => createRun(node).get(provider, createRequest({ path }));
    for (let n = 0; n < 5; n++) await get("/warm-up");
    broken = false;
    node.clock.advance(10_000);
    const waiting = get("/trial");
    await arrived.promise;
    expect((await get("/other")).value).toBe(2);
    trial.resolve(answers(1));
    expect((await waiting).value).toBe(1);
  });

  test("failures caused by the request or the content do not block it", async () => {
    const kinds = [404, 403, 400, 301];
    const server = serve((_request, n) => (n % 2 ? fails(kinds[n % 4] ?? 404) : new Response("<html>")));
    const node = createTestUpstream();
    for (let n = 0; n < 12; n++) await getFailure(createRun(node).get(provide([server.url]), createRequest()));
    expect(server.requests.length).toBe(12);
    expect(node.upstream.status()[0]?.breaker).toBe("closed");
  });

  test("two providers on one host have separate breakers", async () => {
    const server = serve((request) => (request.url.includes("/bad/") ? fails(500) : answers(1)));
    const node = createTestUpstream();
    const bad = provide([`${server.url}/bad`]);
    const good = createTestProvider({ id: "good_api", base_urls: [`${server.url}/good`] });
    for (let n = 0; n < 6; n++) await getFailure(createRun(node).get(bad, createRequest()));
    expect((await createRun(node).get(good, createRequest())).value).toBe(1);
  });
});
