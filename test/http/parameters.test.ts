import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cleanUp, type DemoNode, signFor } from "../helpers/demo-node.ts";
import { sendRaw } from "../helpers/raw-http.ts";
import { startEchoDemo } from "./echo-plugin.ts";

/** Parameters and bodies: what is not understood is refused by name before any money is looked at. */
const BODY_BYTES_MAX = 262_144;

type Body = Record<string, unknown>;

let node: DemoNode;

beforeAll(async () => {
  node = await startEchoDemo();
});
afterAll(cleanUp);

const countSettleCalls = async () => Number((await node.control("/facilitator")).settle_calls);
const bodyOf = async (response: Response): Promise<Body> => (await response.json()) as Body;

function post(path: string, body: string | Uint8Array, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${node.url}${path}`, {
    method: "POST",
    body,
    redirect: "manual",
    headers: { "content-type": "application/json", ...headers },
  });
}

describe("parameters", () => {
  const faulty: readonly (readonly [path: string, param: string, code: string])[] = [
    ["/oracle-consensus?symbl=BTC", "symbl", "unknown_parameter"],
    ["/oracle-consensus?symbol=BTC&symbol=ETH", "symbol", "invalid_parameter"],
    ["/oracle-consensus?symbol=DOGE", "symbol", "invalid_parameter"],
    [`/oracle-consensus?symbol=${"B".repeat(21)}`, "symbol", "invalid_parameter"],
    [`/oracle-consensus?symbol=${"B".repeat(3_000)}`, "symbol", "invalid_parameter"],
    ["/oracle-consensus?symbol[]=BTC", "symbol[]", "unknown_parameter"],
    ["/fear-greed?symbol=BTC", "symbol", "unknown_parameter"],
    ["/mempool?__proto__=x", "__proto__", "unknown_parameter"],
    ["/pyth-price?symbol=SOL", "symbol", "unknown_parameter"],
    ["/echo?text=a&count=abc", "count", "invalid_parameter"],
    ["/echo?text=a&count=1.5", "count", "invalid_parameter"],
    ["/echo?text=a&count=0x5", "count", "invalid_parameter"],
    ["/echo?text=a&count=1e0", "count", "invalid_parameter"],
    ["/echo?text=a&count=99999999999999999999", "count", "invalid_parameter"],
    ["/echo?text=a&loud=1", "loud", "invalid_parameter"],
    ["/echo?text=", "text", "invalid_parameter"],
  ];
  test.each(faulty)("%s is refused with 422 naming %s, paid for or not", async (path, param, code) => {
    const header = await signFor(node, path.replace(/\?.*/, ""));
    const before = await countSettleCalls();
    for (const headers of [{}, { "PAYMENT-SIGNATURE": header }]) {
      const response = await node.get(path, headers);
      expect(response.status).toBe(422);
      expect(await bodyOf(response)).toMatchObject({ code, param, charged: false });
    }
    expect(await countSettleCalls()).toBe(before);
  });

  test("sent as true, or in a body, a preview is free", async () => {
    // This node has no past to show yet: a call for the preview gets that, and no price.
    for (const said of ["preview=true", "preview=1", "symbol=&preview=TRUE"]) {
      expect((await bodyOf(await node.get(`/oracle-consensus?${said}`))).code).toBe("preview_not_ready");
    }
    expect((await bodyOf(await post("/echo", '{"text":"a","preview":true}'))).code).toStartWith("preview_not_");
    expect((await node.get("/oracle-consensus?preview=false")).status).toBe(402);
    expect((await node.get("/oracle-consensus?preview=perhaps")).status).toBe(422);
  });

  test("name a language with its region, too", async () => {
    for (const lang of ["pt-BR", "pt_br", " EN ", "en-US"]) {
      expect((await node.get(`/oracle-consensus?lang=${encodeURIComponent(lang)}`)).status).toBe(402);
    }
    expect((await node.get("/oracle-consensus?lang=fr")).status).toBe(422);
    expect((await node.get("/oracle-consensus?lang=ptolemy")).status).toBe(422);
  });

  test.each([
    ["/fear_greed", "/fear-greed"],
    ["/api/fear-greed", "/fear-greed"],
    ["/api/v2/data/fear_gred", "/fear-greed"],
    ["/fear-gred", "/fear-greed"],
    ["/Fear-Greed", "/fear-greed"],
    ["/p/fear-gred", "/p/fear-greed"],
    ["/healtz", "/healthz"],
  ])("an address that nothing has, %s, is answered with the near one", async (path, nearest) => {
    const response = await node.get(path);
    expect(response.status).toBe(404);
    expect(await bodyOf(response)).toMatchObject({ code: "not_found", nearest });
  });

  test("an address that is near to none is answered with where to look", async () => {
    expect((await bodyOf(await node.get("/wp-admin/setup-config.php"))).nearest).toBeUndefined();
  });

  test("that were refused leave the payment unspent", async () => {
    const header = await signFor(node, "/oracle-consensus");
    expect((await node.get("/oracle-consensus?symbol=NO", { "PAYMENT-SIGNATURE": header })).status).toBe(422);
    const before = await countSettleCalls();
    expect((await node.get("/oracle-consensus?symbol=btc", { "PAYMENT-SIGNATURE": header })).status).toBe(200);
    expect(await countSettleCalls()).toBe(before + 1);
  });

  test("that are left out though needed are refused only when somebody pays", async () => {
    expect((await node.get("/echo")).status).toBe(402);
    const response = await node.get("/echo", { "PAYMENT-SIGNATURE": await signFor(node, "/echo") });
    expect(response.status).toBe(422);
    expect(await bodyOf(response)).toMatchObject({ code: "invalid_parameter", param: "text" });
  });

  test("of the same name as one we know are suggested", async () => {
    const body = await bodyOf(await node.get("/oracle-consensus?symbl=BTC"));
    expect(body).toMatchObject({ nearest: "symbol", allowed: ["symbol"] });
  });
});

describe("a body", () => {
  const faulty: readonly (readonly [what: string, body: string, status: number, code: string])[] = [
    ["that is no JSON", "{text:", 422, "invalid_parameter"],
    ["that is a list", '["a"]', 422, "invalid_parameter"],
    ["that is a text", '"a"', 422, "invalid_parameter"],
    ["that is null", "null", 422, "invalid_parameter"],
    ["with a list for a text", '{"text":["a"]}', 422, "invalid_parameter"],
    ["with words for a number", '{"text":"a","count":"two"}', 422, "invalid_parameter"],
    ["with a number beyond all numbers", '{"text":"a","count":1e999}', 422, "invalid_parameter"],
    ["with an unknown member", '{"text":"a","txt":"b"}', 422, "unknown_parameter"],
    ["with a prototype", '{"text":"a","__proto__":{"count":2}}', 422, "unknown_parameter"],
    ["with a constructor", '{"text":"a","constructor":{}}', 422, "unknown_parameter"],
    ["with a text that is no valid Unicode", '{"text":"\\ud800"}', 422, "invalid_parameter"],
    ["with a text that cannot be shown", '{"text":{"toString":1,"valueOf":1}}', 422, "invalid_parameter"],
    ["with 10,000 levels", `{"text":${"[".repeat(10_000)}${"]".repeat(10_000)}}`, 422, "invalid_parameter"],
    ["over the limit", `{"text":"${"a".repeat(BODY_BYTES_MAX)}"}`, 413, "body_too_large"],
  ];
  test.each(faulty)("%s is refused, and a payment with it is not taken", async (_what, body, status, code) => {
    const header = await signFor(node, "/echo");
    const before = await countSettleCalls();
    for (const headers of [{}, { "PAYMENT-SIGNATURE": header }]) {
      const response = await post("/echo", body, headers);
      expect(response.status).toBe(status);
      expect(await bodyOf(response)).toMatchObject({ code, charged: false });
    }
    expect(await countSettleCalls()).toBe(before);
  });

  test("of another media type is refused with 415", async () => {
    const response = await post("/echo", "text=a", { "content-type": "application/x-www-form-urlencoded" });
    expect(response.status).toBe(415);
    expect((await bodyOf(response)).code).toBe("unsupported_media_type");
  });

  test("that is not UTF-8 is refused with 422", async () => {
    expect((await post("/echo", new Uint8Array([0x22, 0xff, 0xfe, 0x22]))).status).toBe(422);
  });

  const over: readonly (readonly [how: string, rest: string])[] = [
    ["of a stated length", `content-length: ${BODY_BYTES_MAX * 8}\r\n\r\n${" ".repeat(BODY_BYTES_MAX)}`],
    ["in chunks", `transfer-encoding: chunked\r\n\r\n${`10000\r\n${" ".repeat(65_536)}\r\n`.repeat(5)}`],
    ["in one chunk", `transfer-encoding: chunked\r\n\r\n400000\r\n${" ".repeat(BODY_BYTES_MAX + 1)}`],
  ];
  test.each(over)("many times over the limit, %s, is refused with a problem before it is over", async (_how, rest) => {
    const head = "POST /echo HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n";
    const answer = await sendRaw(node.url, head + rest);
    expect(answer).toStartWith("HTTP/1.1 413 ");
    expect(answer.toLowerCase()).toContain("content-type: application/problem+json");
    expect(answer).toContain('"code":"body_too_large"');
  });

  test("does not get its parameters from the query", async () => {
    const response = await post("/echo?text=b", '{"text":"a"}');
    expect(response.status).toBe(422);
    expect(await bodyOf(response)).toMatchObject({ code: "unknown_parameter", param: "text" });
  });

  test("buys what it names", async () => {
    const header = await signFor(node, "/echo");
    const response = await post("/echo", '{"text":"hello","count":3}', { "PAYMENT-SIGNATURE": header });
    expect(response.status).toBe(200);
    expect((await bodyOf(response)).data).toEqual({ text: "hello", count: 3 });
  });

  test("that was paid for is not answered for another body with the same payment", async () => {
    const header = await signFor(node, "/echo");
    expect((await post("/echo", '{"text":"one"}', { "PAYMENT-SIGNATURE": header })).status).toBe(200);
    const before = await countSettleCalls();
    const other = await post("/echo", '{"text":"two"}', { "PAYMENT-SIGNATURE": header });
    expect(other.status).toBe(402);
    expect((await bodyOf(other)).code).toBe("payment_already_used");
    expect(await countSettleCalls()).toBe(before);
  });

  test("sent to an older name is redirected with method and body kept", async () => {
    const response = await post("/old-echo?x402Version=1", '{"text":"a"}');
    expect(response.status).toBe(308);
    expect(response.headers.get("location")).toBe("/echo?x402Version=1");
  });
});

test("nothing unexpected was logged in all of this", () => {
  expect(node.log()).not.toMatch(/"event":"(unexpected|invariant)"/);
});
