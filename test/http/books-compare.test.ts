import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { backupCommand } from "../../src/commands/backup.ts";
import { booksCompareCommand } from "../../src/commands/books-compare.ts";
import { booksExplainCommand } from "../../src/commands/books-correct.ts";
import { type MoneyNode, startMoneyNode, WALLETS } from "../helpers/money-node.ts";
import { PAYERS, payFor } from "../helpers/payers.ts";
import { renderChain } from "../helpers/provider-tables.ts";

/** An operator whose books are those of a backup, and a chain that knows better. */
const folder = mkdtempSync(join(tmpdir(), "books-compare-"));
const HOUR_MS = 3_600_000;
let node: MoneyNode;
let config = "";

beforeAll(async () => {
  node = await startMoneyNode("testnet = true");
  config = join(folder, "node.toml");
  const wallets = Object.entries(WALLETS).map(([wallet, address]) => `[wallets.${wallet}]\npay_to = "${address}"\n`);
  const chains = [
    renderChain("base_sepolia", node.sandbox.rpcUrl("base_sepolia")),
    renderChain("solana_devnet", node.sandbox.rpcUrl("solana_devnet")),
    renderChain("algorand_testnet", node.sandbox.rpcUrl("algorand_testnet")),
  ];
  writeFileSync(
    config,
    `[payments]\ntestnet = true\n[[facilitators]]\nkind = "remote"\nurl = "${node.facilitator.url}"\n` +
      `[data]\ndir = ${JSON.stringify(node.data)}\n${wallets.join("")}${chains.join("")}`,
  );
});
afterAll(async () => {
  await node.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function buy(network: string): Promise<string> {
  const payer = await PAYERS.find((one) => one.network === network)?.newPayer(node.url);
  if (!payer) throw new Error(`nobody pays on ${network}`);
  const answer = await fetch(`${node.url}/one`, { headers: await payFor(`${node.url}/one`, payer, 2) });
  expect(answer.status).toBe(200);
  const receipt = answer.headers.get("PAYMENT-RESPONSE") ?? "";
  return (JSON.parse(Buffer.from(receipt, "base64").toString()) as { transaction: string }).transaction;
}

interface Compared {
  readonly networks: readonly {
    readonly network: string;
    readonly transactions: number;
    readonly equal: number;
    readonly unbooked: readonly { readonly transaction: string; readonly amount_usd: string; readonly from: string }[];
    readonly explained: readonly { readonly reason: string }[];
    readonly not_on_chain: readonly { readonly transaction: string }[];
  }[];
  readonly not_compared: readonly { readonly network: string; readonly why: string }[];
}

/** What the command says an hour later: the newest minutes are not compared. */
async function compare(data: string | undefined) {
  const printed = spyOn(console, "log").mockImplementation(() => undefined);
  try {
    const options = { data, config, json: true };
    const code = await booksCompareCommand(options, { now: () => node.clock.now() + HOUR_MS });
    return { code, ...(JSON.parse(String(printed.mock.calls[0]?.[0])) as Compared) };
  } finally {
    printed.mockRestore();
  }
}

const BASE = "eip155:84532";
const SOLANA = "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1";

test("books that have everything are equal to the wallets; what no endpoint can list is said", async () => {
  for (const network of [BASE, SOLANA, BASE]) await buy(network);
  const { code, networks, not_compared } = await compare(undefined);
  expect(
    networks.map(({ network, transactions, equal, unbooked, not_on_chain }) => ({
      network,
      transactions,
      equal,
      differences: [...unbooked, ...not_on_chain],
    })),
  ).toEqual([
    { network: BASE, transactions: 2, equal: 2, differences: [] },
    { network: SOLANA, transactions: 1, equal: 1, differences: [] },
  ]);
  expect(not_compared.map(({ why }) => why)).toEqual([expect.stringContaining("indexer is not set")]);
  expect(code).toBe(1);
});

test("the books of a backup lack the sales since: each is named with its payer and what is owed", async () => {
  const backup = join(folder, "backup.db");
  const said = spyOn(console, "log").mockImplementation(() => undefined);
  expect(await backupCommand({ to: backup, data: node.data, config, json: true })).toBe(0);
  said.mockRestore();
  const lost = [await buy(BASE), await buy(SOLANA)];
  const restored = join(folder, "restored");
  mkdirSync(restored);
  const { restoreCommand } = await import("../../src/commands/restore.ts");
  const quiet = spyOn(console, "log").mockImplementation(() => undefined);
  expect(restoreCommand(backup, { data: restored, json: true })).toBe(0);
  quiet.mockRestore();

  const { code, networks } = await compare(restored);
  expect(code).toBe(3);
  const unbooked = networks.flatMap((one) => one.unbooked);
  expect(unbooked.map(({ transaction, amount_usd }) => ({ transaction, amount_usd }))).toEqual(
    lost.map((transaction) => ({ transaction, amount_usd: "0.01" })),
  );
  for (const { from } of unbooked) expect(from.length).toBeGreaterThan(30);
  expect((await compare(undefined)).networks.flatMap((one) => one.unbooked)).toEqual([]);

  // What is explained is named no more, and listed with its reason where one asks for it.
  for (const { transaction } of unbooked) {
    const network = lost.indexOf(transaction) === 0 ? "base_sepolia" : SOLANA;
    const words = { transaction, network, reason: "served by hand", reference: "page 4" };
    const said = spyOn(console, "log").mockImplementation(() => undefined);
    expect(await booksExplainCommand({ ...words, data: restored, config, url: undefined, json: true })).toBe(0);
    said.mockRestore();
  }
  const after = await compare(restored);
  expect(after.networks.flatMap((one) => one.unbooked)).toEqual([]);
  expect(after.networks.map((one) => one.explained.map(({ reason }) => reason))).toEqual([
    ["served by hand"],
    ["served by hand"],
  ]);
  expect(after.code).toBe(1);
});
