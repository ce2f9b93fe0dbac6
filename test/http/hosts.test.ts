import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { cleanUp, type DemoNode, signFor, startDemo } from "../helpers/demo-node.ts";

/** Bytes no HTTP library would send: hosts that lie, targets that pose as others, requests within requests. */
const PRODUCTS = ["/fear-greed", "/pyth-price", "/oracle-consensus", "/mempool"] as const;
const NEVER = /\bevil\b/i;

let node: DemoNode;
let port = 0;

beforeAll(async () => {
  node = await startDemo();
  port = Number(new URL(node.url).port);
});
afterAll(cleanUp);

/** Sends text as it is and returns everything that comes back until the node hangs up. */
function sendRaw(text: string): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, "127.0.0.1", () => socket.write(Buffer.from(text, "latin1")));
    const end = () => {
      socket.destroy();
      resolve(Buffer.concat(chunks).toString("latin1"));
    };
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    socket.on("close", end);
    socket.on("error", end);
  });
}

/** 0 when the connection was closed without an answer. */
const statusOf = (answer: string): number => Number(/^HTTP\/1\.[01] (\d{3})/.exec(answer)?.[1] ?? 0);
/** Answers given by a route; the server's own refusals carry no request id. */
const countRouted = (answer: string): number => [...answer.matchAll(/^x-request-id:/gim)].length;

const get = (target: string, headers: readonly string[]): Promise<string> =>
  sendRaw([`GET ${target} HTTP/1.1`, ...headers, "Connection: close", "", ""].join("\r\n"));

const own = () => `Host: 127.0.0.1:${port}`;
const countSettleCalls = async () => Number((await node.control("/facilitator")).settle_calls);

/** Target and header lines by what they try. */
const forgeries = (path: string): Readonly<Record<string, readonly [target: string, headers: readonly string[]]>> => ({
  "a host of one letter": [path, ["Host: x"]],
  "an empty host": [path, ["Host:"]],
  "a host of spaces": [path, ["Host:   "]],
  "no host": [path, []],
  "another absolute target": [`http://evil.example${path}`, [own()]],
  "another absolute target with its host": [`http://evil.example${path}`, ["Host: evil.example"]],
  "another absolute target without a host": [`http://evil.example${path}`, []],
  "an https target": [`https://evil.example${path}`, [own()]],
  "another host": [path, ["Host: evil.example"]],
  "a host that starts with ours": [path, [`Host: 127.0.0.1:${port}.evil.example`]],
  "a host with userinfo": [path, [`Host: 127.0.0.1:${port}@evil.example`]],
  "a host with a path": [path, [`Host: 127.0.0.1:${port}/evil`]],
  "a host with a query": [path, [`Host: evil.example?a=/healthz`]],
  "a host with a fragment": [path, [`Host: evil.example#`]],
  "two hosts": [path, [own(), "Host: evil.example"]],
  "two hosts, ours last": [path, ["Host: evil.example", own()]],
  "a forwarded host": [path, [own(), "X-Forwarded-Host: evil.example", "Forwarded: host=evil.example"]],
  "a rewritten target": [path, [own(), "X-Original-URL: /evil", "X-Rewrite-URL: /evil"]],
  "another method in a header": [path, [own(), "X-HTTP-Method-Override: OPTIONS"]],
});

describe.each(Object.keys(forgeries("")))("a request with %s", (name) => {
  test.each(PRODUCTS)("gets no data of %s and nothing of it comes back", async (path) => {
    const [target, headers] = forgeries(path)[name] ?? ["", []];
    const answer = await get(target, headers);
    expect([0, 400, 402, 404]).toContain(statusOf(answer));
    expect(answer).not.toMatch(NEVER);
    expect(answer).not.toContain('"generated_at"');
  });
});

test("a malformed host is told so by a problem document", async () => {
  const answer = await get("/fear-greed", ["Host: 127.0.0.1:1.evil.example"]);
  expect(statusOf(answer)).toBe(400);
  expect(answer).toContain('"code":"invalid_request"');
  expect(answer).toContain('"charged":false');
});

const TARGETS: readonly string[] = [
  "/fear-greed/",
  "//fear-greed",
  "/fear-greed//",
  "/./fear-greed",
  "/x/../fear-greed",
  "/x/..%2ffear-greed",
  "/%2e%2e/fear-greed",
  "/..;/fear-greed",
  "/FEAR-GREED",
  "/Fear-Greed",
  "/%66ear-greed",
  "/fear%2Dgreed",
  "/fear%2fgreed",
  "%2Ffear-greed",
  "/fear-greed;a",
  "/fear-greed%00",
  "/fear-greed%20",
  "/fear-greed.json",
  "/fear-greed%3Fpreview=1",
  "/fear-greed%23",
  "/healthz/../fear-greed",
  "/healthz%2f..%2ffear-greed",
  "/__sandbox/../fear-greed",
  "/receipts/../fear-greed",
  "/receipts/..%2ffear-greed",
  "/*",
  "*",
  "/\\fear-greed",
  "\\fear-greed",
  "fear-greed",
  "/%ff%fe",
  "/%",
  "/%zz",
  "/__proto__",
  "/constructor",
  `/${"a".repeat(6_000)}`,
];

describe("a target that only looks like a product", () => {
  test.each(TARGETS)("%s is not served without payment", async (target) => {
    const answer = await get(target, [own()]);
    expect([0, 308, 400, 402, 404, 414]).toContain(statusOf(answer));
    expect(answer).not.toContain('"generated_at"');
  });

  test("is not served for a payment of the real one either, and nothing is settled", async () => {
    const header = await signFor(node, "/fear-greed");
    const before = await countSettleCalls();
    for (const target of ["/fear-greed/", "//fear-greed", "/FEAR-GREED", "/%66ear-greed", "/fear-greed;a"]) {
      const answer = await get(target, [own(), `PAYMENT-SIGNATURE: ${header}`]);
      expect([308, 404]).toContain(statusOf(answer));
    }
    expect(await countSettleCalls()).toBe(before);
  });
});

const smuggled = "GET /__sandbox/chain HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n";

describe("bytes that are no well-formed request", () => {
  const post = (...headers: readonly string[]) =>
    `POST /fear-greed HTTP/1.1\r\n${own()}\r\n${headers.join("\r\n")}\r\n\r\n`;
  const requests: Readonly<Record<string, () => string>> = {
    "two lengths": () => `POST /fear-greed HTTP/1.1\r\n${own()}\r\nContent-Length: 0\r\nContent-Length: 5\r\n\r\nhello`,
    "length and chunks": () => `${post("Content-Length: 5", "Transfer-Encoding: chunked")}0\r\n\r\n${smuggled}`,
    "chunks by a misspelt name": () =>
      `${post("Content-Length: 4", "Transfer-Encoding: xchunked")}0\r\n\r\n${smuggled}`,
    "a chunk size that is no number": () =>
      `POST /fear-greed HTTP/1.1\r\n${own()}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n0\r\n\r\n`,
    "a negative length": () => `POST /fear-greed HTTP/1.1\r\n${own()}\r\nContent-Length: -1\r\n\r\n`,
    "a line break within a header": () => `GET /fear-greed HTTP/1.1\r\n${own()}\r\nX-A: a\rb\nX-B: c\r\n\r\n`,
    "a null byte in a header": () => `GET /fear-greed HTTP/1.1\r\n${own()}\r\nX-PAYMENT: a\0b\r\n\r\n`,
    "a space before the colon": () => `GET /fear-greed HTTP/1.1\r\nHost : 127.0.0.1:${port}\r\n\r\n`,
    "a folded header": () => `GET /fear-greed HTTP/1.1\r\n${own()}\r\nX-A: a\r\n b\r\n\r\n`,
    "200 kB of headers": () => `GET /fear-greed HTTP/1.1\r\n${own()}\r\n${"X-A: aaaaaaaaaa\r\n".repeat(12_500)}\r\n`,
    "a version that does not exist": () => `GET /fear-greed HTTP/9.9\r\n${own()}\r\n\r\n`,
    "a method that does not exist": () => `EVIL /fear-greed HTTP/1.1\r\n${own()}\r\nConnection: close\r\n\r\n`,
    "no HTTP at all": () => "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03hello\r\n\r\n",
  };

  test.each(Object.keys(requests))(
    "%s: no data, no server error, no second answer for what was hidden",
    async (name) => {
      const answer = await sendRaw(requests[name]?.() ?? "");
      const status = statusOf(answer);
      // 505 is what HTTP has for a version nobody speaks.
      expect(status === 0 || status === 505 || (status >= 400 && status < 500)).toBe(true);
      expect(answer).not.toContain("settlements");
      expect(countRouted(answer)).toBeLessThanOrEqual(1);
    },
  );

  test("the node is well after them", async () => {
    expect((await node.get("/healthz")).status).toBe(200);
    expect(node.log()).not.toMatch(/"event":"(unexpected|invariant)"/);
  });
});
