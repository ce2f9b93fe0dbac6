import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { decodePaymentRequiredHeader } from "@x402/core/http";
import { PaymentRequiredV1Schema, PaymentRequiredV2Schema } from "@x402/core/schemas";
import { networkById } from "../../src/payments/networks/table.ts";
import { cleanUp, type DemoNode, startDemo, waitForPast } from "../helpers/demo-node.ts";

/** What a caller without a payment gets: the offer, in every form clients read it, and nothing else. */
const PRODUCTS = ["/fear-greed", "/pyth-price", "/oracle-consensus", "/mempool"] as const;
const HEADER_BYTES_MAX = 8_192;

let node: DemoNode;

beforeAll(async () => {
  node = await startDemo({ history: "resting" });
  await waitForPast(node);
});
afterAll(cleanUp);

const send = (path: string, method: string): Promise<Response> => fetch(`${node.url}${path}`, { method });

describe.each(PRODUCTS)("the 402 of %s", (path) => {
  test("names the offer in a header official clients decode", async () => {
    const response = await node.get(path);
    expect(response.status).toBe(402);
    const header = response.headers.get("PAYMENT-REQUIRED") ?? "";
    expect(header.length).toBeLessThanOrEqual(HEADER_BYTES_MAX);
    const decoded = decodePaymentRequiredHeader(header);
    expect(PaymentRequiredV2Schema.safeParse(decoded).error).toBeUndefined();
    expect(decoded.resource.url).toBe(`${node.url}${path}`);
    expect(decoded.accepts.length).toBeGreaterThan(0);
    const networks: readonly string[] = decoded.accepts.map(({ network }) => network);
    expect(networks[0]).toBe("eip155:84532");
    expect(networks).toContain("solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1");
    for (const { scheme, network, amount } of decoded.accepts) {
      expect({ scheme, testnet: networkById(network)?.testnet }).toEqual({ scheme: "exact", testnet: true });
      expect(amount).toBe(decoded.accepts[0]?.amount ?? "");
      expect(amount).toMatch(/^[1-9]\d*$/);
    }
  });

  test("says the same in its body, with a sample and other ways", async () => {
    const response = await node.get(path);
    const body = (await response.json()) as Record<string, unknown>;
    const decoded = decodePaymentRequiredHeader(response.headers.get("PAYMENT-REQUIRED") ?? "");
    expect(PaymentRequiredV2Schema.safeParse(body).error).toBeUndefined();
    // What the head has no room for stands in the body alone.
    const { resource, extensions, ...terms } = decoded;
    const { url, mimeType } = resource;
    expect(body).toMatchObject({ ...terms, resource: { url, mimeType } });
    expect(Object.keys(body.extensions as object)).toEqual(expect.arrayContaining(Object.keys(extensions ?? {})));
    expect(body.code).toBe("payment_required");
    expect(body.request_id).toBe(response.headers.get("X-Request-Id"));
    expect(body.upsell).toMatchObject({ preview_url: `${node.url}${path}?preview=1`, sample: { delayed: true } });
    expect(body.alternatives).toMatchObject({ preview: `${node.url}${path}?preview=1` });
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  test("asks the price of the price list", async () => {
    const { products } = (await (await node.get("/get-pricing")).json()) as {
      products: { path: string; price_atomic: string }[];
    };
    const { accepts } = decodePaymentRequiredHeader((await node.get(path)).headers.get("PAYMENT-REQUIRED") ?? "");
    const price = products.find((one) => one.path === path)?.price_atomic ?? "not listed";
    expect(accepts.map(({ amount }) => amount)).toEqual(accepts.map(() => price));
  });

  test("leads only to paths that answer", async () => {
    const body = (await (await node.get(path)).json()) as { alternatives: Record<string, string> };
    for (const url of Object.values(body.alternatives)) {
      expect(url).toStartWith(`${node.url}/`);
      expect([200, 402]).toContain((await fetch(url)).status);
    }
  });

  test("is one of version 1 for ?x402Version=1, with the version 2 header beside it", async () => {
    const response = await node.get(`${path}?x402Version=1`);
    expect(response.status).toBe(402);
    const body = (await response.json()) as Record<string, unknown>;
    expect(PaymentRequiredV1Schema.safeParse(body).error).toBeUndefined();
    expect(body).toMatchObject({
      x402Version: 1,
      accepts: [
        { network: "base-sepolia", scheme: "exact" },
        { network: "solana-devnet", scheme: "exact" },
      ],
    });
    expect(decodePaymentRequiredHeader(response.headers.get("PAYMENT-REQUIRED") ?? "").x402Version).toBe(2);
  });
});

/** Of each answer its own: its challenge of MPP has an id and an end. */
const OWN_HEADERS = ["date", "x-request-id", "content-length", "www-authenticate"];

describe.each(PRODUCTS)("a bare probe of %s", (path) => {
  test.each(["GET", "HEAD"])("with %s is offered the price", async (method) => {
    expect((await send(path, method)).status).toBe(402);
  });

  test("with HEAD gets the headers of GET and no body", async () => {
    const [get, head] = [await send(path, "GET"), await send(path, "HEAD")];
    const pick = ({ headers }: Response) =>
      Object.fromEntries([...headers].filter(([name]) => !OWN_HEADERS.includes(name)));
    expect(pick(head)).toEqual(pick(get));
    expect(head.headers.get("www-authenticate")).toStartWith("Payment id=");
    expect(await head.text()).toBe("");
  });

  test.each(["POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND"])("with %s is told the methods", async (method) => {
    const { status, headers, body } = await sendBare(path, method);
    expect(status).toBe(405);
    expect(headers.get("allow")).toBe("GET, HEAD, OPTIONS");
    expect(JSON.parse(body)).toMatchObject({ code: "method_not_allowed", charged: false });
  });

  test("with OPTIONS gets what a browser needs to let an agent pay", async () => {
    const { status, headers } = await send(path, "OPTIONS");
    expect(status).toBe(204);
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(headers.get("access-control-allow-methods")).toContain("GET");
    const allowed = (headers.get("access-control-allow-headers") ?? "").toLowerCase().split(", ");
    expect(allowed).toEqual(
      expect.arrayContaining(["payment-signature", "x-payment", "x-api-key", "access-control-expose-headers"]),
    );
  });
});

/** Sends a method fetch does not take, over a connection of its own. */
async function sendBare(path: string, method: string) {
  const { hostname, port, host } = new URL(node.url);
  const answer = await new Promise<string>((resolve, reject) => {
    let text = "";
    const socket = connect(Number(port), hostname, () =>
      socket.write(`${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`),
    );
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString("latin1");
    });
    socket.on("close", () => resolve(text));
    socket.on("error", reject);
  });
  const [head = "", body = ""] = answer.split("\r\n\r\n");
  const [line = "", ...fields] = head.split("\r\n");
  const headers = new Headers(
    fields.map((field) => [field.slice(0, field.indexOf(":")), field.slice(field.indexOf(":") + 1)]),
  );
  return { status: Number(line.split(" ")[1]), headers, body };
}

const SECURITY: Readonly<Record<string, string>> = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "access-control-allow-origin": "*",
};

test.each([
  ["/fear-greed", "GET", 402],
  ["/fear-greed", "OPTIONS", 204],
  ["/fear-greed", "DELETE", 405],
  ["/fear-greed?a=1", "GET", 422],
  ["/fear-greed?preview=1", "GET", 200],
  ["/nothing", "GET", 404],
  ["/get-pricing", "GET", 200],
  ["/receipts", "GET", 200],
  ["/live", "GET", 200],
] as const)("%s %s answers %i with the security headers and names no server", async (path, method, status) => {
  const response = await send(path, method);
  expect(response.status).toBe(status);
  for (const [name, value] of Object.entries(SECURITY))
    expect(`${name}: ${response.headers.get(name)}`).toBe(`${name}: ${value}`);
  expect(response.headers.get("server")).toBeNull();
  expect(response.headers.get("x-powered-by")).toBeNull();
  expect(response.headers.get("x-request-id")).toMatch(/^req_[0-9A-Za-z]{5,}$/);
});

describe("a query trick", () => {
  const tricks = [
    "?preview=2",
    "?preview=1&preview=1",
    "?preview=0&preview=1",
    "?PREVIEW=1",
    "?preview[]=1",
    "?preview=1%00",
    "?preview=1;x402Version=1",
    "?x402Version=3",
    "?x402Version=1&x402Version=2",
    "?__proto__=1",
    "?constructor=1",
    "?toString=1",
    "?__proto__[preview]=1",
    "?=1",
    "?%00=1",
    "?paid=1",
    "?free=1",
    "?admin=1",
    `?${"a=1&".repeat(2_000)}`,
  ];
  test.each(tricks)("%s is refused with 422 and names the parameter", async (trick) => {
    const response = await node.get(`/fear-greed${trick}`);
    expect(response.status).toBe(422);
    const body = (await response.json()) as Record<string, unknown>;
    expect(["unknown_parameter", "invalid_parameter"]).toContain(String(body.code));
    expect(typeof body.param).toBe("string");
    expect(body.charged).toBe(false);
  });

  test.each(["?", "?&", "?&&&", "#preview=1", "?preview=", "?preview=false"])(
    "%s is no parameter at all",
    async (trick) => {
      expect((await node.get(`/fear-greed${trick}`)).status).toBe(402);
    },
  );

  test.each(["?preview=1", "?%70review=1", "?preview=true", "?preview=%201", "?preview=1&x402Version=1"])(
    "%s gets delayed data only",
    async (trick) => {
      const response = await node.get(`/fear-greed${trick}`);
      expect(response.status).toBe(200);
      const { delayed, as_of } = (await response.json()) as Record<string, string | boolean>;
      expect(delayed).toBe(true);
      expect(Date.now() - Date.parse(String(as_of))).toBeGreaterThanOrEqual(86_400_000);
    },
  );
});
