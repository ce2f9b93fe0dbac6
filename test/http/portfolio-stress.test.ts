import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { newPayer } from "../helpers/demo-node.ts";
import { type ProductNode, startProductNode } from "../helpers/product-node.ts";
import { onlyDomains } from "../helpers/sandbox-config.ts";
import { createPaymentPayload } from "../helpers/sign-for.ts";

/** A product whose parameter is a list: asked for by query, by a body's list, and by a body's member. */
const POSITIONS = [
  { asset: "BTC", quantity: 0.5 },
  { asset: "ETH", quantity: "4" },
];
const PATH = "/portfolio-stress";
const QUERY = `${PATH}?positions=${encodeURIComponent(JSON.stringify(POSITIONS))}`;

let node: ProductNode;
beforeAll(async () => {
  node = await startProductNode({ config: onlyDomains("crypto-market") });
});
afterAll(() => node.stop());

type Json = Record<string, unknown>;
const json = async (response: Response): Promise<Json> => (await response.json()) as Json;

const ask = (path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${node.url}${path}`, {
    headers: { "content-type": "application/json", ...headers },
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
  });

/** Asks, pays what is asked for, and asks again. */
async function buy(path: string, body?: unknown): Promise<Response> {
  const payment = await createPaymentPayload(await ask(path, body), newPayer());
  return ask(path, body, { "PAYMENT-SIGNATURE": payment });
}

describe("a list of positions", () => {
  test.each([
    ["in the query", QUERY, undefined],
    ["as the body", PATH, POSITIONS],
    ["in a member of the body", PATH, { positions: POSITIONS }],
    ["as text in a member of the body", PATH, { positions: JSON.stringify(POSITIONS) }],
  ])("%s is sold once, for its price", async (_, path, body) => {
    const before = node.settlements();
    const response = await buy(path, body);
    expect(response.status).toBe(200);
    const answer = await json(response);
    const data = answer.data as { positions: { asset: string; quantity: number }[]; scenarios: unknown[] };
    expect(answer.sandbox).toBe(true);
    expect(data.positions.map(({ asset, quantity }) => [asset, quantity])).toEqual([
      ["BTC", 0.5],
      ["ETH", 4],
    ]);
    expect(data.scenarios).toHaveLength(17);
    expect(node.settlements()).toBe(before + 1);
  });

  test.each([
    ["not JSON", `${PATH}?positions=BTC`, undefined, "positions"],
    ["an empty list", PATH, [], "positions"],
    ["a quantity too small to have a value", PATH, [{ asset: "BTC", quantity: 1e-300 }], "positions"],
    ["a quantity of 0", PATH, [{ asset: "BTC", quantity: 0 }], "positions"],
    ["a member nobody knows", PATH, { position: POSITIONS }, "position"],
    ["a body that is text", PATH, "BTC", "body"],
    ["a query beside the body", QUERY, POSITIONS, "positions"],
  ])("that is %s is refused with 422, and nothing is settled", async (_, path, body, param) => {
    const payment = await createPaymentPayload(await ask(PATH), newPayer());
    const before = node.settlements();
    const response = await ask(path, body, { "PAYMENT-SIGNATURE": payment });
    expect(response.status).toBe(422);
    expect(await json(response)).toMatchObject({ param, charged: false });
    expect(node.settlements()).toBe(before);
  });

  test("that is missing is a fault for a paying call, while a probe gets the price", async () => {
    const challenge = await ask(PATH);
    const payment = await createPaymentPayload(challenge, newPayer());
    const before = node.settlements();
    for (const body of [undefined, {}]) {
      const response = await ask(PATH, body, { "PAYMENT-SIGNATURE": payment });
      expect(await json(response)).toMatchObject({ code: "invalid_parameter", param: "positions", charged: false });
    }
    expect(node.settlements()).toBe(before);
  });

  test("of assets nobody lists is a 422 of its own, and nothing is settled", async () => {
    const before = node.settlements();
    const response = await buy(PATH, [{ asset: "NOSUCHCOIN", quantity: 1 }]);
    expect(response.status).toBe(422);
    expect(await json(response)).toMatchObject({ code: "no_priced_asset", charged: false });
    expect(node.settlements()).toBe(before);
  });

  test("has a free preview, which shows the demo portfolio", async () => {
    const response = await ask(`${PATH}?preview=1`);
    expect(response.status).toBe(200);
    const answer = await json(response);
    expect(answer).toMatchObject({ delayed: true });
    const { positions } = answer.data as { positions: { asset: string }[] };
    expect(positions.map(({ asset }) => asset)).toEqual(["BTC", "ETH", "SOL"]);
  });
});
