import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { callTool, rpc, type ToolResult } from "../helpers/mcp.ts";
import { type MoneyNode, startMoneyNode } from "../helpers/money-node.ts";
import { noteSecret } from "../helpers/secrets.ts";

/** Watches for agents that speak MCP alone: the same doors, the same key. */
let money: MoneyNode;
let key = "";
beforeAll(async () => {
  money = await startMoneyNode();
  const response = await fetch(`${money.url}/admin/keys`, {
    method: "POST",
    headers: { authorization: `Bearer ${money.node.operator_token}`, "content-type": "application/json" },
    body: JSON.stringify({ command: "issue", credit_usd: "1" }),
  });
  key = ((await response.json()) as { readonly api_key: string }).api_key;
  noteSecret(key);
});
afterAll(() => money.stop());

const ORDER = { product: "/one", every: "1h", budget_usd: "0.5" };
const ask = (args: object, headers: Record<string, string> = { "X-API-Key": key }, meta = {}): Promise<ToolResult> =>
  callTool(money.url, "watch", { args: { ...args }, headers, meta });
const told = async (args: object): Promise<Record<string, unknown>> => {
  const { isError = false, structuredContent = {} } = await ask(args);
  expect(isError, JSON.stringify(structuredContent)).toBe(false);
  return structuredContent;
};

test("a watch is set, looked at, read, paused, resumed and ended", async () => {
  const { watch } = await told({ do: "set", order: ORDER });
  await money.node.checkWatches();
  expect(await told({ do: "show", watch })).toMatchObject({ watch, state: "active", told: 1, spent_usd: "0.01" });
  const { events } = (await told({ do: "events", watch })) as { readonly events: readonly { readonly seq: number }[] };
  expect(events.map(({ seq }) => seq)).toEqual([1]);
  expect(await told({ do: "events", watch, after: 1 })).toMatchObject({ events: [], next_after: 1 });
  expect(await told({ do: "pause", watch })).toMatchObject({ state: "paused" });
  expect(await told({ do: "resume", watch })).toMatchObject({ state: "active" });
  expect(await told({ do: "list" })).toMatchObject({ items: [{ watch, state: "active" }] });
  expect(await told({ do: "end", watch })).toMatchObject({ state: "ended", ended: "cancelled" });
});

test("the key may come as a bearer token, and a name makes what is sent twice one watch", async () => {
  const headers = { authorization: `Bearer ${key}` };
  const meta = { "x402/idempotency-key": "morning" };
  const set = async () => (await ask({ do: "set", order: ORDER }, headers, meta)).structuredContent?.watch;
  const watch = await set();
  expect(await set()).toBe(watch);
  await told({ do: "end", watch });
});

const BAD: readonly (readonly [args: object, said: string])[] = [
  [{}, "do"],
  [{ do: "sell" }, "do"],
  [{ do: "set" }, "order"],
  [{ do: "show" }, "watch"],
  [{ do: "show", watch: "../admin" }, "watch"],
  [{ do: "show", watch: "wat_0" }, "No such watch"],
  [{ do: "set", order: { ...ORDER, product: "/oen" } }, "/one"],
  [{ do: "set", order: { ...ORDER, condition: { field: "m", op: "changed" } } }, "condition.field"],
  [{ do: "set", order: ORDER, every: "1h" }, "every"],
];
test.each(BAD)("%j is refused, with what is wrong", async (args, said) => {
  const { isError, structuredContent } = await ask(args);
  expect(isError).toBe(true);
  expect(JSON.stringify(structuredContent)).toContain(said);
});

test("without a key nothing is set", async () => {
  const { isError, structuredContent } = await ask({ do: "set", order: ORDER }, {});
  expect([isError, JSON.stringify(structuredContent).includes("X-API-Key")]).toEqual([true, true]);
});

describe("a node that takes none", () => {
  test("lists none, in no document and no door", async () => {
    const other = await startMoneyNode("[watch]\nenabled = false");
    try {
      const { body } = await rpc(other.url, "tools/list");
      expect(body?.result?.tools?.map(({ name }) => name)).not.toContain("watch");
      for (const path of ["/openapi.json", "/.well-known/mcp.json", "/llms.txt", "/llms-full.txt"]) {
        const text = await (await fetch(`${other.url}${path}`)).text();
        expect([path, text.includes("/watch")]).toEqual([path, false]);
      }
      expect((await fetch(`${other.url}/watch`)).status).toBe(404);
    } finally {
      await other.stop();
    }
  });
});
