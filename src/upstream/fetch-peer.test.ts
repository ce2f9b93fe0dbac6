import { afterAll, expect, test } from "bun:test";
import { fetchPeer, isPeerURL } from "./fetch-peer.ts";

const seen: (string | null)[] = [];
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch(request) {
    const { pathname } = new URL(request.url);
    seen.push(request.headers.get("accept-encoding"));
    if (pathname === "/moved") return Response.redirect("/whole", 301);
    if (pathname === "/long") {
      const chunk = new Uint8Array(65_536);
      return new Response(
        new ReadableStream({
          pull: (controller) => controller.enqueue(chunk),
        }),
      );
    }
    if (pathname === "/bytes") return new Response(new Uint8Array([0xff, 0xfe]));
    return new Response("whole", { status: 402, headers: { "payment-required": "x" } });
  },
});
afterAll(() => server.stop(true));
const url = `http://127.0.0.1:${server.port}`;

test("an answer comes unchanged and decompressed, whatever its status", async () => {
  expect(await fetchPeer(`${url}/whole`)).toMatchObject({ status: 402, text: "whole" });
  expect(seen).toEqual(["identity"]);
});

test.each([
  ["/moved", "redirect"],
  ["/long", "over 1048576 bytes"],
  ["/bytes", "not UTF-8"],
])("%s is no answer", async (path, why) => {
  expect(await fetchPeer(`${url}${path}`)).toEqual({ failed: expect.stringContaining(why) });
});

test("an address that is neither public nor on this machine is not called", async () => {
  for (const host of ["10.0.0.1", "169.254.169.254", "127.0.0.2", "[::ffff:127.0.0.1]", "metadata.google.internal"]) {
    expect(await fetchPeer(`https://${host}:${server.port}/whole`)).toEqual({
      failed: expect.stringMatching(/not one of the public Internet|name of local networks/),
    });
  }
});

test("a missing server is a failure, not an exception", async () => {
  const gone = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
  const { port } = gone;
  await gone.stop(true);
  expect(await fetchPeer(`http://127.0.0.1:${port}`)).toEqual({ failed: expect.stringContaining("does not answer") });
});

test.each([
  ["https://node.example.com", true],
  ["http://127.0.0.1:8402/x", true],
  ["http://localhost", true],
  ["http://[::1]:1", true],
  ["http://node.example.com", false],
  ["http://127.0.0.1.example.com", false],
  ["https://user:secret@node.example.com", false],
  ["ftp://node.example.com", false],
  ["node.example.com", false],
  [`https://${"a".repeat(2_000)}.example`, false],
])("%s may be asked: %s", async (text, may) => {
  expect(isPeerURL(text)).toBe(may);
  if (!may) expect(await fetchPeer(text)).toEqual({ failed: expect.stringContaining("is not https") });
});
