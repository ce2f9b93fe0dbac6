import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { sha256Hex } from "../../src/core/hash.ts";
import { openLedger } from "../../src/ledger/ledger.ts";
import { LedgerOpenError } from "../../src/ledger/sqlite/migrate.ts";
import { makeSampleLedger, newLedgerFolder, removeLedgerFolders } from "../helpers/sample-ledger.ts";
import { TEST_SEED as SEED } from "../helpers/seed.ts";
import { createStillClock } from "../helpers/still-clock.ts";
import { createRandom, type Random } from "../ledger/model.ts";

/** What a disk, a copy or an operator can make of a ledger file. The node must say so, and never start a new one. */
const FLIPS = process.env.TEST_LONG === "1" ? 20_000 : 400;

let sample: Uint8Array;
let in_use: readonly number[];
beforeAll(async () => {
  sample = readFileSync((await makeSampleLedger()).file);
  in_use = [...sample.entries()].filter(([, byte]) => byte !== 0).map(([at]) => at);
});
afterAll(removeLedgerFolders);

/** A folder with the sample ledger in it, changed as told. */
function makeFolder(change: (file: string) => void): string {
  const file = join(newLedgerFolder(), "ledger.db");
  writeFileSync(file, sample);
  change(file);
  return file;
}

const open = (file: string) => openLedger({ file, clock: createStillClock() });

function refusalOf(file: string): string {
  try {
    void open(file).close();
  } catch (error) {
    if (error instanceof LedgerOpenError) return error.message;
    throw error;
  }
  throw new Error("it was opened");
}

const hashOf = (file: string): string => sha256Hex(readFileSync(file, "latin1"));

const overwrite = (file: string, at: number, bytes: Uint8Array): void => {
  const whole = readFileSync(file);
  whole.set(bytes, at);
  writeFileSync(file, whole);
};

/** A closed SQLite file of somebody else's. */
function makeForeign(file: string): void {
  const db = new Database(file, { create: true });
  db.run("CREATE TABLE notes (text TEXT)");
  db.run("INSERT INTO notes VALUES ('mine')");
  db.close();
}

describe("a start is refused, with the way out, and the file is left as it is, when it", () => {
  test.each<[string, (file: string) => void, RegExp]>([
    ["is no database", (file) => writeFileSync(file, "hello".repeat(1_000)), /restore a backup/],
    ["has a damaged header", (file) => overwrite(file, 0, new Uint8Array(16)), /restore a backup/],
    ["has a damaged schema", (file) => overwrite(file, 100, new Uint8Array(400).fill(0xff)), /restore a backup/],
    ["was cut in the middle", (file) => truncateSync(file, 1_024 * 3), /restore a backup/i],
    ["was cut inside its first page", (file) => truncateSync(file, 700), /restore a backup/i],
    ["was cut to nothing", (file) => truncateSync(file, 0), /restore a backup/i],
    [
      "is somebody else's database",
      (file) => {
        writeFileSync(file, "");
        makeForeign(file);
      },
      /move that file away/,
    ],
  ])("%s", (_, change, way_out) => {
    const file = makeFolder(change);
    const before = hashOf(file);
    expect(refusalOf(file)).toMatch(way_out);
    expect(hashOf(file)).toBe(before);
    expect(readdirSync(join(file, "..")).filter((name) => !name.startsWith("ledger.db"))).toEqual([]);
  });

  test("is a folder", () => {
    const file = join(newLedgerFolder(), "ledger.db");
    mkdirSync(file);
    expect(refusalOf(file)).toContain("cannot be opened as a ledger");
    expect(readdirSync(file)).toEqual([]);
  });

  test.skipIf(process.getuid?.() === 0)("cannot be read", () => {
    const file = makeFolder((path) => chmodSync(path, 0));
    expect(refusalOf(file)).toContain("cannot be opened as a ledger");
  });
});

describe("a write-ahead log", () => {
  test("of another database is refused, and not written into the ledger", async () => {
    const other = join(newLedgerFolder(), "other.db");
    const db = new Database(other, { create: true });
    db.run("PRAGMA journal_mode = WAL");
    db.run("CREATE TABLE accounts (id TEXT)");
    const file = makeFolder((path) => copyFileSync(`${other}-wal`, `${path}-wal`));
    db.close();
    expect(refusalOf(file)).toContain("is not an intel-node ledger");
    expect(hashOf(file)).toBe(hashOf(makeFolder(() => undefined)));
    rmSync(`${file}-wal`);
    const ledger = open(file);
    expect((await ledger.audit()).ok).toBeTrue();
    await ledger.close();
  });

  test("of noise does nothing to a ledger", async () => {
    const random = createRandom(SEED);
    const noise = Uint8Array.from({ length: 40_000 }, () => random.below(256));
    const file = makeFolder((path) => writeFileSync(`${path}-wal`, noise));
    const ledger = open(file);
    const { ok, receipts } = await ledger.audit();
    await ledger.close();
    expect({ ok, receipts }).toEqual(await auditSample());
  });
});

async function auditSample() {
  const ledger = open(makeFolder(() => undefined));
  const { ok, receipts } = await ledger.audit();
  await ledger.close();
  return { ok, receipts };
}

/** Everything that says who owes whom how much; not when. */
function readMoney(file: string): string {
  const db = new Database(file, { readonly: true, safeIntegers: true });
  try {
    const rows = [
      "SELECT id, posted, pending FROM accounts ORDER BY id",
      "SELECT kind, source, target, amount FROM transfers ORDER BY 1, 2, 3, 4",
      "SELECT payment_id, amount FROM receipts ORDER BY 1",
      "SELECT account, amount, state FROM holds ORDER BY 1, 2, 3",
    ].map((sql) => db.query(sql).values());
    return JSON.stringify(rows, (_, value) => (typeof value === "bigint" ? String(value) : value));
  } finally {
    db.close();
  }
}

type Fate = "refused" | "found" | "harmless" | "missed";

/** Turns one bit of a ledger around and says who noticed. */
async function flipBit(random: Random, money: string): Promise<{ fate: Fate; where: string }> {
  // Most of a small ledger is room for more: bytes in use tell more.
  const at = random.below(5) === 0 ? random.below(sample.length) : random.pick(in_use);
  const bit = 1 << random.below(8);
  const where = `byte ${at} (page ${Math.floor(at / 1_024) + 1}), bit ${bit}`;
  const file = makeFolder((path) => overwrite(path, at, Uint8Array.of((sample[at] ?? 0) ^ bit)));
  let ledger: ReturnType<typeof open>;
  try {
    ledger = open(file);
  } catch (error) {
    if (!(error instanceof LedgerOpenError)) throw error;
    expect(existsSync(file)).toBeTrue();
    return { fate: "refused", where };
  }
  const { ok } = await ledger.audit();
  await ledger.close();
  if (!ok) return { fate: "found", where };
  return { fate: readMoney(file) === money ? "harmless" : "missed", where };
}

test(`${FLIPS} flipped bits: the start or the audit notices each that changes money (seed ${SEED})`, async () => {
  const random = createRandom(SEED);
  const money = readMoney(makeFolder(() => undefined));
  const missed: string[] = [];
  const count: Record<Fate, number> = { refused: 0, found: 0, harmless: 0, missed: 0 };
  for (let n = 0; n < FLIPS; n++) {
    const { fate, where } = await flipBit(random, money);
    count[fate] += 1;
    if (fate === "missed") missed.push(where);
    if (n % 50 === 0) removeLedgerFolders();
  }
  expect(missed).toEqual([]);
  expect(count.found).toBeGreaterThan(FLIPS / 10);
  expect(count.refused).toBeGreaterThan(FLIPS / 20);
});
