import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Abi, decodeFunctionData } from "viem";
import { openKeptDb } from "../stores/kept-db.ts";
import { createOwnChannelRows, readOwnChannel } from "../stores/own-channel-rows.ts";
import { renderWithdrawal } from "./withdraw-channel.ts";

const NODE = join(import.meta.dir, "..", "node.ts");
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

/** The official package's interface of the contract, from a file shared by the package's entries. */
async function loadOfficialAbi(): Promise<Abi> {
  const entry = Bun.resolveSync("@x402/evm/batch-settlement/facilitator", import.meta.dir);
  const shared = /\bbatchSettlementABI\b[^}]*\} from "([^"]+)"/.exec(readFileSync(entry, "utf8"))?.[1] ?? "";
  const loaded = (await import(join(dirname(entry), shared))) as { readonly batchSettlementABI: Abi };
  return loaded.batchSettlementABI;
}

test("two calls that the official interface can decode withdraw the rest of a stopped channel", async () => {
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
  const abi = await loadOfficialAbi();
  const part = await renderWithdrawal(channel, 50_000n);
  expect(part.amount_atomic).toBe("50000");
  expect(part.calls.map(({ data }) => decodeFunctionData({ abi, data: data as `0x${string}` }).args)).toEqual([
    [CONFIG, 50_000n],
    [CONFIG],
  ]);
  const { calls, ...facts } = await renderWithdrawal(channel);
  expect(facts).toEqual({ channel: ID, network: who.network, from: CONFIG.payer, amount_atomic: "184000" });
  expect(calls.map(({ data }) => decodeFunctionData({ abi, data: data as `0x${string}` }))).toEqual([
    { functionName: "initiateWithdraw", args: [CONFIG, 184_000n] },
    { functionName: "finalizeWithdraw", args: [CONFIG] },
  ]);
  expect(calls.map(({ to }) => to)).toEqual(Array(2).fill("0x4020074e9dF2ce1deE5A9C1b5c3f541D02a10003"));
  expect(calls[1]?.when).toContain("86400 s");
});

test("--amount is a part of what is left, and nothing else", async () => {
  const config = join(folder, "node.toml");
  writeFileSync(config, `[data]\ndir = ${JSON.stringify(folder)}\n`);
  const run = async (amount?: string) => {
    const child = Bun.spawn(
      [
        process.execPath,
        NODE,
        "withdraw-channel",
        ID,
        "--config",
        config,
        ...(amount === undefined ? [] : ["--amount", amount]),
      ],
      { stdout: "pipe", stderr: "pipe" },
    );
    const [out, error] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
    return { code: await child.exited, said: out + error };
  };
  const whole = await run();
  expect([whole.code, whole.said]).toEqual([0, expect.stringContaining("Up to 0.184 USDC. Send both calls")]);
  const part = await run("0.05");
  expect([part.code, part.said]).toEqual([0, expect.stringContaining("0.05 of 0.184 USDC. Send both calls")]);
  expect(part.said).toContain((50_000).toString(16).padStart(64, "0"));
  for (const wrong of ["0", "0.184001", "all"]) {
    const refused = await run(wrong);
    expect([refused.code, refused.said]).toEqual([2, expect.stringContaining("at most 0.184")]);
  }
});
