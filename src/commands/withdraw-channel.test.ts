import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Abi, decodeFunctionData } from "viem";
import { openKeptDb } from "../stores/kept-db.ts";
import { createOwnChannelRows, readOwnChannel } from "../stores/own-channel-rows.ts";
import { renderWithdrawal } from "./withdraw-channel.ts";

const ID = `0x${"ab".repeat(32)}`;
const CONFIG = {
  payer: "0x1111111111111111111111111111111111111111",
  payerAuthorizer: "0x1111111111111111111111111111111111111111",
  receiver: "0x2222222222222222222222222222222222222222",
  receiverAuthorizer: "0x3333333333333333333333333333333333333333",
  token: "0x4444444444444444444444444444444444444444",
  withdrawDelay: 86_400,
  salt: `0x${"5".repeat(64)}`,
};

const folder = mkdtempSync(join(tmpdir(), "withdraw-channel-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The official package's own interface of the contract: it is in a file that it shares among its entries. */
async function loadOfficialAbi(): Promise<Abi> {
  const entry = Bun.resolveSync("@x402/evm/batch-settlement/facilitator", import.meta.dir);
  const shared = /\bbatchSettlementABI\b[^}]*\} from "([^"]+)"/.exec(readFileSync(entry, "utf8"))?.[1] ?? "";
  const loaded = (await import(join(dirname(entry), shared))) as { readonly batchSettlementABI: Abi };
  return loaded.batchSettlementABI;
}

test("what is left in a stopped channel comes home by two calls that the official interface reads", async () => {
  const file = join(folder, "kept.db");
  expect(readOwnChannel(file, ID)).toBeNull();
  const kept = openKeptDb(file);
  const rows = createOwnChannelRows(kept.db);
  const who = { network: "eip155:8453", payer: CONFIG.payer, seller: CONFIG.receiver, terms: "{}" };
  rows.add({ id: ID, ...who, config: JSON.stringify(CONFIG), door: "https://peer.example/a", opened_ms: 1 });
  rows.sign(ID, { signed: 16_000n, deposit: 200_000n, until_ms: 2, at_ms: 1 });
  rows.endDeposit(ID, "landed");
  rows.settle(ID, { charged: 16_000n, landed: true });
  rows.stop(ID, "it is of another channel");
  const channel = readOwnChannel(file, ID);
  kept.close();
  if (channel === null) throw new Error("the channel was not read");
  const { calls, ...facts } = await renderWithdrawal(channel);
  expect(facts).toEqual({ channel: ID, network: who.network, from: CONFIG.payer, amount_atomic: "184000" });
  const abi = await loadOfficialAbi();
  expect(calls.map(({ data }) => decodeFunctionData({ abi, data: data as `0x${string}` }))).toEqual([
    { functionName: "initiateWithdraw", args: [CONFIG, 184_000n] },
    { functionName: "finalizeWithdraw", args: [CONFIG] },
  ]);
  expect(calls.map(({ to }) => to)).toEqual(Array(2).fill("0x4020074e9dF2ce1deE5A9C1b5c3f541D02a10003"));
  expect(calls[1]?.when).toContain("86400 s");
});
