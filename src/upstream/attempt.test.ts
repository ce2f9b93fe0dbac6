import { afterEach, describe, expect, test } from "bun:test";
import { createServer, type Server } from "node:net";
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
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

/** The result that a node gets from one answer. */
async function failureOf(respond: () => Response | Promise<Response>, change: { timeout_ms?: number } = {}) {
  const server = startFakeServer(respond);
  servers.push(server);
  const provider = createTestProvider({ base_urls: [server.url] });
  const run = createRun(createTestUpstream());
  const failure = await getFailure(run.get(provider, createRequest(change)));
  expect(run.sources()).toMatchObject([{ provider: "test_api", ok: false, error: failure.kind }]);
  return failure;
}

describe("status", () => {
  const statuses = [
    [301, "upstream_bad_response"],
    [304, "upstream_bad_response"],
    [400, "upstream_bad_response"],
    [401, "upstream_auth"],
    [403, "upstream_auth"],
    [404, "upstream_not_found"],
    [408, "upstream_timeout"],
    [418, "upstream_rate_limited"],
    [429, "upstream_rate_limited"],
    [451, "upstream_bad_response"],
    [500, "upstream_unavailable"],
    [502, "upstream_unavailable"],
    [503, "upstream_unavailable"],
  ] as const;
  test.each(statuses)("status %d is %s", async (status, kind) => {
    const respond = () => new Response(status === 304 ? null : '{"value":1}', { status });
    expect((await failureOf(respond)).kind).toBe(kind);
  });

  test("a redirect is not followed", async () => {
    let followed = false;
    const target = startFakeServer(() => {
      followed = true;
      return Response.json({ value: 1 });
    });
    servers.push(target);
    const failure = await failureOf(() => Response.redirect(`${target.url}/else`, 302));
    expect(failure.kind).toBe("upstream_bad_response");
    expect(followed).toBe(false);
  });
});

describe("body", () => {
  const bodies: [string, () => Response, string][] = [
    ["HTML", () => new Response("\n <!doctype html><p>Hello"), "HTML where JSON is due"],
    ["truncated JSON", () => new Response('{"value":1'), "body is not JSON"],
    ["no body", () => new Response(""), "empty body"],
    ["a number beyond all bounds", () => new Response('{"value":1e999}'), 'unexpected shape at "/value"'],
    ["nothing but such a number", () => new Response("1e999"), "a number is out of range"],
    ["another shape", () => Response.json({ value: "1" }), 'unexpected shape at "/value"'],
    ["null for a number", () => Response.json({ value: null }), 'unexpected shape at "/value"'],
    ["bytes that are not UTF-8", () => new Response(new Uint8Array([0x22, 0xff, 0x22])), "not UTF-8"],
    ["an endless nesting", () => new Response("[".repeat(9_000)), "body is not JSON"],
    ["an oversize body", () => new Response(`{"value":1}${" ".repeat(10_000)}`), "body over 10000 bytes"],
  ];
  test.each(bodies)("%s is a bad response", async (_name, respond, reason) => {
    const failure = await failureOf(respond);
    expect(failure.kind).toBe("upstream_bad_response");
    expect(failure.message).toContain(reason);
    expect(failure.message.length).toBeLessThanOrEqual(200);
  });

  test("an oversize body without a stated length is cut, not read to its end", async () => {
    let sent = 0;
    const stream = () =>
      new ReadableStream({
        async pull(controller) {
          sent += 1;
          controller.enqueue(new Uint8Array(4_096));
          await Bun.sleep(1);
          if (sent > 2_000) controller.close();
        },
      });
    const failure = await failureOf(() => new Response(stream()));
    expect(failure.message).toContain("body over 10000 bytes");
    expect(sent).toBeLessThan(2_000);
  });

  test("a small compressed body is limited by its decompressed size", async () => {
    const packed = Bun.gzipSync(new TextEncoder().encode(" ".repeat(1_000_000)));
    expect(packed.length).toBeLessThan(10_000);
    const failure = await failureOf(() => new Response(packed, { headers: { "content-encoding": "gzip" } }));
    expect(failure.message).toContain("body over 10000 bytes");
  });

  test("a reason that quotes the upstream is cut to 200 characters", async () => {
    const server = startFakeServer(() => Response.json({ value: 1 }));
    servers.push(server);
    const provider = createTestProvider({ base_urls: [server.url] });
    const request = createRequest({ read: () => unusable(`quote: ${"x".repeat(1_000)}`) });
    const failure = await getFailure(createRun(createTestUpstream()).get(provider, request));
    expect(failure.message.length).toBe(200);
  });

  test("a reader that throws refuses the answer", async () => {
    const server = startFakeServer(() => Response.json({ value: 1 }));
    servers.push(server);
    const read = () => {
      throw new Error("no such member");
    };
    const provider = createTestProvider({ base_urls: [server.url] });
    const failure = await getFailure(createRun(createTestUpstream()).get(provider, createRequest({ read })));
    expect(failure.kind).toBe("upstream_bad_response");
    expect(failure.message).toContain("no such member");
  });

  test("a text body is passed on whole", async () => {
    const server = startFakeServer(() => new Response("a,b\n1,2\n", { headers: { "content-type": "text/csv" } }));
    servers.push(server);
    const provider = createTestProvider({ base_urls: [server.url] });
    const schema = Type.String({ pattern: "^a,b\\n" });
    const run = createRun(createTestUpstream());
    expect(await run.get(provider, { path: "/x.csv", format: "text", schema, ttl_ms: 0 })).toBe("a,b\n1,2\n");
  });
});

describe("time and network", () => {
  test("missing headers are a timeout", async () => {
    const failure = await failureOf(() => new Promise<Response>(() => {}), { timeout_ms: 50 });
    expect(failure.kind).toBe("upstream_timeout");
  });

  test("a slowly dripping body is a timeout, however often bytes arrive", async () => {
    const drip = () =>
      new ReadableStream({
        async pull(controller) {
          await Bun.sleep(5);
          controller.enqueue(new TextEncoder().encode(" "));
        },
      });
    const failure = await failureOf(() => new Response(drip()), { timeout_ms: 80 });
    expect(failure.kind).toBe("upstream_timeout");
  });

  test("a refused connection is unavailable", async () => {
    const server = startFakeServer(() => new Response(""));
    await server.stop();
    const provider = createTestProvider({ base_urls: [server.url] });
    const failure = await getFailure(createRun(createTestUpstream()).get(provider, createRequest()));
    expect(failure.kind).toBe("upstream_unavailable");
    expect(failure.message).toContain("network error");
  });

  test("a connection that ends before the stated length is unavailable, not a short answer", async () => {
    const raw = await listenRaw('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"value":1}');
    const provider = createTestProvider({ base_urls: [raw.url] });
    const failure = await getFailure(createRun(createTestUpstream()).get(provider, createRequest()));
    expect(failure.kind).toBe("upstream_unavailable");
    raw.server.close();
  });

  test("an answer that is not HTTP is unavailable", async () => {
    const raw = await listenRaw("SSH-2.0-OpenSSH_9.2\r\n");
    const provider = createTestProvider({ base_urls: [raw.url] });
    const failure = await getFailure(createRun(createTestUpstream()).get(provider, createRequest()));
    expect(failure.kind).toBe("upstream_unavailable");
    raw.server.close();
  });
});

/** A TCP server that sends `bytes` to every client and hangs up. */
async function listenRaw(bytes: string): Promise<{ url: string; server: Server }> {
  const server = createServer((socket) => {
    socket.on("error", () => socket.destroy());
    socket.once("data", () => socket.end(bytes));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("no port");
  return { url: `http://127.0.0.1:${address.port}`, server };
}
