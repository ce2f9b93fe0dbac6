import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { parseUSD } from "../../src/core/money.ts";
import { cleanUp, type DemoNode } from "../helpers/demo-node.ts";
import { startEchoDemo } from "./echo-plugin.ts";

type Body = Record<string, unknown>;

let node: DemoNode;
beforeAll(async () => {
  node = await startEchoDemo();
});
afterAll(cleanUp);

const post = (body: unknown): Promise<Response> =>
  fetch(`${node.url}/quote`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
const quote = async (body: unknown): Promise<{ status: number; body: Body }> => {
  const response = await post(body);
  return { status: response.status, body: (await response.json()) as Body };
};

interface Offer {
  readonly plan: string;
  readonly path: string;
  readonly purchases: number;
  readonly price_atomic: string;
  readonly total_atomic: string;
  readonly total_usd: string;
  readonly left_atomic?: string;
}

describe("a quote", () => {
  test("prices every line, one by one, by balance and by pass, as the price list has it", async () => {
    const { body } = await quote({
      calls: [
        { product: "fear-greed", count: 1_000 },
        { path: "/mempool", params: {}, count: 2 },
      ],
      period: "24h",
    });
    const pricing = (await (await node.get("/get-pricing")).json()) as {
      products: { path: string; price_atomic: string }[];
      plans: { path: string; plan: string; unlimited: boolean }[];
    };
    const price = (path: string) => BigInt(pricing.products.find((one) => one.path === path)?.price_atomic ?? -1);
    const total = price("/fear-greed") * 1_000n + price("/mempool") * 2n;
    expect(body.single).toEqual({
      payments: 1_002,
      total_usd: expect.any(String),
      total_atomic: total.toString(),
    });
    const { credits, passes } = body as { credits: Offer[]; passes: Offer[] };
    const named = (offers: Offer[]) => offers.map(({ plan }) => plan).sort();
    const listed = (unlimited: boolean) =>
      pricing.plans
        .filter((one) => one.unlimited === unlimited)
        .map((one) => one.plan)
        .sort();
    expect(named(credits)).toEqual(listed(false));
    expect(named(passes)).toEqual(listed(true));
    for (const offer of [...credits, ...passes]) {
      expect(BigInt(offer.total_atomic)).toBe(price(offer.path) * BigInt(offer.purchases));
      expect(parseUSD(offer.total_usd)).toBe(BigInt(offer.total_atomic));
    }
    const cheapest = body.cheapest as Offer & { kind: string };
    const least = [total, ...[...credits, ...passes].map((one) => BigInt(one.total_atomic))].reduce((a, b) =>
      b < a ? b : a,
    );
    expect(BigInt(cheapest.total_atomic)).toBe(least);
    expect(cheapest).toMatchObject({ kind: "pass", plan: "day_pass", purchases: 1 });
    expect(body).toMatchObject({ sandbox: true, currency: "USD", period: "24h", node_id: expect.any(String) });
  });

  test("costs what a payment then asks for", async () => {
    const { body } = await quote({ calls: [{ product: "pyth-price" }] });
    const asked = (await (await node.get("/pyth-price")).json()) as { accepts: { amount: string }[] };
    expect((body.cheapest as Offer).total_atomic).toBe(String(asked.accepts[0]?.amount));
  });

  test("takes parameters as a call would, and fills in the defaults", async () => {
    const { status, body } = await quote({ calls: [{ product: "echo", params: { text: "a" } }] });
    expect(status).toBe(200);
    expect(body.calls).toMatchObject([{ product: "echo", params: { text: "a", count: 1 }, count: 1 }]);
  });

  test.each([
    ["no body", "", "body"],
    ["a list", [], "body"],
    ["no calls", { calls: [] }, "calls"],
    ["more than 200 calls", { calls: Array.from({ length: 201 }, () => ({ product: "echo" })) }, "calls"],
    ["an unknown member", { calls: [{ product: "echo" }], currency: "EUR" }, "currency"],
    ["a count of 0", { calls: [{ product: "echo", count: 0 }] }, "calls[0].count"],
    ["a count above a billion", { calls: [{ product: "echo", count: 1_000_000_001 }] }, "calls[0].count"],
    ["a broken count", { calls: [{ product: "echo", count: 1.5 }] }, "calls[0].count"],
    ["neither product nor path", { calls: [{ count: 1 }] }, "calls[0]"],
    ["both product and path", { calls: [{ product: "echo", path: "/echo" }] }, "calls[0]"],
    ["a period of nothing", { calls: [{ product: "echo" }], period: "0s" }, "period"],
    ["a period in words", { calls: [{ product: "echo" }], period: "a week" }, "period"],
    ["a period of a lifetime", { calls: [{ product: "echo" }], period: "36500d" }, "period"],
    ["a wrong parameter", { calls: [{ product: "echo", params: { text: "" } }] }, "calls[0].params.text"],
    ["a missing parameter", { calls: [{ product: "echo", params: { loud: true } }] }, "calls[0].params.text"],
  ] as const)("of %s is refused, naming what is wrong", async (_, body, param) => {
    const answer = await quote(body);
    expect(answer).toMatchObject({ status: 422, body: { code: "invalid_parameter", param, charged: false } });
  });

  test("takes a product by its path, with or without its slash, and by the name of its tool", async () => {
    for (const call of [
      { product: "fear-greed" },
      { product: "/fear-greed" },
      { product: "fear_greed" },
      { path: "/Fear-Greed" },
    ]) {
      expect(await quote({ calls: [call] })).toMatchObject({ status: 200, body: { calls: [{ path: "/fear-greed" }] } });
    }
  });

  test("of an unknown product or parameter names the nearest", async () => {
    for (const [call, nearest] of [
      [{ product: "fear-gred" }, "fear-greed"],
      [{ product: "fear_gred" }, "fear-greed"],
      [{ path: "/fear-gred" }, "/fear-greed"],
      [{ product: "crypto greed and mood" }, "fear-greed"],
      [{ path: "/índice de medo e ganância" }, "/fear-greed"],
    ] as const) {
      expect(await quote({ calls: [call] })).toMatchObject({ status: 422, body: { nearest } });
    }
    const { status, body } = await quote({ calls: [{ product: "echo", params: { txt: "a" } }] });
    expect({ status, code: body.code, param: body.param, nearest: body.nearest }).toEqual({
      status: 422,
      code: "unknown_parameter",
      param: "calls[0].params.txt",
      nearest: "text",
    });
    expect((await quote({ calls: [{ product: "x\uD800" }] })).status).toBe(422);
    expect((await quote({ calls: [{ product: "__proto__" }] })).status).toBe(422);
  });

  test("is free and not kept by anybody", async () => {
    const response = await post({ calls: [{ product: "echo" }] });
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
  });
});

describe("the calculator", () => {
  const page = async (query: string): Promise<string> => {
    const response = await node.get(`/quote${query}`, { Accept: "text/html" });
    expect(response.status).toBe(200);
    return response.text();
  };

  test("says the same as the quote of so many calls a day", async () => {
    const response = await node.get("/quote?product=mempool&calls=500&product_2=fear-greed&calls_2=3&days=7");
    const asked = (await response.json()) as Body;
    const { body } = await quote({
      calls: [
        { product: "mempool", count: 3_500 },
        { product: "fear-greed", count: 21 },
      ],
      period: "7d",
    });
    expect({ ...asked, generated_at: "" }).toEqual({ ...body, generated_at: "" });
  });

  test("is a form in a browser, and tells the cheapest plan without script", async () => {
    const empty = await page("");
    expect(empty).toMatch(/<form class="[a-z ]+" action="\/quote"\s+method="get">/);
    expect(empty).not.toContain('id="cheapest"');
    const asked = await page("?product=mempool&calls=500&product_2=&calls_2=&product_3=&calls_3=&days=30");
    const { body } = await quote({ calls: [{ product: "mempool", count: 15_000 }], period: "30d" });
    const cheapest = body.cheapest as { path: string; total_usd: string };
    expect(/id="cheapest">[^\n]*?href="([^"]*)"/.exec(asked)?.[1]).toBe(`/p${cheapest.path}`);
    expect(asked).toContain(`$${cheapest.total_usd}</h2>`);
    expect(asked).toContain('value="mempool" selected');
  });

  test.each([
    ["nothing", "", "product"],
    ["no calls", "?product=mempool&calls=0", "calls"],
    ["more days than anybody plans", "?product=mempool&calls=1&days=9999", "days"],
    ["what is not sold", "?product=nothing-like-it&calls=1", "calls[0].product"],
  ])("of %s is refused, naming what is wrong", async (_, query, param) => {
    const response = await node.get(`/quote${query}`);
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ code: "invalid_parameter", param });
  });
});
