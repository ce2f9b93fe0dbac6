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

const servers: FakeServer[] = [];
const serve = (respond: Parameters<typeof startFakeServer>[0]): FakeServer => {
  const server = startFakeServer(respond);
  servers.push(server);
  return server;
};
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

const CANARY = "canary-key-0123456789";

describe("secrets", () => {
  const keyed = (url: string) =>
    createTestProvider({ base_urls: [url], key: { required: true, in: "header", name: "x-test-key" } });

  test("the key is sent as a header and appears nowhere else, even if the upstream repeats it", async () => {
    const server = serve((request, n) => {
      const key = request.headers.get("x-test-key");
      return n === 1 ? Response.json({ value: 1 }) : Response.json({ error: `bad key ${key}` });
    });
    const node = createTestUpstream({ settings: { api_key: CANARY } });
    const run = createRun(node);
    await run.get(keyed(server.url), createRequest());
    const read = (value: unknown) => unusable(`refused: ${JSON.stringify(value)}`);
    const schema = Type.Object({ error: Type.String() });
    const failure = await getFailure(run.get(keyed(server.url), { path: "/v1/echo", schema, ttl_ms: 0, read }));
    expect(server.requests.map(({ headers }) => headers.get("x-test-key"))).toEqual([CANARY, CANARY]);
    expect(server.requests.some(({ path }) => path.includes(CANARY))).toBe(false);
    expect(failure.message).toContain("refused: ");
    const shown = JSON.stringify([run.sources(), node.events, node.upstream.status(), failure.message]);
    expect(shown).not.toContain(CANARY);
    expect(Bun.inspect(failure)).not.toContain(CANARY);
  });

  test("keys in a configured address are masked in sources, errors and logs", async () => {
    const server = serve((_request, n) =>
      n === 1 ? Response.json({ value: 1 }) : new Response("no", { status: 500, statusText: CANARY }),
    );
    const port = server.url.split(":")[2];
    const token = "0123456789abcdef0123456789abcdef";
    const rpc = `http://user:${CANARY}@127.0.0.1:${port}/v2/${token}?api-key=${CANARY}`;
    const provider = createTestProvider({ base_urls: [], chains: { base: ["http://127.0.0.1:1"] } });
    const node = createTestUpstream({ chain_rpc: (chain) => (chain === "base" ? [rpc] : undefined) });
    const run = createRun(node);
    await run.get(provider, createRequest({ path: "", chain: "base", body: { id: 1 } }));
    const failure = await getFailure(run.get(provider, createRequest({ path: "", chain: "base", body: { id: 2 } })));
    expect(server.requests[0]?.path).toBe(`/v2/${token}?api-key=${CANARY}`);
    expect(server.requests[0]?.headers.get("authorization")).toBe(`Basic ${btoa(`user:${CANARY}`)}`);
    expect(run.sources().map(({ url }) => url)).toEqual([`${server.url}/v2/***`, `${server.url}/v2/***`]);
    const shown = JSON.stringify([run.sources(), node.events, node.upstream.status()]) + Bun.inspect(failure);
    expect(shown).not.toContain(CANARY);
    expect(shown).not.toContain(token);
  });

  test("an address that cannot be reached does not reveal its key", async () => {
    const closed = startFakeServer(() => new Response(""));
    await closed.stop();
    const base_url = `${closed.url}/${CANARY}`;
    const node = createTestUpstream({ settings: { base_url } });
    const run = createRun(node);
    const failure = await getFailure(run.get(createTestProvider(), createRequest()));
    expect(failure.kind).toBe("upstream_unavailable");
    const shown = JSON.stringify([run.sources(), node.events, node.upstream.status()]) + Bun.inspect(failure);
    expect(shown).not.toContain(CANARY);
    expect(run.sources()[0]?.url).toBe(`${closed.url}/***/v1/thing`);
  });

  const places = [
    ["the query", { in: "query", name: "token" }, {}],
    ["a JSON body", { in: "body", name: "token" }, { body: { a: 1 } }],
    ["a form", { in: "body", name: "token" }, { form: { a: "1" } }],
    ["a header with a prefix", { in: "header", name: "x-token", prefix: "Key " }, {}],
  ] as const;
  test.each(places)("a key in %s is sent, and shown nowhere", async (_name, rule, sent) => {
    const server = serve((_request, n) =>
      n === 1 ? Response.json({ value: 1 }) : new Response(`no: ${CANARY}`, { status: 400 }),
    );
    const provider = createTestProvider({ base_urls: [server.url], key: { required: true, ...rule } });
    const node = createTestUpstream({ settings: { api_key: CANARY } });
    const run = createRun(node);
    await run.get(provider, createRequest({ path: "/a?b=c", ...sent }));
    const failure = await getFailure(run.get(provider, createRequest({ path: "/d", ...sent })));
    const [got] = server.requests;
    expect(`${got?.path} ${got?.body} ${got?.headers.get("x-token")}`).toContain(CANARY);
    const shown = Bun.inspect([run.sources(), node.events, node.upstream.status(), failure], { depth: 10 });
    expect(shown).toContain("/a?b=c");
    expect(shown).not.toContain(CANARY);
  });
});
