import { expect } from "bun:test";
import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createIdentity, rotateIdentity } from "../../../src/core/identity.ts";
import { keyFileOf, loadIdentity } from "../../../src/files/identity-file.ts";
import { writeSecretFile } from "../../../src/files/secret-file.ts";
import { backupLedger } from "../../../src/ledger/backup.ts";
import { restoreLedger } from "../../../src/ledger/restore.ts";
import type { Buyers } from "./year-buyers.ts";
import type { Shop } from "./year-shop.ts";
import type { YearWorld } from "./year-world.ts";

const SECOND_MS = 1_000;
const STEP_MS = 15 * SECOND_MS;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const NETWORK = "eip155:84532";

export interface Year {
  readonly world: YearWorld;
  readonly shop: Shop;
  readonly buyers: Buyers;
  /** Money that stands in no book since a restore, as the operator wrote down. Atomic USDC. */
  explained: bigint;
}

export interface Incident {
  readonly name: string;
  /** Alerts that tell of it, and within what time each; none for what the operator does himself. */
  readonly told_within_ms: Readonly<Record<string, number>>;
  /** Lives it, from its beginning until it is over and told to be over. */
  readonly live: (year: Year) => Promise<void>;
}

/** Lets time pass in quarters of a minute, with somebody who does something once a minute. */
async function walk({ shop }: Year, ms: number, eachMinute: () => Promise<unknown> = async () => undefined) {
  for (let passed_ms = 0; passed_ms < ms; passed_ms += STEP_MS) {
    if (passed_ms % MINUTE_MS === 0) await eachMinute();
    await shop.pass(STEP_MS);
  }
}

const readJSON = async ({ shop }: Year, path: string): Promise<Readonly<Record<string, unknown>>> =>
  (await (await fetch(`${shop.url}${path}`)).json()) as Readonly<Record<string, unknown>>;

interface Manifest {
  readonly node: { readonly url: string; readonly version: string; readonly public_key: string };
}
const readManifest = async (year: Year): Promise<Manifest["node"]> =>
  ((await readJSON(year, "/.well-known/x402.json")) as unknown as Manifest).node;

/** A payment whose receipt is asked for again later. */
async function buyWithReceipt({ buyers }: Year): Promise<string> {
  const { status, receipt_id } = await buyers.pay("/fixed");
  expect(status).toBe(200);
  return receipt_id ?? "";
}

/** What was sold and issued before holds: the receipt is shown, the key pays, and its balance is what it was. */
async function expectUnbroken(year: Year, receipt_id: string, balance: bigint): Promise<void> {
  const receipt = await fetch(`${year.shop.url}/receipts/${receipt_id}`);
  expect(receipt.status).toBe(200);
  await receipt.arrayBuffer();
  expect(await year.buyers.readBalance()).toBe(balance);
  expect((await year.buyers.call("/fixed")).status).toBe(200);
}

async function failSource(year: Year): Promise<void> {
  const { world, buyers } = year;
  world.weather.failing.add("first");
  await walk(year, 5 * MINUTE_MS, () => buyers.call("/spot"));
  expect((await buyers.call("/rate")).status).toBe(200);
  world.weather.failing.clear();
  await walk(year, 15 * MINUTE_MS);
  expect((await buyers.call("/spot")).status).toBe(200);
}

/** Nobody buys while it is dead: the shop finds out by itself. */
async function killFacilitator(year: Year): Promise<void> {
  const { world, buyers } = year;
  world.facilitator.setMode({ dead: true });
  await walk(year, 5 * MINUTE_MS);
  expect((await buyers.pay("/fixed")).status).not.toBe(200);
  expect((await buyers.call("/fixed")).status).toBe(200);
  world.facilitator.setMode({});
  await walk(year, 15 * MINUTE_MS);
  expect((await buyers.pay("/fixed")).status).toBe(200);
}

/** The facilitator says that it settled, and the chain knows nothing of it. */
async function lieOnChain(year: Year): Promise<void> {
  const { world, buyers } = year;
  const LIES = 3;
  world.facilitator.setMode({ settle: "lie", times: LIES });
  for (let n = 0; n < LIES; n += 1) {
    const before = buyers.tally.paid;
    expect((await buyers.pay("/fixed")).status).toBe(200);
    buyers.noteLie(buyers.tally.paid - before);
  }
  world.facilitator.setMode({});
  await walk(year, 10 * MINUTE_MS);
}

async function fillDisk(year: Year): Promise<void> {
  const { shop, buyers } = year;
  if (typeof shop.disk === "string") return;
  shop.disk.fill();
  // A few commits may still fit into blocks the log already has.
  await walk(year, 5 * MINUTE_MS, async () => {
    for (let n = 0; n < 20; n += 1) if ((await buyers.call("/fixed")).status !== 200) break;
  });
  expect((await buyers.call("/fixed")).status).toBe(503);
  shop.disk.free();
  // The writer looks by the system's time whether the disk is back.
  while ((await buyers.call("/fixed")).status !== 200) await Bun.sleep(100);
  await walk(year, 15 * MINUTE_MS);
}

async function setClockAhead(year: Year): Promise<void> {
  const { shop, buyers } = year;
  shop.setClockWrong(HOUR_MS);
  await walk(year, 10 * MINUTE_MS, async () => {
    await buyers.call("/spot");
    await buyers.call("/rate");
    expect((await buyers.pay("/fixed")).status).toBe(402);
  });
  shop.setClockWrong(0);
  await walk(year, 20 * MINUTE_MS, async () => {
    await buyers.call("/spot");
    await buyers.call("/rate");
    expect((await buyers.pay("/fixed")).status).toBe(200);
  });
}

async function loseNetwork(year: Year): Promise<void> {
  const { world, buyers } = year;
  world.weather.offline = true;
  await walk(year, 5 * MINUTE_MS, async () => {
    await buyers.call("/spot");
    await buyers.call("/rate");
  });
  world.weather.offline = false;
  await walk(year, 20 * MINUTE_MS);
  expect((await buyers.call("/spot")).status).toBe(200);
  expect((await buyers.pay("/rate")).status).toBe(200);
}

/** The disk is lost; books of two hours ago are put in its place, and what was sold since is in the wallet alone. */
async function restoreBackup(year: Year): Promise<void> {
  const { shop, buyers, world } = year;
  const backup = join(shop.data, "..", "backup.db");
  const copy = backupLedger(join(shop.data, "ledger.db"), backup);
  expect(copy.audit.findings).toEqual([]);
  const kept = { ...buyers.tally };
  const known = new Set(world.listIncome().map(({ transaction }) => transaction));
  await shop.pass(HOUR_MS);
  await buyers.buy({ payments: 6, calls: 6 });
  await shop.pass(HOUR_MS);
  await shop.stop();
  const restored = join(shop.data, "..", "restored");
  expect(restoreLedger(backup, restored).ok).toBe(true);
  for (const name of ["ledger.db", "ledger.db-wal", "ledger.db-shm"]) rmSync(join(shop.data, name), { force: true });
  renameSync(join(restored, "ledger.db"), join(shop.data, "ledger.db"));
  for (const file of [backup, restored]) rmSync(file, { recursive: true });
  buyers.setTally({ ...kept, refused: buyers.tally.refused });
  await shop.start();
  await walk(year, 5 * MINUTE_MS);
  const lost = world.listIncome().filter(({ transaction }) => !known.has(transaction));
  expect(lost).toHaveLength(6);
  for (const { transaction, amount_atomic } of lost) {
    const words = { network: NETWORK, transaction, reason: "Sold before the disk was lost.", reference: "the log" };
    expect(await shop.operate("explain", words)).toMatchObject({ written_before: false });
    year.explained += BigInt(amount_atomic);
  }
  // The next daily look finds every transfer explained.
  await shop.operate("run-job", { job: "ledger-income" });
  await walk(year, 15 * MINUTE_MS);
}

async function changeDomain(year: Year): Promise<void> {
  const { shop, buyers } = year;
  const [receipt_id, balance] = [await buyWithReceipt(year), await buyers.readBalance()];
  await shop.stop();
  await shop.start({ public_url: "https://second.example" });
  expect((await readManifest(year)).url).toBe("https://second.example");
  await expectUnbroken(year, receipt_id, balance);
}

async function rotateKey(year: Year): Promise<void> {
  const { shop, world, buyers } = year;
  const [receipt_id, balance] = [await buyWithReceipt(year), await buyers.readBalance()];
  const { public_key } = await readManifest(year);
  await shop.stop();
  const old = loadIdentity(shop.data);
  const rotated = rotateIdentity(old, createIdentity(), { now_ms: world.clock.world(), compromised: false });
  writeSecretFile(keyFileOf(shop.data), rotated.key_file);
  await shop.start();
  expect((await readManifest(year)).public_key).not.toBe(public_key);
  expect(JSON.stringify(await readJSON(year, "/.well-known/did.json"))).toContain(rotated.key_name);
  await expectUnbroken(year, receipt_id, balance);
}

async function raisePrice(year: Year): Promise<void> {
  const { shop, buyers } = year;
  const readPrice = async (): Promise<string> => {
    const challenge = (await readJSON(year, "/rate")) as { readonly accepts?: readonly { readonly amount: string }[] };
    return challenge.accepts?.[0]?.amount ?? "";
  };
  expect(await readPrice()).toBe("5000");
  await shop.stop();
  await shop.start({ prices: { ...shop.terms.prices, "/rate": "0.007" } });
  await walk(year, 10 * MINUTE_MS);
  expect(await readPrice()).toBe("7000");
  const before = buyers.tally.paid;
  expect((await buyers.pay("/rate")).status).toBe(200);
  expect(buyers.tally.paid - before).toBe(7_000n);
  expect(JSON.stringify((await readJSON(year, "/changes")).changes)).toContain("0.007");
}

/** What the letter names is off at once, and sold again when its time is over. */
async function obeyLetter(year: Year): Promise<void> {
  const { shop, buyers, world } = year;
  const until = new Date(world.clock.world() + HOUR_MS).toISOString().replace(/:\d\d\.\d{3}Z$/, "Z");
  await shop.operate("products-off", { product: "/fixed", reason: "A letter of a lawyer.", until });
  const refused = await buyers.call("/fixed");
  expect([refused.status, refused.body.reason]).toEqual([503, "A letter of a lawyer."]);
  expect((await buyers.pay("/fixed")).status).toBe(503);
  expect(JSON.stringify(await readJSON(year, "/.well-known/x402.json"))).not.toContain("/fixed");
  expect((await buyers.pay("/rate")).status).toBe(200);
  await walk(year, HOUR_MS + 2 * MINUTE_MS);
  expect((await buyers.pay("/fixed")).status).toBe(200);
}

async function upgrade(year: Year): Promise<void> {
  const { shop, buyers } = year;
  const [receipt_id, balance] = [await buyWithReceipt(year), await buyers.readBalance()];
  await shop.stop();
  await shop.start({ version: "1.1.0" });
  expect((await readManifest(year)).version).toBe("1.1.0");
  await expectUnbroken(year, receipt_id, balance);
}

const SOON_MS = 90 * SECOND_MS;
const DAY_MS = 24 * HOUR_MS;

/** In the order in which they come. */
export const INCIDENTS: readonly Incident[] = [
  // With one buyer a minute: a source is given up after five calls in a row.
  { name: "a source fails", told_within_ms: { source: 5 * MINUTE_MS }, live: failSource },
  { name: "the facilitator is dead", told_within_ms: { facilitator: SOON_MS }, live: killFacilitator },
  {
    name: "payments never land on the chain",
    told_within_ms: { doubted: 3 * MINUTE_MS, "never-landed": 2 * DAY_MS },
    live: lieOnChain,
  },
  { name: "the disk is full", told_within_ms: { ledger: MINUTE_MS, disk: 2 * MINUTE_MS }, live: fillDisk },
  { name: "the clock is an hour ahead", told_within_ms: { clock: 5 * MINUTE_MS }, live: setClockAhead },
  { name: "the network is gone", told_within_ms: { offline: SOON_MS * 2 }, live: loseNetwork },
  { name: "a backup is restored", told_within_ms: { income: 2 * HOUR_MS + MINUTE_MS }, live: restoreBackup },
  { name: "the domain changes", told_within_ms: {}, live: changeDomain },
  { name: "the node's key is rotated", told_within_ms: {}, live: rotateKey },
  { name: "a price rises", told_within_ms: {}, live: raisePrice },
  { name: "a lawyer writes", told_within_ms: {}, live: obeyLetter },
  { name: "the program is upgraded", told_within_ms: {}, live: upgrade },
];
