import { Database } from "bun:sqlite";
import { afterAll, describe, expect, test } from "bun:test";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { buildLedger } from "../../src/ledger/copy/build-ledger.ts";
import { NEWEST } from "../../src/ledger/copy/choose-restore.ts";
import { readNames } from "../../src/ledger/copy/copy-names.ts";
import type { CopyPlace } from "../../src/ledger/copy/copy-state.ts";
import { openCopyStore } from "../../src/ledger/copy/open-store.ts";
import { openLedgerInThread } from "../../src/ledger/ledger.ts";
import { restoreOver } from "../../src/ledger/restore.ts";
import { type CopiedSeller, sellOnce } from "../helpers/copied-seller.ts";
import { startS3Server } from "../helpers/s3-server.ts";
import { createStillClock } from "../helpers/still-clock.ts";
import { createRandom } from "../ledger/model.ts";

const PROGRAM = join(import.meta.dir, "..", "helpers", "copied-seller.ts");
const START_MS = Date.parse("2026-11-29T10:00:00Z");
const HOUR_MS = 3_600_000;
const root = mkdtempSync(join(tmpdir(), "copy-kill-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const newFolder = (name: string): string => {
  const folder = join(root, name);
  mkdirSync(folder, { recursive: true });
  return folder;
};

interface Said {
  readonly sold: readonly { readonly at_ms: number; readonly transaction: string }[];
  /** When the copy surely held all that was sold. */
  readonly sure: readonly number[];
}

function readSaid(file: string): Said {
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : [];
  const words = lines.map((line) => line.split(" "));
  return {
    sold: words.flatMap(([kind, at, transaction = ""]) =>
      kind === "sold" ? [{ at_ms: Number(at), transaction }] : [],
    ),
    sure: words.flatMap(([kind, at]) => (kind === "sure" ? [Number(at)] : [])),
  };
}

/** Lets a node sell until it has said so many lines, then kills it. */
async function sellUntilKilled(order: CopiedSeller, lines: number): Promise<void> {
  const child = Bun.spawn([process.execPath, PROGRAM, JSON.stringify(order)], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const count = () => (existsSync(order.said) ? readFileSync(order.said, "utf8").split("\n").length : 0);
  const wanted = count() + lines;
  while (count() < wanted && child.exitCode === null) await Bun.sleep(5);
  expect(child.exitCode).toBeNull();
  child.kill("SIGKILL");
  await child.exited;
}

/** Restores a moment into a folder of its own. @returns the transactions its books hold. */
async function restoreAt(to: string, at_ms: number): Promise<readonly string[]> {
  const work = mkdtempSync(join(root, "restore-"));
  const image = join(work, "image.db");
  await buildLedger(openCopyStore({ kind: "folder", folder: to }), { at_ms, file: image });
  const { audit } = restoreOver(image, join(work, "data"), at_ms);
  expect(audit.findings).toEqual([]);
  return listSales(join(work, "data", "ledger.db"));
}

function listSales(file: string): readonly string[] {
  const db = new Database(file, { readonly: true });
  try {
    return db
      .query("SELECT chain_transaction FROM receipts ORDER BY seq")
      .values()
      .map(([transaction]) => String(transaction));
  } finally {
    db.close();
  }
}

describe("a node that is killed at any moment", () => {
  const random = createRandom(40);
  const order = { file: join(newFolder("data"), "ledger.db"), to: newFolder("copy"), said: join(root, "said") };

  test("has copied what it said to have copied: each of those minutes is restored, to the sale", async () => {
    for (let life = 0; life < 4; life += 1) {
      await sellUntilKilled({ ...order, start_ms: START_MS + life * 24 * HOUR_MS }, 20 + random.below(60));
    }
    const { sold, sure } = readSaid(order.said);
    expect(sure.length).toBeGreaterThan(10);
    let compared = 0;
    for (const at_ms of sure) {
      const wanted = sold.filter((sale) => sale.at_ms <= at_ms).map(({ transaction }) => transaction);
      // A sale that was killed before it was said may be in the books all the same.
      const found = (await restoreAt(order.to, at_ms)).filter((one) =>
        sold.some(({ transaction }) => transaction === one),
      );
      expect(found).toEqual(wanted);
      compared += wanted.length;
    }
    expect(compared).toBeGreaterThan(100);
  });

  test("can be restored over what is left of it, which is set aside", async () => {
    const image = join(newFolder("over"), "image.db");
    await buildLedger(openCopyStore({ kind: "folder", folder: order.to }), { at_ms: NEWEST, file: image });
    const { set_aside } = restoreOver(image, dirname(order.file), START_MS);
    expect(set_aside).toBe(`${order.file}.before-restore-20261129T100000000Z`);
    const sold = readSaid(order.said).sold.map(({ transaction }) => transaction);
    const before = listSales(set_aside ?? "");
    expect(sold.filter((one) => !before.includes(one))).toEqual([]);
    const { sure } = readSaid(order.said);
    const surely = readSaid(order.said).sold.filter(({ at_ms }) => at_ms <= (sure.at(-1) ?? 0));
    const after = listSales(order.file);
    expect(surely.filter(({ transaction }) => !after.includes(transaction))).toEqual([]);
  });

  test("a copy that was cut, changed, thinned out or mixed with another one's is refused", async () => {
    const store = openCopyStore({ kind: "folder", folder: order.to });
    const list = readNames(await store.list());
    const newest = list.snapshots.findLast(({ whole }) => whole);
    const segments = list.segments.filter(({ generation }) => generation === newest?.generation);
    expect(segments.length).toBeGreaterThan(2);
    const parts = list.keys.filter((key) => newest !== undefined && key.startsWith(`${newest.key}/`));
    const others = list.segments.filter(({ generation }) => generation !== newest?.generation);
    const build = async (name: string, spoil: (folder: string) => void) => {
      const folder = newFolder(`hostile-${name}`);
      cpSync(order.to, folder, { recursive: true });
      spoil(folder);
      const file = join(newFolder("hostile"), `${name}.db`);
      const built = buildLedger(openCopyStore({ kind: "folder", folder }), { at_ms: NEWEST, file });
      const failure = await built.then(
        () => null,
        (error: unknown) => String(error),
      );
      expect(existsSync(file)).toBe(failure === null);
      return failure;
    };
    for (const [index, key] of [...segments.map((segment) => segment.key), ...parts].entries()) {
      const bytes = readFileSync(join(order.to, key));
      const flipped = Uint8Array.from(bytes);
      const at = random.below(bytes.length);
      flipped[at] = (flipped[at] ?? 0) ^ (1 << random.below(8));
      // The time and the numbers of an image are in its name, too: a changed byte is found, whichever it is.
      expect(await build(`flip-${index}`, (folder) => writeFileSync(join(folder, key), flipped)), key).not.toBeNull();
      const length = random.below(bytes.length);
      expect(await build(`cut-${index}`, (folder) => truncateSync(join(folder, key), length)), key).not.toBeNull();
    }
    const middle = segments[1]?.key ?? "";
    const gap = await build("gap", (folder) => rmSync(join(folder, middle)));
    expect(gap).toMatch(/the copy lacks what was committed between .* The newest state before it: --at/);
    const mixed = await build("mixed", (folder) => cpSync(join(order.to, others[0]?.key ?? ""), join(folder, middle)));
    expect(mixed).toContain("is of another ledger");
    const part = parts.find((key) => key.includes("part-")) ?? "";
    expect(await build("part", (folder) => rmSync(join(folder, part)))).not.toBeNull();
    const empty = await build("empty", (folder) => rmSync(folder, { recursive: true }));
    expect(empty).toContain("is its disk mounted?");
    const none = await build("none", (folder) => {
      for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
    });
    expect(none).toContain("it holds no whole image of a ledger");
  });
});

describe("while the store is dead", () => {
  test.each(["error", "hang", "gone"] as const)(
    "sales go on, and it is told since when it lacks them: %s",
    async (fault) => {
      const server = startS3Server();
      const clock = createStillClock(START_MS);
      const place: CopyPlace = {
        kind: "s3",
        bucket: "bucket",
        prefix: "node",
        endpoint: server.endpoint,
        region: "eu",
        access_key_id: "AKID",
        secret_access_key: "secret",
      };
      const file = join(newFolder(`dead-${fault}`), "ledger.db");
      const copy = { place, owner: "in1A", every_ms: 5, keep_ms: HOUR_MS };
      const ledger = await openLedgerInThread({ file, clock, copy });
      try {
        await sellOnce(ledger, "first", clock.now());
        while (ledger.copied?.waiting_since_ms !== null) await Bun.sleep(5);
        if (fault === "gone") await server.stop();
        else server.fault = fault;
        clock.advance(60_000);
        for (let sale = 0; sale < 50; sale += 1) await sellOnce(ledger, `sale-${sale}`, clock.now());
        while (ledger.copied?.waiting_since_ms == null) await Bun.sleep(5);
        expect(ledger.copied.waiting_since_ms).toBeLessThanOrEqual(START_MS + 60_000);
        if (fault !== "hang") while (ledger.copied?.failing === null) await Bun.sleep(5);
        expect(listSales(file)).toHaveLength(51);
      } finally {
        await ledger.close();
        await server.stop();
      }
    },
  );
});
