import { afterEach, describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import {
  createRequest,
  createRun,
  createTestProvider,
  createTestUpstream,
  type FakeServer,
  getFailure,
  startFakeServer,
} from "../../test/helpers/fake-upstream.ts";
import { unusable } from "../catalog/unusable.ts";
import type { SeenAnswer } from "./shape-watch.ts";

const servers: FakeServer[] = [];
const serve = (respond: Parameters<typeof startFakeServer>[0]): FakeServer => {
  const server = startFakeServer(respond);
  servers.push(server);
  return server;
};
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

test("the watch of shapes gets each good raw JSON answer, without the key", async () => {
  const server = serve((_request, n) => Response.json(n === 1 ? { value: 1, more: "x" } : { none: n }));
  const provider = createTestProvider({
    base_urls: [server.url],
    key: { required: true, in: "query", name: "token" },
  });
  const seen: unknown[] = [];
  const onAnswer = ({ provider: id, path, body, value }: SeenAnswer) => seen.push([id, path, body, value]);
  const run = createRun(createTestUpstream({ onAnswer, settings: { api_key: "key-nobody-may-read" } }));
  await run.get(provider, createRequest());
  await getFailure(run.get(provider, createRequest()));
  expect(seen).toEqual([["test_api", "/v1/thing", "", { value: 1, more: "x" }]]);
});

describe("sharing", () => {
  test("a hundred equal calls at once are one upstream call, and each run cites it", async () => {
    const answer = Promise.withResolvers<void>();
    const server = serve(async (_request, n) => {
      await answer.promise;
      return Response.json({ value: n });
    });
    const provider = createTestProvider({ base_urls: [server.url] });
    const node = createTestUpstream();
    const runs = Array.from({ length: 100 }, () => createRun(node));
    const calls = runs.map((run) => run.get(provider, createRequest()));
    answer.resolve();
    const values = await Promise.all(calls);
    expect(server.requests.length).toBe(1);
    expect(values.every(({ value }) => value === 1)).toBe(true);
    for (const run of runs) {
      expect(run.sources()).toEqual([
        { provider: "test_api", url: `${server.url}/v1/thing`, fetched_at: "2026-03-01T12:00:00Z", ok: true },
      ]);
    }
  });

  test("calls with another path, chain or body are not shared; equal bodies in another order are", async () => {
    const server = serve((_request, n) => Response.json({ value: n }));
    const provider = createTestProvider({
      base_urls: [server.url],
      chains: { one: [`${server.url}/rpc/one`], two: [`${server.url}/rpc/two`] },
    });
    const run = createRun(createTestUpstream());
    const ttl_ms = 60_000;
    const get = async (change: Parameters<typeof createRequest>[0]) =>
      (await run.get(provider, createRequest({ ttl_ms, ...change }))).value;
    expect(await get({ body: { a: 1, b: 2 } })).toBe(1);
    expect(await get({ body: { b: 2, a: 1 } })).toBe(1);
    expect(await get({ body: { a: 1, b: 3 } })).toBe(2);
    expect(await get({ path: "/v1/other" })).toBe(3);
    expect(await get({ path: "", chain: "one" })).toBe(4);
    expect(await get({ path: "", chain: "two" })).toBe(5);
    expect(server.requests[0]?.body).toBe('{"a":1,"b":2}');
    expect(server.requests.map(({ method }) => method).join(" ")).toBe("POST POST GET GET GET");
  });

  test("a caller that leaves gets its result at once, without ending the call for the others", async () => {
    const answer = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    const server = serve(async () => {
      arrived.resolve();
      await answer.promise;
      return Response.json({ value: 7 });
    });
    const provider = createTestProvider({ base_urls: [server.url] });
    const node = createTestUpstream();
    const abort = new AbortController();
    const leaver = createRun(node, abort.signal);
    const stayer = createRun(node);
    const left = getFailure(leaver.get(provider, createRequest()));
    const stayed = stayer.get(provider, createRequest());
    await arrived.promise;
    abort.abort();
    expect((await left).kind).toBe("upstream_timeout");
    expect(leaver.sources()).toMatchObject([{ provider: "test_api", ok: false, error: "upstream_timeout" }]);
    answer.resolve();
    expect((await stayed).value).toBe(7);
    expect(server.requests.length).toBe(1);
    expect((await getFailure(leaver.get(provider, createRequest()))).kind).toBe("upstream_timeout");
    expect(server.requests.length).toBe(1);
  });

  test("an answer is checked against each caller's own expectation", async () => {
    const server = serve(() => Response.json({ value: 1 }));
    const provider = createTestProvider({ base_urls: [server.url] });
    const node = createTestUpstream();
    const refuser = createRun(node);
    const first = createRun(node).get(provider, createRequest());
    const second = getFailure(
      refuser.get(provider, createRequest({ read: () => unusable(`too old ${"x".repeat(500)}`) })),
    );
    expect((await first).value).toBe(1);
    const failure = await second;
    expect(failure.kind).toBe("upstream_bad_response");
    expect(failure.message).toStartWith("test_api: too old");
    expect(failure.message.length).toBeLessThanOrEqual(220);
    expect(refuser.sources()).toMatchObject([{ ok: false, error: "upstream_bad_response" }]);
    expect(server.requests.length).toBe(1);
  });

  test("a shared answer cannot be changed by one of its users", async () => {
    const server = serve(() => Response.json({ rows: [3, 1, 2] }));
    const provider = createTestProvider({ base_urls: [server.url] });
    const schema = Type.Object({ rows: Type.Array(Type.Number()) });
    const run = createRun(createTestUpstream());
    const { rows } = await run.get(provider, { path: "/v1/rows", schema, ttl_ms: 60_000 });
    expect(() => rows.sort()).toThrow(TypeError);
  });
});

describe("time to live", () => {
  test("a kept answer is used until its ttl ends and cites its original fetched_at", async () => {
    const server = serve((_request, n) => Response.json({ value: n }));
    const provider = createTestProvider({ base_urls: [server.url] });
    const node = createTestUpstream();
    const request = createRequest({ ttl_ms: 60_000 });
    expect((await createRun(node).get(provider, request)).value).toBe(1);
    node.clock.advance(59_999);
    const run = createRun(node);
    expect((await run.get(provider, request)).value).toBe(1);
    expect(run.sources().map(({ fetched_at }) => fetched_at)).toEqual(["2026-03-01T12:00:00Z"]);
    node.clock.advance(1);
    const later = createRun(node);
    expect((await later.get(provider, request)).value).toBe(2);
    expect(later.sources().map(({ fetched_at }) => fetched_at)).toEqual(["2026-03-01T12:01:00Z"]);
  });

  test("the reader's own ttl decides, zero keeps nothing, and a clock set back keeps nothing alive", async () => {
    const server = serve((_request, n) => Response.json({ value: n }));
    const provider = createTestProvider({ base_urls: [server.url] });
    const node = createTestUpstream();
    const get = async (ttl_ms: number) => (await createRun(node).get(provider, createRequest({ ttl_ms }))).value;
    expect(await get(60_000)).toBe(1);
    node.clock.advance(10_000);
    expect(await get(20_000)).toBe(1);
    expect(await get(5_000)).toBe(2);
    expect(await get(0)).toBe(3);
    expect(await get(60_000)).toBe(2);
    node.clock.advance(-3_600_000);
    expect(await get(60_000)).toBe(4);
  });

  test("a kept answer that is refused now is fetched again", async () => {
    const server = serve((_request, n) => Response.json({ value: n }));
    const provider = createTestProvider({ base_urls: [server.url] });
    const node = createTestUpstream();
    const read = (answer: { value: number }) => (answer.value === 1 ? unusable("stale") : answer);
    expect((await createRun(node).get(provider, createRequest({ ttl_ms: 60_000 }))).value).toBe(1);
    expect((await createRun(node).get(provider, createRequest({ ttl_ms: 60_000, read }))).value).toBe(2);
  });

  test("a failure is not kept", async () => {
    const server = serve((_request, n) => (n === 1 ? new Response("x", { status: 404 }) : Response.json({ value: n })));
    const provider = createTestProvider({ base_urls: [server.url] });
    const run = createRun(createTestUpstream());
    expect((await getFailure(run.get(provider, createRequest({ ttl_ms: 60_000 })))).kind).toBe("upstream_not_found");
    expect((await run.get(provider, createRequest({ ttl_ms: 60_000 }))).value).toBe(2);
    expect(run.sources().map(({ ok }) => ok)).toEqual([false, true]);
  });
});

describe("permission", () => {
  const refused: [string, Parameters<typeof createTestProvider>[0], object, string][] = [
    ["switched off", {}, { enabled: false }, "switched off"],
    ["restricted", { terms: { class: "restricted", note: "n" } }, {}, "set [providers.test_api] terms_ack = true"],
    ["without its key", { key: { required: true, in: "header", name: "x" } }, {}, "needs [providers.test_api] api_key"],
  ];
  test.each(refused)("a provider that is %s is never called", async (_name, change, settings, why) => {
    const server = serve(() => Response.json({ value: 1 }));
    const provider = createTestProvider({ base_urls: [server.url], ...change });
    const { upstream, ...rest } = createTestUpstream({ settings });
    expect(upstream.usable(provider)).toBe(false);
    const reason = upstream.whyNot(provider);
    expect(reason?.why).toContain(why);
    expect(reason?.for_buyers).toMatch(/^\S[^[\]]+ (is no source of|may not be sold on by) this node$/);
    const run = createRun({ upstream, ...rest });
    expect(run.usable(provider)).toBe(false);
    expect((await getFailure(run.get(provider, createRequest()))).kind).toBe("upstream_auth");
    expect(server.requests.length).toBe(0);
  });

  test("restricted terms need the acknowledgement even if the list allows them", () => {
    const provider = createTestProvider({ terms: { class: "restricted", note: "n" } });
    const allow_terms = ["open", "restricted"] as const;
    expect(createTestUpstream({ allow_terms }).upstream.usable(provider)).toBe(false);
    const { upstream } = createTestUpstream({ settings: { terms_ack: true } });
    expect(upstream.usable(provider)).toBe(true);
    expect(upstream.whyNot(provider)).toBe(null);
  });

  test("a terms class that is not on the list is named", () => {
    const provider = createTestProvider({ terms: { class: "unclear", note: "n" } });
    const { upstream } = createTestUpstream({ allow_terms: ["open"] });
    expect(upstream.whyNot(provider)?.why).toContain('add "unclear" to [providers] allow_terms');
  });
});

describe("sources and status", () => {
  test("attribution and simulation are stated; equal entries appear once; a cited source is kept", async () => {
    const server = serve((_request, n) => (n === 2 ? new Response("", { status: 404 }) : Response.json({ value: n })));
    const attribution = { text: "Data by Test API", url: "https://example.com" };
    const provider = createTestProvider({
      base_urls: [server.url],
      terms: { class: "attribution", note: "n", attribution },
    });
    const run = createRun(createTestUpstream({ simulated: true }));
    const cited = { provider: "stored", url: "https://example.com/x", fetched_at: "2026-02-28T00:00:00Z", ok: true };
    run.cite(cited);
    run.cite(cited);
    await run.get(provider, createRequest({ body: 1 }));
    await getFailure(run.get(provider, createRequest({ body: 2 })));
    await run.get(provider, createRequest({ body: 3 }));
    const url = `${server.url}/v1/thing`;
    const seen = { provider: "test_api", url, fetched_at: "2026-03-01T12:00:00Z", simulated: true as const };
    expect(run.sources()).toEqual([
      { ...cited, simulated: true },
      { ...seen, ok: true, attribution },
      { ...seen, ok: false, error: "upstream_not_found" },
    ]);
  });

  test("status counts calls and failures per provider", async () => {
    const server = serve((_request, n) => (n === 2 ? new Response("", { status: 403 }) : Response.json({ value: n })));
    const provider = createTestProvider({ base_urls: [server.url] });
    const node = createTestUpstream();
    expect(node.upstream.status()).toEqual([]);
    const run = createRun(node);
    await run.get(provider, createRequest());
    await getFailure(run.get(provider, createRequest()));
    expect(node.upstream.status()).toEqual([
      {
        provider: "test_api",
        ok: false,
        calls: 2,
        failures: 1,
        rows_dropped: 0,
        duration_s: expect.any(Number),
        last_error: "upstream_auth: test_api: status 403",
        last_ok_at: "2026-03-01T12:00:00Z",
        breaker: "closed",
      },
    ]);
  });

  test("the node names itself and asks for JSON", async () => {
    const server = serve(() => Response.json({ value: 1 }));
    await createRun(createTestUpstream()).get(createTestProvider({ base_urls: [server.url] }), createRequest());
    expect(server.requests[0]?.headers.get("user-agent")).toBe("intel-node/0.0.0-test");
    expect(server.requests[0]?.headers.get("accept")).toBe("application/json");
  });
});

describe("addresses", () => {
  const paths: [string, string][] = [
    ["without a slash", "v1"],
    ["that climbs out", "/../admin"],
    ["with a space", "/a b"],
    ["with a fragment", "/a#b"],
    ["with a backslash", "/a\\b"],
    ["beyond ASCII", "/é"],
    ["that is endless", `/${"a".repeat(8_001)}`],
  ];
  test.each(paths)("a path %s is refused without a call", async (_name, path) => {
    const server = serve(() => Response.json({ value: 1 }));
    const provider = createTestProvider({ base_urls: [`${server.url}/api`] });
    const failure = await getFailure(createRun(createTestUpstream()).get(provider, createRequest({ path })));
    expect(failure.kind).toBe("upstream_bad_response");
    expect(server.requests.length).toBe(0);
  });

  test("a chain without an address: the operator learns the key to set, buyers do not", async () => {
    const provider = createTestProvider({ base_urls: [], chains: { base: ["http://127.0.0.1:1"] } });
    const run = createRun(createTestUpstream());
    const failure = await getFailure(run.get(provider, createRequest({ path: "", chain: "constructor" })));
    expect(failure.kind).toBe("upstream_unavailable");
    expect(failure.message).toContain('no address of chain "constructor"');
    expect(failure.message).not.toContain("[chains");
    expect(createTestUpstream().upstream.whyNot(provider, "constructor")?.why).toBe("needs [chains.constructor] rpc");
  });

  test("a body without a JSON form fails as an upstream error", async () => {
    const run = createRun(createTestUpstream());
    const failure = await getFailure(run.get(createTestProvider(), createRequest({ body: { x: Number.NaN } })));
    expect(failure.kind).toBe("upstream_unavailable");
  });
});
