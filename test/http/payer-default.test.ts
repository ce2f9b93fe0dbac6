import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { defineProduct } from "../../src/catalog/product.ts";
import { NodeError } from "../../src/core/errors.ts";
import { A2A_BUYERS, sign } from "../helpers/a2a-buyers.ts";
import { callTool, payTool } from "../helpers/mcp.ts";
import { type MoneyNode, startMoneyNode } from "../helpers/money-node.ts";
import { PAYERS, type Payer, payFor } from "../helpers/payers.ts";

/** What a wallet holds; without one, the wallet that pays. Kept for an hour: a shared cache would show. */
const own = defineProduct({
  path: "/own-wallet",
  title: "Own wallet",
  description: "Names the wallet asked about; without one, the wallet that pays.",
  category: "test",
  tags: ["test"],
  price_usd: "0.01",
  params: Type.Object({ wallet: Type.Optional(Type.String({ maxLength: 100, description: "an address" })) }),
  data: Type.Object({ wallet: Type.String(), network: Type.Union([Type.String(), Type.Null()]) }),
  example: { params: { wallet: "0xexample" }, as_of: "2026-01-01T00:00:00Z", data: { wallet: "a", network: null } },
  providers: [],
  requires: [],
  uses_payer: true,
  ttl: "1h",
  deadline_ms: 5_000,
  preview: { every: "1h", delay: "0s" },
  fetch: async ({ payer }, { wallet }) => {
    const address = wallet ?? payer?.address;
    if (address === undefined) throw new NodeError("invalid_parameter", "Name a wallet.", { param: "wallet" });
    return { wallet: address, network: wallet === undefined ? (payer?.network ?? null) : null };
  },
  compute: (data, { now_ms }) => ({ as_of_ms: now_ms, data, warnings: [] }),
});

/** As above, through another product. */
const bundle = defineProduct({
  ...own,
  path: "/own-bundle",
  asks: { "/own-wallet": "needed" },
  fetch: async (context) => (await context.ask("/own-wallet", {}, own.data)).data,
});

let money: MoneyNode;
beforeAll(async () => {
  money = await startMoneyNode("", undefined, { products: [own, bundle] });
});
afterAll(() => money.stop());

interface Seen {
  readonly status: number;
  readonly wallet: string | undefined;
}
const read = async (response: Response): Promise<Seen> => {
  const { data } = (await response.json()) as { data?: { wallet: string } };
  return { status: response.status, wallet: data?.wallet };
};
const walletOf = (envelope: unknown): string => (envelope as { data: { wallet: string } }).data.wallet;
const call = (path: string, headers: Record<string, string>) => fetch(`${money.url}${path}`, { headers });
/** Two buyers of each network. */
const buyers = (): Promise<readonly Payer[]> =>
  Promise.all([...PAYERS, ...PAYERS].map(({ newPayer }) => newPayer(money.url)));
const payerOf = (response: Response): string => {
  const header = response.headers.get("PAYMENT-RESPONSE") ?? "";
  return JSON.parse(Buffer.from(header, "base64").toString("utf8")).payer;
};

describe("a product whose default is the payer", () => {
  for (const path of ["/own-wallet", "/own-bundle"]) {
    test(`${path} answers each buyer for himself, at once and later, on every network`, async () => {
      const all = await buyers();
      const round = () =>
        Promise.all(
          all.map(async (payer) => {
            const response = await call(path, await payFor(`${money.url}${path}`, payer, 2));
            const wallet = payerOf(response);
            return { ...(await read(response)), payer: wallet };
          }),
        );
      for (const { status, wallet, payer } of [...(await round()), ...(await round())]) {
        expect(status).toBe(200);
        expect(wallet?.toLowerCase()).toBe(payer.toLowerCase());
      }
    });
  }

  test("a payment that comes again brings its own payer's answer, and never another's", async () => {
    const [one, two] = (await buyers()).filter(({ network }) => network.startsWith("eip155:"));
    if (!one || !two) throw new Error("nobody pays");
    const url = `${money.url}/own-wallet`;
    const headers = [await payFor(url, one, 2), await payFor(url, two, 2)];
    const first = await Promise.all(headers.map(async (header) => read(await call("/own-wallet", header))));
    const again = await Promise.all(headers.map(async (header) => read(await call("/own-wallet", header))));
    expect(first[0]?.wallet).not.toBe(first[1]?.wallet);
    expect(again).toEqual(first);
  });

  test("MCP and A2A: as over HTTP", async () => {
    const [base] = PAYERS;
    const [, [, startA2A]] = A2A_BUYERS;
    if (!base) throw new Error("nobody pays");
    const wallets = new Set<string>();
    for (let n = 0; n < 2; n++) {
      const payment = await payTool(money.url, "own_wallet", await base.newPayer(money.url));
      const result = await callTool(money.url, "own_wallet", { args: {}, meta: { "x402/payment": payment } });
      const settled = result._meta?.["x402/payment-response"] as { payer: string };
      const wallet = walletOf(result.structuredContent);
      expect(wallet).toBe(settled.payer.toLowerCase());
      const client = await startA2A(money.url, {});
      const asked = await client.send({ skill: "own_wallet", params: {} });
      const metadata = await sign(asked, await base.newPayer(money.url));
      const done = await client.send({ task: asked.id, text: "Here it is.", metadata });
      wallets.add(wallet).add(walletOf(done.data));
    }
    expect(wallets.size).toBe(4);
  });

  test("a key has no payer: it names the wallet, and never gets a buyer's answer", async () => {
    const [base] = PAYERS;
    if (!base) throw new Error("nobody pays");
    const payer = await base.newPayer(money.url);
    const bought = await call("/buy-credits", await payFor(`${money.url}/buy-credits`, payer, 2));
    const { api_key } = (await bought.json()) as { api_key: string };
    const own_call = await call("/own-wallet", await payFor(`${money.url}/own-wallet`, payer, 2));
    expect(own_call.status).toBe(200);
    expect(await read(await call("/own-wallet", { "X-API-Key": api_key }))).toEqual({ status: 422, wallet: undefined });
    expect(await read(await call("/own-wallet?wallet=0xabc", { "X-API-Key": api_key }))).toMatchObject({
      status: 200,
      wallet: "0xabc",
    });
    // What was asked for by name is the same for all.
    const other = await call(
      "/own-wallet?wallet=0xabc",
      await payFor(`${money.url}/own-wallet?wallet=0xabc`, payer, 2),
    );
    expect(await read(other)).toMatchObject({ status: 200, wallet: "0xabc" });
  });

  test("the preview is of nobody who ever paid", async () => {
    expect(await read(await call("/own-wallet?preview=1", {}))).toEqual({ status: 200, wallet: "0xexample" });
  });
});

test("a product that asks for one which uses the payer has to use it, too", async () => {
  const careless = defineProduct({ ...bundle, path: "/careless", uses_payer: false });
  await expect(startMoneyNode("", undefined, { products: [own, careless] })).rejects.toThrow(
    "asks for /own-wallet, which uses the payer: set uses_payer, too",
  );
});
