import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";
import { decodePaymentResponseHeader } from "@x402/core/http";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { UptoEvmScheme } from "@x402/evm/upto/client";
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { createProgram } from "../../src/commands/program.ts";
import { type MoneyNode, startMoneyNode } from "../helpers/money-node.ts";
import { createRelayed } from "../helpers/relayed-products.ts";
import { newEvmUser, type WalletUser } from "../helpers/wallets.ts";

const UPTO = `[payments.upto]
enabled = true
[metering]
enabled = true
`;
const { product: relayed } = createRelayed();

let node: MoneyNode;
let user: WalletUser;
/** What the official client was told of its two purchases. */
const receipts = { upto: "", exact: "" };
beforeAll(async () => {
  node = await startMoneyNode(UPTO, undefined, {
    products: [relayed("/relayed"), relayed("/flat", { metered: false })],
  });
  const account = privateKeyToAccount(generatePrivateKey());
  user = newEvmUser(account);
  const upto = new x402Client().register("eip155:*", new UptoEvmScheme(account));
  const exact = new x402Client().register("eip155:*", new ExactEvmScheme(account));
  receipts.upto = await buy(upto, "/relayed", "2500");
  receipts.exact = await buy(exact, "/flat", undefined);
});
afterAll(() => node.stop());

/** @returns the receipt's id */
async function buy(client: x402Client, path: string, charge: string | undefined): Promise<string> {
  const response = await wrapFetchWithPayment(fetch, client)(`${node.url}${path}`);
  expect(decodePaymentResponseHeader(response.headers.get("PAYMENT-RESPONSE") ?? "").amount).toBe(charge);
  return response.headers.get("X-Receipt-Id") ?? "";
}

interface Row {
  readonly product: string;
  readonly amount_atomic: string;
  readonly authorized_atomic: string | null;
}
/** Both numbers of each sale, whichever list they stand in. */
const sumsOf = (rows: readonly Row[]) =>
  Object.fromEntries(rows.map((row) => [row.product, [row.amount_atomic, row.authorized_atomic]]));
const BOTH = { relayed: ["2500", "10000"], flat: ["10000", null] };
const operator = (path: string) =>
  fetch(`${node.url}${path}`, { headers: { authorization: `Bearer ${node.node.operator_token}` } });

/** A table with a header, as rows; what is empty is null. */
function readTable(text: string): readonly Row[] {
  const [head = "", ...lines] = text.split(/\r?\n/).filter((line) => line !== "");
  const names = head.split(",");
  return lines.map((line) => {
    const cells = line.split(",");
    return Object.fromEntries(names.map((name, at) => [name, cells[at] === "" ? null : cells[at]])) as unknown as Row;
  });
}

test("a receipt says what was charged, and what was signed where that was the most", async () => {
  const read = async (id: string) => (await (await fetch(`${node.url}/receipts/${id}`)).json()) as Row;
  expect(sumsOf([await read(receipts.upto), await read(receipts.exact)])).toEqual(BOTH);
  const list = (await (await fetch(`${node.url}/receipts`)).json()) as { items: Row[] };
  expect(sumsOf(list.items)).toEqual(BOTH);
});

test("so does the statement of the wallet that paid, as JSON and as a table", async () => {
  const list = await user.open(`${node.url}/wallet/purchases`);
  expect(sumsOf(((await list.json()) as { items: Row[] }).items)).toEqual(BOTH);
  const statement = (await (await user.open(`${node.url}/wallet/statement`)).json()) as { items: Row[] };
  expect(statement).toMatchObject({ total_atomic: "12500" });
  expect(sumsOf(statement.items)).toEqual(BOTH);
  const table = await user.open(`${node.url}/wallet/statement?format=csv`);
  expect(sumsOf(readTable(await table.text()))).toEqual(BOTH);
});

test("so do the operator's sales", async () => {
  const { items } = (await (await operator("/admin/api/sales")).json()) as { items: Row[] };
  expect(sumsOf(items)).toEqual(BOTH);
  expect(sumsOf(readTable(await (await operator("/admin/api/sales?format=csv")).text()))).toEqual(BOTH);
});

test.skipIf(process.env.TEST_LEDGER_URL !== undefined)("so does `intel-node sales`", async () => {
  const lines: string[] = [];
  const spy = spyOn(console, "log").mockImplementation((text: unknown) => void lines.push(String(text)));
  try {
    const day = new Date(node.clock.now()).toISOString().slice(0, 10);
    const ran = Promise.withResolvers<number>();
    const words = ["sales", "--from", day, "--to", day, "--csv", "--data", node.data];
    await createProgram(ran.resolve).parseAsync(words, { from: "user" });
    expect(await ran.promise).toBe(0);
  } finally {
    spy.mockRestore();
  }
  expect(sumsOf(readTable(lines.join("\n")))).toEqual(BOTH);
});

test("the price list says who is metered, and by which formula", async () => {
  const { products } = (await (await fetch(`${node.url}/get-pricing`)).json()) as {
    products: { path: string; metered?: object }[];
  };
  expect(products.find(({ path }) => path === "/relayed")?.metered).toMatchObject({
    floor: "1000",
    ceiling: "10000",
    formula: "min(ceiling, max(floor, floor(peer_price * peer_pct / 100)))",
    charged_to: ["api key", "payment channel", "x402 upto"],
  });
  expect(products.find(({ path }) => path === "/flat")?.metered).toBeUndefined();
  const guide = await (await fetch(`${node.url}/llms-full.txt`)).text();
  expect(guide).toContain("By api key, payment channel, x402 upto: 1000 to 10000 atomic USDC");
});

test("a node without upto does not mention it", async () => {
  const products = [relayed("/relayed")];
  const other = await startMoneyNode("[metering]\nenabled = true\n", undefined, { products });
  try {
    const list = (await (await fetch(`${other.url}/get-pricing`)).json()) as {
      products: { path: string; metered?: { charged_to: string[] } }[];
    };
    const { metered } = list.products.find(({ path }) => path === "/relayed") ?? {};
    expect(metered?.charged_to).toEqual(["api key", "payment channel"]);
  } finally {
    await other.stop();
  }
});
