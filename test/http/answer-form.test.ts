import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { createCatalog } from "../../src/catalog/catalog.ts";
import type { AnswerForm } from "../../src/catalog/form.ts";
import { defineProduct } from "../../src/catalog/product.ts";
import { NodeError } from "../../src/core/errors.ts";
import { callTool, payTool } from "../helpers/mcp.ts";
import { type MoneyNode, startMoneyNode } from "../helpers/money-node.ts";
import { PAYERS, payFor } from "../helpers/payers.ts";

const params = Type.Object({
  words: Type.Array(Type.String({ maxLength: 20 }), { description: "What is said.", maxItems: 9 }),
  live: Type.Optional(Type.Boolean({ description: "Word by word." })),
});
const data = Type.Object({ said: Type.String(), of: Type.String(), preview: Type.Boolean() });
const form: AnswerForm<typeof params, typeof data> = {
  render: (envelope) => ({ ...envelope.data, of: envelope.product, preview: envelope.delayed }),
  readBody(body) {
    if (typeof body !== "object" || body === null || "polite" in body) return body;
    return Object.fromEntries(Object.entries(body).filter(([name]) => name !== "ignored"));
  },
  renderError: ({ code, param, status, message }) => ({
    status: status === 422 ? 400 : status,
    body: { oops: { code, param, message } },
  }),
  in_402: { unsupported: ["tools"] },
  shows_402_to_get: true,
  toEvents: ({ live }, { said }) =>
    live ? [...said.split(" ").map((word) => JSON.stringify({ word })), "[DONE]"] : null,
};

let work: (said: string) => Promise<string> = async (said) => said;
let produced = 0;
const echo = defineProduct({
  path: "/v1/echo",
  methods: ["POST"],
  title: "Echo",
  description: "Says what it is told.",
  category: "test",
  tags: [],
  price_usd: "0.01",
  params,
  data,
  form,
  example: { params: { words: ["a"] }, as_of: "2026-01-01T00:00:00Z", data: { said: "a", of: "x", preview: false } },
  providers: [],
  requires: [],
  ttl: "0s",
  deadline_ms: 5_000,
  preview: { every: "1h", delay: "0s" },
  fetch: async (_, { words }) => {
    produced += 1;
    return work(words.join(" "));
  },
  compute: (said: string, { now_ms }) => ({ as_of_ms: now_ms, data: { said, of: "", preview: false }, warnings: [] }),
});

let money: MoneyNode;
beforeAll(async () => {
  money = await startMoneyNode("", undefined, { products: [echo] });
});
afterAll(() => money.stop());

const newPayer = () => (PAYERS[0]?.newPayer(money.url) ?? Promise.reject(new Error("nobody pays"))) as Promise<never>;
const post = (body: unknown, headers: Record<string, string> = {}, search = "") =>
  fetch(`${money.url}/v1/echo${search}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
const pay = async (body: unknown) => post(body, await payFor(`${money.url}/v1/echo`, await newPayer(), 2));
const oopsOf = async (response: Response) => {
  const { oops } = (await response.json()) as { oops: Record<string, unknown> };
  return { status: response.status, code: oops.code, param: oops.param };
};

describe("an answer in a form of its own", () => {
  test("has no envelope, and is paid, recorded and fetched again like any other", async () => {
    const headers = await payFor(`${money.url}/v1/echo`, await newPayer(), 2);
    const first = await post({ words: ["hello", "you"], ignored: 1 }, headers);
    expect(first.status).toBe(200);
    expect(first.headers.get("content-type")).toBe("application/json");
    expect(first.headers.get("PAYMENT-RESPONSE")).not.toBeNull();
    const text = await first.text();
    expect(JSON.parse(text)).toEqual({ said: "hello you", of: "v1/echo", preview: false });
    const before = produced;
    expect(await (await post({ words: ["hello", "you"] }, headers)).text()).toBe(text);
    expect(produced).toBe(before);
  });

  test("comes as events where that is asked for, after it was paid", async () => {
    const response = await pay({ words: ["a", "b"], live: true });
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    expect(response.headers.get("PAYMENT-RESPONSE")).not.toBeNull();
    expect(await response.text()).toBe('data: {"word":"a"}\n\ndata: {"word":"b"}\n\ndata: [DONE]\n\n');
  });

  test("a failure settles nothing, streamed or not, and is told in its form", async () => {
    const before = money.settlements();
    for (const live of [true, false]) {
      work = async () => {
        throw new NodeError("upstream_unavailable", "Nobody answers.", { retry_after_s: 7 });
      };
      const response = await pay({ words: ["x", String(live)], live });
      expect(response.headers.get("retry-after")).toBe("7");
      expect(response.headers.get("content-type")).toBe("application/json");
      expect(await oopsOf(response)).toEqual({ status: 503, code: "upstream_unavailable", param: null });
      work = async () => 7 as never;
      expect((await oopsOf(await pay({ words: ["y", String(live)], live }))).code).toBe("product_failed");
    }
    work = async (said) => said;
    expect(money.settlements()).toBe(before);
  });

  test("every refusal has its form, and the 402 that of x402 with its own members", async () => {
    expect(await oopsOf(await post({ words: [1] }))).toEqual({
      status: 400,
      code: "invalid_parameter",
      param: "words",
    });
    expect(await oopsOf(await post({ stream: 1 }))).toEqual({
      status: 400,
      code: "unknown_parameter",
      param: "stream",
    });
    expect(await oopsOf(await post("{"))).toEqual({ status: 400, code: "invalid_parameter", param: "body" });
    expect(await oopsOf(await post({}, {}, "?fields=said"))).toEqual({
      status: 400,
      code: "unknown_parameter",
      param: "fields",
    });
    expect((await oopsOf(await fetch(`${money.url}/v1/echo`, { method: "PUT" }))).code).toBe("method_not_allowed");
    const bare = await post({});
    expect(bare.status).toBe(402);
    expect(await bare.json()).toMatchObject({ x402Version: 2, unsupported: ["tools"] });
    expect(await oopsOf(await pay({}))).toEqual({ status: 400, code: "invalid_parameter", param: "words" });
    const v1 = await post({}, {}, "?x402Version=1");
    expect(await v1.json()).toMatchObject({ x402Version: 1, unsupported: ["tools"] });
    const unread = await post({ words: ["a"] }, { "PAYMENT-SIGNATURE": "nonsense" });
    expect(await unread.json()).toMatchObject({ code: "invalid_payment", unsupported: ["tools"] });
  });

  test("a GET is shown the 402, and never paid", async () => {
    const probe = await fetch(`${money.url}/v1/echo`);
    expect(probe.status).toBe(402);
    expect((await fetch(`${money.url}/v1/echo`, { method: "HEAD" })).status).toBe(402);
    const before = money.settlements();
    const headers = await payFor(`${money.url}/v1/echo`, await newPayer(), 2);
    const paid = await fetch(`${money.url}/v1/echo`, { headers });
    expect([paid.status, paid.headers.get("allow")]).toEqual([405, "POST, OPTIONS"]);
    expect((await oopsOf(paid)).code).toBe("method_not_allowed");
    expect(money.settlements()).toBe(before);
    expect((await post({ words: ["later"] }, headers)).status).toBe(200);
  });

  test("has a preview in its form, of the body it is asked for and of no other", async () => {
    await money.node.settled;
    const shown = [
      await post("", {}, "?preview=1"),
      await post({ words: ["a"], ignored: 1 }, {}, "?preview=1"),
      await fetch(`${money.url}/v1/echo?preview=1`),
    ];
    for (const response of shown) {
      expect([response.status, await response.json()]).toEqual([200, { said: "a", of: "v1/echo", preview: true }]);
    }
    const other = await post({ words: ["b"] }, {}, "?preview=1");
    expect(await oopsOf(other)).toEqual({ status: 404, code: "preview_not_kept", param: null });
    expect((await oopsOf(await post("{", {}, "?preview=1"))).code).toBe("invalid_parameter");
  });

  test("is the same on other doors", async () => {
    const payment = await payTool(money.url, "v1_echo", await newPayer());
    const result = await callTool(money.url, "v1_echo", {
      args: { words: ["by", "tool"] },
      meta: { "x402/payment": payment },
    });
    expect(result.structuredContent).toEqual({ said: "by tool", of: "v1/echo", preview: false });
  });

  test("is described as it is: no envelope, no views", async () => {
    const read = async (path: string) => (await (await fetch(`${money.url}${path}`)).json()) as never;
    const document: { paths: Record<string, Record<string, never>>; components: { schemas: Record<string, never> } } =
      await read("/openapi.json?product=v1/echo");
    const told = JSON.stringify(document.paths["/v1/echo"]);
    expect(told).not.toContain("Fields");
    expect(told).toContain('"said"');
    const schemas = JSON.stringify(document.components.schemas);
    expect(schemas).toContain('"said"');
    expect(JSON.stringify(document.components.schemas.V1Echo)).not.toContain("Envelope");
  });
});

test("a faulty form, and asking for one, are refused with the reason", () => {
  const faultsOf = (products: readonly (typeof echo)[]) => {
    const listed = products.map((product) => ({ file: "x.ts", product }));
    const plugin = { id: "own", title: "Own", file: "x.ts", origin: "operator" as const, products: listed };
    const plugins = [{ ...plugin, jobs: [], simulators: [] }];
    const rest = { prices: {}, preview_delay_ms: 0, reserved_paths: [], whyNot: () => null };
    return createCatalog({ plugins, ...rest }).faults.map(({ message }) => message);
  };
  const { renderError: _, ...silent } = form;
  expect(faultsOf([{ ...echo, form: silent as never }])).toEqual(["form.renderError is needed"]);
  expect(faultsOf([{ ...echo, methods: ["GET", "POST"] }])).toEqual([
    "form.shows_402_to_get is for paths that take POST alone",
  ]);
  const { form: __, ...plain } = echo;
  const asker = { ...plain, path: "/asker", asks: { "/v1/echo": "needed" } } as const;
  expect(faultsOf([echo, asker])).toEqual(["asks for /v1/echo, whose answers have their own form"]);
});
