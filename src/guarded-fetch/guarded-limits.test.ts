import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type net from "node:net";
import { brotliCompressSync, gzipSync } from "node:zlib";
import {
  answer,
  type HostileNetwork,
  PUBLIC,
  redirect,
  startHost,
  startHostileNetwork,
} from "../../test/helpers/hostile-network.ts";
import { createGuardedFetch } from "./guarded-fetch.ts";

let network: HostileNetwork;
beforeAll(async () => {
  network = await startHostileNetwork();
});
afterAll(() => network.close());

describe("limits", () => {
  beforeAll(() => {
    network.names({ "peer.guarded.net": [[PUBLIC]] });
  });

  const zeros = Buffer.alloc(10_000_000);
  test.each([
    ["a body that is too long", () => answer(Buffer.alloc(2_000)), "body: body over 1000 bytes"],
    ["a gzip bomb cut short", () => answer(gzipSync(zeros).subarray(0, 900), ["Content-Encoding: gzip"]), "body:"],
    ["a gzip bomb", () => answer(gzipSync(zeros.subarray(0, 500_000)), ["Content-Encoding: gzip"]), "body:"],
    ["a brotli bomb", () => answer(brotliCompressSync(zeros), ["Content-Encoding: br"]), "body:"],
    ["packed twice", () => answer("x", ["Content-Encoding: gzip, gzip"]), "http:"],
    ["not packed at all", () => answer("x", ["Content-Encoding: gzip"]), "http:"],
    ["headers that are too long", () => answer("", [`A: ${"x".repeat(40_000)}`]), "headers:"],
    ["a thousand headers", () => answer("", new Array(1_000).fill("A: b")), "headers:"],
    ["no HTTP", () => Buffer.from("220 mail ready\r\n\r\n"), "http:"],
    ["nothing", () => Buffer.alloc(0), "http:"],
  ])("%s", async (_, script, expected) => {
    const host = await network.start(script);
    expect(await network.textOf(`http://peer.guarded.net:${host.port}/`, { bytes_max: 1_000 })).toStartWith(expected);
  });

  test("a packed body within the limit is unpacked", async () => {
    const host = await network.start(() => answer(gzipSync("hello"), ["Content-Encoding: gzip"]));
    expect(await network.textOf(`http://peer.guarded.net:${host.port}/`)).toBe("hello");
  });

  test.each([
    ["silence after the connection", () => undefined],
    [
      "silence after the headers",
      (_: string, socket: net.Socket): undefined => {
        socket.write("HTTP/1.1 200 OK\r\n\r\na");
      },
    ],
    [
      "a header now and then",
      (_: string, socket: net.Socket): undefined => {
        socket.write("HTTP/1.1 200 OK\r\n");
        const timer = setInterval(() => socket.write("A: b\r\n"), 20);
        socket.once("close", () => clearInterval(timer));
      },
    ],
  ] as const)("%s ends when the time is up", async (_, script) => {
    const host = await network.start(script);
    expect(await network.textOf(`http://peer.guarded.net:${host.port}/`, { timeout_ms: 150 })).toBe(
      "time: it took too long",
    );
  });

  test("redirects share one time limit", async () => {
    const host = await network.start((_, socket) => {
      setTimeout(() => socket.end(redirect("/")), 80);
      return undefined;
    });
    const url = `http://peer.guarded.net:${host.port}/`;
    expect(await network.textOf(url, { timeout_ms: 150, redirects_max: 100 })).toBe("time: it took too long");
  });

  test("the caller can end it", async () => {
    const host = await network.start(() => undefined);
    const controller = new AbortController();
    const asked = network.textOf(`http://peer.guarded.net:${host.port}/`, { signal: controller.signal });
    controller.abort();
    expect(await asked).toBe("time: it took too long");
  });

  test("a host gets two requests at a time, in order", async () => {
    const held: net.Socket[] = [];
    const host = await network.start((_, socket) => {
      held.push(socket);
      return undefined;
    });
    const url = `http://peer.guarded.net:${host.port}/`;
    const asked = [1, 2, 3, 4, 5].map(() => network.textOf(url));
    let answered = 0;
    while (answered < 5) {
      const socket = held.shift();
      if (socket) {
        expect(host.connections - answered).toBeLessThanOrEqual(2);
        answered++;
        socket.end(answer("done"));
      }
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    expect(await Promise.all(asked)).toEqual(new Array(5).fill("done"));
  });

  test("a header that would end its line is refused before anything is sent", async () => {
    const host = await network.start(() => answer("x"));
    const url = `http://peer.guarded.net:${host.port}/`;
    expect(await network.textOf(url, { headers: { accept: "a\r\nX-Injected: 1" } })).toStartWith("headers:");
    expect(host.connections).toBe(0);
  });

  test("nobody there is a failure that names no address", async () => {
    const gone = await startHost(PUBLIC, () => undefined);
    gone.close();
    const text = await network.textOf(`http://peer.guarded.net:${gone.port}/`);
    expect(text).toStartWith("connect:");
    expect(text).not.toContain(PUBLIC);
  });
});

describe("TLS", () => {
  test("the certificate is checked against the name, and its facts are reported", async () => {
    network.names({ "peer.guarded.net": [[PUBLIC]], "a.wide.net": [[PUBLIC]] });
    const host = await network.start(() => answer("safe"), "good");
    expect(await network.ask(`https://peer.guarded.net:${host.port}/`)).toMatchObject({
      ok: true,
      tls: {
        protocol: "TLSv1.3",
        names: ["peer.guarded.net", "*.wide.net", PUBLIC],
        issuer: "intel-node test root",
        valid_from: "2020-01-01T00:00:00.000Z",
        valid_to: "2119-01-01T00:00:00.000Z",
        fingerprint_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    });
    expect(await network.textOf(`https://a.wide.net:${host.port}/`)).toBe("safe");
    expect(await network.textOf(`https://${PUBLIC}:${host.port}/`)).toBe("safe");
  });

  test("a certificate of another name, an ended one, an unknown one and plain text are refused", async () => {
    network.names({ "peer.guarded.net": [[PUBLIC]], "other.guarded.net": [[PUBLIC]] });
    const good = await network.start(() => answer("x"), "good");
    const expired = await network.start(() => answer("x"), "expired");
    const plain = await network.start(() => answer("x"));
    expect(await network.textOf(`https://other.guarded.net:${good.port}/`)).toContain("ERR_TLS_CERT_ALTNAME_INVALID");
    expect(await network.textOf(`https://peer.guarded.net:${expired.port}/`)).toContain("CERT_HAS_EXPIRED");
    expect(await network.textOf(`https://peer.guarded.net:${plain.port}/`, { timeout_ms: 1_000 })).toMatch(
      /^(tls|connect|time):/,
    );
    const { ca: _, ...without_ca } = network.options;
    const strict = createGuardedFetch(without_ca);
    const unknown = await strict({ url: `https://peer.guarded.net:${good.port}/`, ports: null });
    expect(unknown).toMatchObject({ ok: false, rule: "tls" });
    expect([...good.requests, ...expired.requests]).toEqual([]);
  });
});
