import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { defineProduct } from "../../src/catalog/product.ts";
import { sha256Hex } from "../../src/core/hash.ts";
import { makeAgain, type Recipe } from "../../src/recompute/recipe.ts";
import { until } from "../helpers/hang-limit.ts";
import { type MoneyNode, startMoneyNode } from "../helpers/money-node.ts";
import { PAYERS, payFor } from "../helpers/payers.ts";
import { noteSecret } from "../helpers/secrets.ts";

/** Answers as they could have been sold earlier: made of what was known then, and of nothing else. */
let height = 1;
let runs = 0;
const common = {
  description: "A figure.",
  category: "test",
  tags: [],
  price_usd: "0.01",
  providers: [],
  requires: [],
  data: Type.Object({ height: Type.Number(), port: Type.String() }),
  example: { params: {}, as_of: "2026-01-01T00:00:00Z", data: { height: 1, port: "a" } },
  deadline_ms: 5_000,
  preview: { every: "1h", delay: "0s" },
};
const params = Type.Object({
  port: Type.Optional(Type.String({ maxLength: 20 })),
  wallet: Type.Optional(Type.String({ maxLength: 64 })),
});
const work = {
  fetch: async () => {
    runs += 1;
    return { height };
  },
  compute: (inputs: { height: number }, at: { params: { port?: string }; now_ms: number }) => ({
    as_of_ms: at.now_ms,
    data: { ...inputs, port: at.params.port ?? "" },
    warnings: [],
  }),
};
const tide = defineProduct({ ...common, ...work, params, path: "/tide", title: "Tide", ttl: "60s" });
const aged = defineProduct({ ...common, ...work, params, path: "/aged", title: "A", ttl: "60s", max_age: "1h" });
const own = defineProduct({ ...common, ...work, params, path: "/own", title: "Own", ttl: "60s", uses_payer: true });
const fresh = defineProduct({ ...common, ...work, params, path: "/fresh", title: "Fresh", ttl: "0s" });

let money: MoneyNode;
let key = "";
beforeAll(async () => {
  money = await startMoneyNode("", undefined, { products: [tide, aged, own, fresh] });
  const response = await fetch(`${money.url}/admin/keys`, {
    method: "POST",
    headers: { authorization: `Bearer ${money.node.operator_token}`, "content-type": "application/json" },
    body: JSON.stringify({ command: "issue", credit_usd: "1" }),
  });
  key = ((await response.json()) as { readonly api_key: string }).api_key;
  noteSecret(key);
});
afterAll(() => money.stop());

interface Body {
  readonly generated_at: string;
  readonly data: unknown;
  readonly code?: string;
  readonly param?: string;
  readonly detail?: string;
  readonly kept?: { readonly from: string; readonly to: string } | null;
  readonly point_in_time?: Record<string, string>;
}
async function ask(path: string, headers: Record<string, string> = { "X-API-Key": key }) {
  const response = await fetch(`${money.url}${path}`, { headers });
  const text = await response.text();
  const id = response.headers.get("X-Receipt-Id") ?? "";
  return { status: response.status, id, text, body: JSON.parse(text) as Body };
}
const at = (ms: number) => new Date(ms).toISOString();
const query = (path: string, ms: number) => `${path}${path.includes("?") ? "&" : "?"}as_of=${at(ms)}`;
/** What was sold is on the disk a moment later. */
const isKept = (path: string, ms: number) =>
  until(async () => (await fetch(`${money.url}${query(path, ms)}`)).status === 402, "the answer to be kept");
/** Sells an answer that is made anew. */
async function sell(path: string, value: number, later_ms: number) {
  money.clock.set(money.clock.now() + later_ms);
  height = value;
  const sold = await ask(path);
  const made_ms = Date.parse(sold.body.generated_at);
  await isKept(path, made_ms);
  return { ...sold, made_ms };
}

describe("as of a time", () => {
  test("an answer is what was sold then, and nothing that was learnt later is in it", async () => {
    const path = "/tide?port=a";
    const first = await sell(path, 1, 0);
    const second = await sell(path, 2, 3_600_000);
    const before = runs;
    for (const [sold, value] of [
      [first, 1],
      [second, 2],
    ] as const) {
      for (const later_ms of [0, 1, 59_999]) {
        if (sold.made_ms + later_ms > money.clock.now()) continue;
        const { status, body } = await ask(query(path, sold.made_ms + later_ms));
        expect([status, body.data]).toEqual([200, { height: value, port: "a" }]);
        expect(body.generated_at).toBe(sold.body.generated_at);
        expect(body.point_in_time).toMatchObject({
          as_of: at(sold.made_ms + later_ms).replace(".000Z", "Z"),
          made_at: sold.body.generated_at,
          answer_sha256: sha256Hex(sold.text),
        });
      }
    }
    expect(runs).toBe(before);
  });

  test("outside what is kept it is 422 with the span that is, before anybody is asked for money", async () => {
    const path = "/tide?port=b";
    const { made_ms } = await sell(path, 3, 0);
    money.clock.set(money.clock.now() + 600_000);
    for (const ms of [made_ms - 1, made_ms + 60_000, made_ms + 300_000]) {
      for (const headers of [{}, { "X-API-Key": key }] as Record<string, string>[]) {
        const { status, body } = await ask(query(path, ms), headers);
        expect([status, body.code, body.param]).toEqual([422, "invalid_parameter", "as_of"]);
        expect(Date.parse(body.kept?.from ?? "")).toBe(made_ms);
        expect(Date.parse(body.kept?.to ?? "")).toBe(made_ms);
      }
    }
    const never = await ask(query("/tide?port=never", made_ms));
    expect([never.status, never.body.kept]).toEqual([422, null]);
    const future = await ask(query(path, money.clock.now() + 60_000));
    expect([future.status, future.body.detail]).toEqual([422, expect.stringContaining("not come yet")]);
  });

  test("a product with a limit of age is told as long as its data was young enough to be sold", async () => {
    const { made_ms } = await sell("/aged", 4, 0);
    money.clock.set(made_ms + 3 * 3_600_000);
    expect((await ask(query("/aged", made_ms + 3_600_000))).body.data).toMatchObject({ height: 4 });
    expect((await ask(query("/aged", made_ms + 3_600_001))).status).toBe(422);
  });

  test("a call is paid like any other, by whichever way, and as one thing of its own", async () => {
    const path = "/tide?port=c";
    // Clients sign by the system's clock.
    money.clock.set(Date.now());
    const { made_ms } = await sell(path, 5, 0);
    const [base] = PAYERS;
    if (!base) throw new Error("nobody pays");
    const payer = await base.newPayer(money.url);
    const headers = await payFor(`${money.url}${query(path, made_ms)}`, payer, 2);
    const paid = await ask(query(path, made_ms), headers);
    expect(paid.status).toBe(200);
    const by_key = await ask(`${query(path, made_ms)}&view=brief`);
    expect(by_key.body).toMatchObject({ data: { height: 5 }, view: { brief: true }, point_in_time: {} });
    // The moment after it has come.
    money.clock.advance(1);
    for (const other of [path, query(path, made_ms + 1)]) {
      expect((await ask(other, headers)).body.code).toBe("payment_already_used");
    }
    expect((await money.node.audit()).findings).toEqual([]);
    // Its bundle gives it again, byte for byte, and says as of when.
    const url = `${money.url}/receipts/${by_key.id}/bundle`;
    await until(async () => (await fetch(url, { headers: { "X-API-Key": key } })).status === 200, "the bundle");
    const bundle = (await (await fetch(url, { headers: { "X-API-Key": key } })).json()) as {
      readonly recipe: Recipe;
      readonly inputs: string;
    };
    const product = money.node.catalog.products.find((one) => one.path === "/tide");
    if (!product) throw new Error("no product");
    expect(makeAgain(product, bundle.recipe, bundle.inputs)).toBe(by_key.text);
  });

  test("nobody learns whether somebody asked about a wallet", async () => {
    const path = `/tide?wallet=0x${"a".repeat(40)}`;
    const sold = await ask(path);
    expect(sold.status).toBe(200);
    const made_ms = Date.parse(sold.body.generated_at);
    for (const asked of [path, `/tide?wallet=0x${"b".repeat(40)}`]) {
      const { status, body } = await ask(query(asked, made_ms));
      expect([status, body.kept, body.detail]).toEqual([422, undefined, expect.stringContaining("nobody's business")]);
    }
  });

  test("products whose answers are for one buyer, or kept for nobody, do not know the parameter", async () => {
    for (const path of ["/own", "/fresh"]) {
      expect((await ask(query(path, money.clock.now()))).body.code).toBe("unknown_parameter");
    }
    for (const value of ["yesterday", "2026-02-30T00:00:00Z", "2026-11-22T14:30:00+01:00", "1764300000"]) {
      const { status, body } = await ask(`/tide?as_of=${encodeURIComponent(value)}`);
      expect([status, body.code]).toEqual([422, "invalid_parameter"]);
    }
    expect((await ask(`${query("/tide", 0)}&since=call_1`)).status).toBe(422);
    expect((await ask(`${query("/tide", 0)}&preview=1`)).status).toBe(422);
  });
});
