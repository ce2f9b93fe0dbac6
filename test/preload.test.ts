import { afterAll, describe, expect, test } from "bun:test";
import http from "node:http";
import https, { get as httpsGet } from "node:https";
import net, { connect } from "node:net";
import tls from "node:tls";

// An address of a block reserved for documentation: nobody answers there even if the guard were gone.
const OUTSIDE = "192.0.2.1";
const REFUSAL = "tests may only connect to this machine";

const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("here") });
afterAll(() => server.stop(true));

describe("a test cannot leave this machine by", () => {
  test("fetch, whatever the form of the address", async () => {
    for (const address of [`http://${OUTSIDE}/`, new URL("https://example.com/"), new Request("https://example.com")]) {
      await expect(fetch(address)).rejects.toThrow(REFUSAL);
    }
    await expect(fetch("http://localhost.example.com/")).rejects.toThrow(REFUSAL);
    await expect(fetch("http://127.0.0.1@example.com/")).rejects.toThrow(REFUSAL);
  });

  test.each([
    ["a socket", () => new net.Socket().connect(80, OUTSIDE)],
    ["net.connect", () => net.connect({ port: 80, host: OUTSIDE })],
    ["net.connect imported by name", () => connect(80, OUTSIDE)],
    ["tls.connect", () => tls.connect({ port: 443, host: "example.com" })],
    ["http.request", () => http.request(`http://${OUTSIDE}/`)],
    ["https.get", () => https.get({ hostname: "example.com", path: "/" })],
    ["https.get imported by name", () => httpsGet(new URL("https://example.com/"))],
    ["Bun.connect", () => Bun.connect({ hostname: OUTSIDE, port: 80, socket: { data: () => undefined } })],
    ["WebSocket", () => new WebSocket("wss://example.com/")],
  ])("%s", (_, call) => {
    expect(call).toThrow(REFUSAL);
  });
});

describe("a test reaches its own servers by", () => {
  test("fetch", async () => {
    expect(await (await fetch(`http://127.0.0.1:${server.port}/`)).text()).toBe("here");
    expect(await (await fetch(new Request(`http://localhost:${server.port}/`))).text()).toBe("here");
  });

  test("http.request", async () => {
    const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
    http
      .get({ host: "127.0.0.1", port: server.port, path: "/" }, (answer) => resolve(answer.statusCode))
      .on("error", reject);
    expect(await promise).toBe(200);
  });

  test("a socket", async () => {
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    const socket = net.connect(server.port ?? 0, "127.0.0.1", () => resolve(true)).on("error", reject);
    expect(await promise).toBe(true);
    socket.destroy();
  });
});

test("a refusal that is awaited by expect comes as soon as it is there, whatever timer is set", async () => {
  let is_late = false;
  const late = setTimeout(() => {
    is_late = true;
  }, 3_000);
  const refuse = async () => {
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    throw new Error("refused");
  };
  await Promise.resolve();
  await expect(refuse()).rejects.toThrow("refused");
  expect(is_late).toBe(false);
  clearTimeout(late);
});
