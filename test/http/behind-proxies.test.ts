import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { FREE_ENDPOINTS } from "../../src/surfaces/free-endpoints.ts";
import { createLog } from "../../src/telemetry/log.ts";
import { type MoneyNode, startMoneyNode } from "../helpers/money-node.ts";
import { sendRaw } from "../helpers/raw-http.ts";

/** What a node makes of whoever stands between it and its buyers, and of connections that go wrong. */
const PER_MINUTE = 120;

let node: MoneyNode;
let lines: Record<string, unknown>[] = [];

beforeAll(async () => {
  const log = createLog({
    level: "info",
    format: "json",
    secrets: [],
    write: (text) => {
      for (const line of text.split("\n")) if (line !== "") lines.push(JSON.parse(line));
    },
  });
  node = await startMoneyNode("", undefined, { server: 'trusted_proxies = ["127.0.0.1"]', log });
});
afterAll(() => node.stop());
beforeEach(() => {
  lines = [];
});

const get = (path: string, forwarded?: string): Promise<Response> =>
  fetch(`${node.url}${path}`, { headers: forwarded === undefined ? {} : { "X-Forwarded-For": forwarded } });
const requests = () => lines.filter(({ event }) => event === "request");
const errors5xx = async (): Promise<number> => {
  // /live is rendered at most twice a second by the node's clock.
  node.clock.set(node.clock.now() + 1_000);
  const { requests_24h } = (await (await get("/live")).json()) as { requests_24h: { errors_5xx: number } };
  return requests_24h.errors_5xx;
};

describe("behind a proxy that appends", () => {
  test("a client that writes addresses of its own is counted as the one it has", async () => {
    node.node.setLimits(true);
    const statuses: number[] = [];
    for (let sent = 0; sent < PER_MINUTE + 20; sent += 1) {
      const invented = `10.${sent % 250}.0.1, ${"1.2.3.4, ".repeat(300)}`;
      const response = await get("/get-pricing", `${invented}203.0.113.77`);
      statuses.push(response.status);
      await response.body?.cancel();
    }
    node.node.setLimits(false);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
    expect(statuses.slice(0, PER_MINUTE - 5).every((status) => status === 200)).toBe(true);
  });

  test("one /64 is one client, however its addresses are written", async () => {
    node.node.setLimits(true);
    const statuses: number[] = [];
    for (let sent = 0; sent < PER_MINUTE + 20; sent += 1) {
      const forms = [
        `2001:db8::${sent.toString(16)}:1`,
        `2001:db8:0:0:${sent.toString(16)}::9`,
        `[2001:db8::${sent}]:443`,
      ];
      const response = await get("/get-pricing", forms[sent % forms.length]);
      statuses.push(response.status);
      await response.body?.cancel();
    }
    node.node.setLimits(false);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
  });

  test("the log names the client, and the proxy beside it", async () => {
    await get("/about", "198.51.100.4");
    await get("/about");
    expect(requests().map(({ ip, peer }) => ({ ip, peer }))).toEqual([
      { ip: "198.51.100.4", peer: "127.0.0.1" },
      { ip: "127.0.0.1", peer: undefined },
    ]);
  });
});

test("health checks are never counted", async () => {
  node.node.setLimits(true);
  const statuses = new Set<number>();
  for (let sent = 0; sent < PER_MINUTE * 2; sent += 1) {
    for (const path of ["/healthz", "/readyz"]) statuses.add((await get(path, "198.51.100.9")).status);
  }
  node.node.setLimits(false);
  expect(statuses).toEqual(new Set([200]));
});

test.each(["/healthz", "/readyz"])("%s answers HTTP/1.0 without Host, as HAProxy asks", async (path) => {
  expect(await sendRaw(node.url, `GET ${path} HTTP/1.0\r\n\r\n`)).toStartWith("HTTP/1.1 200");
  expect(await sendRaw(node.url, "GET /about HTTP/1.0\r\n\r\n")).toStartWith("HTTP/1.1 400");
});

async function issueKey(): Promise<string> {
  const issued = await fetch(`${node.url}/admin/keys`, {
    method: "POST",
    headers: { Authorization: `Bearer ${node.node.operator_token}`, "Content-Type": "application/json" },
    body: JSON.stringify({ command: "issue", credit_usd: "1" }),
  });
  return ((await issued.json()) as { api_key: string }).api_key;
}

/** Every door that takes a body: the listed ones, a product and what is the operator's. */
const BODY_DOORS = [
  ...FREE_ENDPOINTS.filter(({ methods }) => methods.includes("POST")).map(({ path }) => path),
  "/one",
  "/admin/keys",
  "/__sandbox/clock",
];
test("an upload that breaks off is the sender's fault at every door, and nobody's alarm", async () => {
  expect(BODY_DOORS).toEqual(expect.arrayContaining(["/a2a", "/mcp", "/quote", "/verify-receipt", "/keys"]));
  const before = await errors5xx();
  const { host } = new URL(node.url);
  const key = `X-API-Key: ${await issueKey()}\r\nAuthorization: Bearer ${node.node.operator_token}\r\n`;
  for (const path of BODY_DOORS) {
    lines = [];
    const head = `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: 500\r\n`;
    await sendRaw(node.url, `${head}${key}\r\n{"a":`, { hang_up: true });
    while (requests().length === 0) await Bun.sleep(5);
    // Not 404: the door is there, and waited for the rest.
    expect({ path, status: requests()[0]?.status }).toEqual({ path, status: path.startsWith("/__") ? 422 : 400 });
    expect(lines.filter(({ level }) => level !== "info")).toEqual([]);
  }
  expect(await errors5xx()).toBe(before);
});

test("a body that is too large ends the connection with its answer", async () => {
  const { host } = new URL(node.url);
  const head = `POST /quote HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n`;
  expect(await sendRaw(node.url, `${head}Content-Length: 900000\r\n\r\n{`)).toMatch(/^HTTP\/1.1 413/);
});

describe("without trusted proxies", () => {
  test("a proxy in front is reported once a minute, and not trusted", async () => {
    const told: Record<string, unknown>[] = [];
    const write = (text: string) =>
      void told.push(
        ...text
          .split("\n")
          .filter(Boolean)
          .map((line) => JSON.parse(line)),
      );
    const plain = await startMoneyNode("", undefined, {
      log: createLog({ level: "info", format: "json", secrets: [], write }),
    });
    const warned = () => told.filter(({ event }) => event === "untrusted_proxy");
    for (let sent = 0; sent < 5; sent += 1) {
      await fetch(`${plain.url}/about`, { headers: { "X-Forwarded-For": "203.0.113.5" } });
    }
    expect(warned()).toMatchObject([{ level: "warn", peer: "127.0.0.1" }]);
    plain.clock.set(plain.clock.now() + 61_000);
    await fetch(`${plain.url}/about`, { headers: { "X-Forwarded-For": "203.0.113.5" } });
    expect(warned().length).toBe(2);
    expect(told.filter(({ event }) => event === "request").every(({ ip }) => ip === "127.0.0.1")).toBe(true);
    await plain.stop();
  });
});

describe("the sandbox's door", () => {
  const ask = (url: string, headers: Record<string, string>) => fetch(`${url}/__sandbox`, { headers });

  test("opens to programs of this machine, and through a proxy only with the operator's token", async () => {
    const plain = await startMoneyNode();
    const token = { Authorization: `Bearer ${plain.node.operator_token}` };
    expect((await ask(plain.url, {})).status).toBe(200);
    const signs = [
      { "X-Forwarded-For": "203.0.113.5" },
      { Forwarded: "for=203.0.113.5" },
      { Via: "1.1 Caddy" },
      { "X-Real-IP": "203.0.113.5" },
    ];
    for (const sign of signs) {
      expect((await ask(plain.url, sign)).status).toBe(404);
      expect((await ask(plain.url, { ...sign, ...token })).status).toBe(200);
    }
    const { host, port } = new URL(plain.url);
    // Stock nginx calls its upstream by the upstream's own name, over HTTP/1.0.
    const as_nginx = `GET /__sandbox HTTP/1.0\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
    expect(await sendRaw(plain.url, as_nginx)).toStartWith("HTTP/1.1 404");
    const named = `GET /__sandbox HTTP/1.1\r\nHost: node.example.com:${port}\r\nX-End: 1\r\n\r\n`;
    expect(await sendRaw(plain.url, named, { hang_up: true })).toMatch(/^HTTP\/1.1 40[04]/);
    await plain.stop();
  });

  test("asks everybody for it where the node names proxies", async () => {
    expect((await ask(node.url, {})).status).toBe(404);
    expect((await ask(node.url, { Authorization: `Bearer ${node.node.operator_token}` })).status).toBe(200);
  });
});
