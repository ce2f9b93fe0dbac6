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
import type { OAuthRule } from "../catalog/provider.ts";

const servers: FakeServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

const SECRET = "client-secret-0123456789";

/** A provider whose tokens are "token-1", "token-2" and so on; `refuses` lists the calls with a refused token. */
function setUp(options: { client_in?: OAuthRule["client_in"]; refuses?: (n: number) => boolean } = {}) {
  let issued = 0;
  let calls = 0;
  const server = startFakeServer((request) => {
    if (new URL(request.url).pathname === "/oauth/token") {
      issued += 1;
      return Response.json({ access_token: `token-0123456789-${issued}`, token_type: "Bearer", expires_in: 3_600 });
    }
    calls += 1;
    if (options.refuses?.(calls)) {
      return Response.json({ error: request.headers.get("authorization")?.split(" ")[1] }, { status: 401 });
    }
    return Response.json({ value: Number(request.headers.get("authorization")?.split("-").at(-1)) });
  });
  servers.push(server);
  const provider = createTestProvider({
    base_urls: [server.url],
    oauth: { path: "/oauth/token", scope: "read", client_in: options.client_in ?? "basic" },
    limits: { rate_per_s: 1_000, burst: 1_000, timeout_ms: 60_000, attempts: 2, body_bytes_max: 10_000 },
  });
  const node = createTestUpstream({ settings: { client_id: "me", client_secret: SECRET } });
  return { server, provider, node, get: () => createRun(node).get(provider, createRequest()) };
}

describe("client credentials", () => {
  test("a token is requested once for all waiting calls, and again shortly before it expires", async () => {
    const { server, node, get } = setUp();
    const values = await Promise.all([get(), get(), get()]);
    expect(values.map(({ value }) => value)).toEqual([1, 1, 1]);
    node.clock.advance(3_500_000);
    expect((await get()).value).toBe(1);
    node.clock.advance(60_000);
    expect((await get()).value).toBe(2);
    const asked = server.requests.filter(({ path }) => path === "/oauth/token");
    expect(asked.map(({ body }) => body)).toEqual(Array(2).fill("grant_type=client_credentials&scope=read"));
    expect(asked[0]?.headers.get("authorization")).toBe(`Basic ${btoa(`me:${SECRET}`)}`);
  });

  test("the form may contain the client's credentials", async () => {
    const { server, get } = setUp({ client_in: "form" });
    await get();
    expect(server.requests[0]?.body).toBe(
      `grant_type=client_credentials&scope=read&client_id=me&client_secret=${SECRET}`,
    );
    expect(server.requests[0]?.headers.get("authorization")).toBeNull();
  });

  test("a refused token is replaced once; if a fresh one is refused, the call fails", async () => {
    const revoked = setUp({ refuses: (n) => n === 2 });
    expect((await revoked.get()).value).toBe(1);
    expect((await revoked.get()).value).toBe(2);
    const closed = setUp({ refuses: () => true });
    const failure = await getFailure(closed.get());
    expect(failure.kind).toBe("upstream_auth");
    expect(closed.server.requests.length).toBeLessThanOrEqual(4);
  });

  test("neither secret nor token is in a log, an error, a status or a source", async () => {
    const { node, provider } = setUp({ refuses: () => true });
    const run = createRun(node);
    const failure = await getFailure(run.get(provider, createRequest()));
    const shown = Bun.inspect([failure, node.events, node.upstream.status(), run.sources()], { depth: 10 });
    expect(shown).not.toContain(SECRET);
    expect(shown).not.toContain("token-0123456789");
    expect(shown).toContain("***");
  });

  test("a provider without its credentials is left out", () => {
    const { provider } = setUp();
    expect(createTestUpstream().upstream.whyNot(provider)?.why).toBe(
      "needs [providers.test_api] client_id and client_secret",
    );
  });
});
