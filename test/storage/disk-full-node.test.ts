import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { noteSkipped } from "../helpers/debian-package.ts";
import { auditOf, settleCalls } from "../helpers/demo-books.ts";
import { cleanUp, newPayer, payingFetch, signFor, startDemo } from "../helpers/demo-node.ts";
import { until } from "../helpers/hang-limit.ts";
import { noteSecret } from "../helpers/secrets.ts";
import { mountSmallDisk } from "../helpers/storage-mount.ts";

const work = mkdtempSync(join(tmpdir(), "full-node-"));
const disk = mountSmallDisk(join(work, "disk"), 64);
const no_disk = typeof disk === "string" ? disk : null;
if (no_disk !== null) noteSkipped("a node whose disk is full", no_disk);

afterAll(async () => {
  await cleanUp();
  if (typeof disk !== "string") disk.unmount();
  rmSync(work, { recursive: true, force: true });
});

type Answer = Record<string, unknown>;
const PATH = "/pyth-price";
const PRICE = 3_000n;

describe.skipIf(no_disk !== null)("a node whose disk is full", () => {
  test("serves what is free, refuses charges uncharged, says why, and recovers without a restart", async () => {
    if (typeof disk === "string") throw new Error(disk);
    const node = await startDemo({ data: disk.folder, history: true });
    const read = async (path: string, headers: Record<string, string> = {}) => {
      const response = await node.get(path, headers);
      return { status: response.status, body: (await response.json()) as Answer };
    };
    const buyer = new x402Client().setSpendControls({ maxAmountPerPayment: false });
    const buying = wrapFetchWithPayment(fetch, buyer.register("eip155:*", new ExactEvmScheme(newPayer())));
    const buy = async (path: string): Promise<string> => {
      const response = await buying(`${node.url}${path}`);
      expect(response.status).toBe(200);
      const api_key = String(((await response.json()) as Answer).api_key);
      noteSecret(api_key);
      return api_key;
    };
    const pass = await buy("/day-pass");
    const credits = await buy("/buy-credits");
    const account = newPayer();
    expect((await payingFetch(account)(`${node.url}${PATH}`)).status).toBe(200);
    expect((await read(PATH, { "X-API-Key": credits })).status).toBe(200);
    const before = await settleCalls(node);
    const balanceOf = async () =>
      BigInt(String((await read("/credits-status", { "X-API-Key": credits })).body.balance_atomic));
    const balance = await balanceOf();

    disk.fill();
    // A few commits may still fit into blocks the log already has.
    let answered = 0n;
    await until(async () => {
      const { status } = await read(PATH, { "X-API-Key": credits });
      if (status === 200) answered += 1n;
      return status === 503;
    }, "a refusal");
    const refused = await read(PATH, { "X-API-Key": credits });
    expect(refused).toMatchObject({ status: 503, body: { code: "ledger_unavailable", charged: false } });
    const header = await signFor(node, PATH);
    const unpaid = await read(PATH, { "PAYMENT-SIGNATURE": header });
    expect(unpaid).toMatchObject({ status: 503, body: { code: "ledger_unavailable", charged: false } });
    expect(await settleCalls(node)).toBe(before);
    expect(await read("/healthz")).toEqual({
      status: 503,
      body: { status: "failing", reason: "the disk that holds the ledger is full" },
    });
    expect((await read("/readyz")).body.reasons).toContain("ledger: the disk that holds the ledger is full");
    for (const path of ["/get-pricing", "/receipts", "/live", "/sample", `${PATH}?preview=1`]) {
      expect({ path, status: (await read(path)).status }).toEqual({ path, status: 200 });
    }
    expect((await read(PATH, { "X-API-Key": pass })).status).toBe(200);
    expect((await node.get(PATH)).status).toBe(402);

    disk.free();
    await until(async () => (await read("/healthz")).status === 200, "health");
    // The very payment that was refused, and what was refused to the key.
    expect((await read(PATH, { "PAYMENT-SIGNATURE": header })).status).toBe(200);
    expect(await settleCalls(node)).toBe(before + 1);
    expect(await balanceOf()).toBe(balance - answered * PRICE);
    expect((await read(PATH, { "X-API-Key": credits })).status).toBe(200);
    expect(auditOf(node).report.findings).toEqual([]);
    expect(node.log()).toContain("ledger_refuses");
    expect(await node.stop()).toBe(0);
    expect(auditOf(node).report.findings).toEqual([]);
  });
});
