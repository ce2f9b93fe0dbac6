import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";
import { nameDoor } from "../../src/calls/door.ts";
import { salesCommand } from "../../src/commands/sales.ts";
import { A2A_BUYERS, sign } from "../helpers/a2a-buyers.ts";
import { callTool, payTool } from "../helpers/mcp.ts";
import { type MoneyNode, startMoneyNode } from "../helpers/money-node.ts";
import { createMppBuyer } from "../helpers/mpp-buyers.ts";
import { PAYERS, payFor } from "../helpers/payers.ts";

let node: MoneyNode;
beforeAll(async () => {
  node = await startMoneyNode();
});
afterAll(() => node.stop());

const newPayer = async () => {
  const payer = await PAYERS[0]?.newPayer(node.url);
  if (!payer) throw new Error("nobody pays");
  return payer;
};

interface Sum {
  readonly name: string;
  readonly received: { readonly count: number };
  readonly called: { readonly count: number; readonly amount_usd: string };
}

async function sumsByDoor(): Promise<readonly Sum[]> {
  const printed = spyOn(console, "log").mockImplementation(() => undefined);
  const period = { from: "2020-01-01", to: "2100-01-01" };
  try {
    await salesCommand({
      ...period,
      by: "door",
      method: "received",
      csv: false,
      json: true,
      data: node.data,
      config: "",
    });
    const { sums } = JSON.parse(String(printed.mock.calls[0]?.[0])) as {
      sums: readonly Sum[];
    };
    return sums;
  } finally {
    printed.mockRestore();
  }
}

test("each sale is counted at the door it came through", async () => {
  for (const protocol of [1, 2] as const) {
    const headers = await payFor(`${node.url}/one`, await newPayer(), protocol);
    expect((await fetch(`${node.url}/one`, { headers })).status).toBe(200);
  }
  const payer = await newPayer();
  const paid = await callTool(node.url, "one", { meta: { "x402/payment": await payTool(node.url, "one", payer) } });
  expect(paid.isError).toBeUndefined();

  const [[, startBuyer]] = A2A_BUYERS;
  const buyer = await startBuyer(node.url, {});
  const asked = await buyer.send({ skill: "one", params: { q: "a" } });
  const done = await buyer.send({ task: asked.id, text: "Here it is.", metadata: await sign(asked, await newPayer()) });
  expect(done.state).toBe("completed");

  const mpp = createMppBuyer();
  const authorization = await mpp.answer(await mpp.ask(`${node.url}/one`));
  expect((await fetch(`${node.url}/one`, { headers: { authorization } })).status).toBe(200);

  const counts = (await sumsByDoor()).map(({ name, received }) => [name, received.count]);
  expect(Object.fromEntries(counts)).toEqual({ http: 2, mcp: 1, a2a: 1, mpp: 1 });
});

test("each call by key is counted at the door it came through, whatever paid for its credit", async () => {
  const headers = { authorization: `Bearer ${node.node.operator_token}`, "content-type": "application/json" };
  const operate = async (path: string, body: object) =>
    (await (
      await fetch(`${node.url}${path}`, { method: "POST", headers, body: JSON.stringify(body) })
    ).json()) as Readonly<Record<string, string>>;
  const { api_key = "" } = await operate("/admin/keys", { command: "issue", credit_usd: "1" });
  const bought = await fetch(`${node.url}/one?q=key`, { headers: { "x-api-key": api_key } });
  expect(bought.status).toBe(200);
  const called = await callTool(node.url, "one", { args: { q: "tool" }, headers: { "x-api-key": api_key } });
  expect(called.isError).toBeUndefined();
  const given_back = await fetch(`${node.url}/one?q=again`, { headers: { "x-api-key": api_key } });
  const call_id = given_back.headers.get("x-receipt-id") ?? "";
  await operate("/admin/keys", { command: "refund", call_id });

  const calls = (await sumsByDoor()).map(({ name, called: sum }) => [name, [sum.count, sum.amount_usd]]);
  expect(Object.fromEntries(calls)).toEqual({
    http: [2, "0.01"],
    mcp: [1, "0.01"],
    a2a: [0, "0.00"],
    mpp: [0, "0.00"],
  });
});

test("a basket and a chat are doors of their own; a call that does not say where it came in is of none", () => {
  const product = (id: string, more: object = {}) => ({ id, definition: { ...more } }) as never;
  expect([
    nameDoor({ product: product("basket"), door: "mcp" }, false),
    nameDoor({ product: product("chat-completions", { form: {} }), door: "http" }, true),
    nameDoor({ product: product("llm", { form: {} }), door: "mcp" }, false),
    nameDoor({ product: product("gas") }, false),
  ]).toEqual(["basket", "chat", "mcp", null]);
});
