import { Database } from "bun:sqlite";
import { afterEach, expect, spyOn, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sellOnce } from "../../test/helpers/copied-seller.ts";
import { startS3Server } from "../../test/helpers/s3-server.ts";
import { createStillClock } from "../../test/helpers/still-clock.ts";
import { readCopyPlace } from "../files/copy-order.ts";
import { openLedgerInThread } from "../ledger/ledger.ts";
import { lockDataDirectory } from "../ledger/sqlite/open.ts";
import { EXIT } from "./exit-codes.ts";
import { restoreChoiceCommand } from "./restore-choice.ts";

const START_MS = Date.parse("2026-11-29T10:00:00Z");
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** A node that sold three answers, one a minute, and its configuration. */
async function sellMinutes() {
  const folder = mkdtempSync(join(tmpdir(), "restore-copy-"));
  ends.push(() => rmSync(folder, { recursive: true, force: true }));
  const server = startS3Server();
  ends.push(() => server.stop());
  const config = join(folder, "node.toml");
  const to = "s3://bucket/node";
  const copy = {
    to,
    endpoint: server.endpoint,
    region: "eu",
    access_key_id: "AKID",
    secret_access_key: "the-secret",
  };
  const lines = Object.entries(copy).map(([key, value]) => `${key} = "${value}"\n`);
  writeFileSync(config, `[copy]\n${lines.join("")}`);
  const data = join(folder, "data");
  mkdirSync(data);
  const clock = createStillClock(START_MS);
  const order = { place: readCopyPlace(to, copy), owner: "in1A", every_ms: 5, keep_ms: 3_600_000 };
  const ledger = await openLedgerInThread({ file: join(data, "ledger.db"), clock, copy: order });
  for (let minute = 0; minute < 3; minute += 1) {
    clock.advance(60_000);
    await sellOnce(ledger, `minute-${minute + 1}`, clock.now());
    await ledger.checkpoint();
    while (ledger.copied?.waiting_since_ms !== null) await Bun.sleep(5);
  }
  return { folder, config, to, data, server, ledger };
}

const listSales = (data: string): readonly unknown[] => {
  const db = new Database(join(data, "ledger.db"), { readonly: true });
  try {
    return db.query("SELECT chain_transaction FROM receipts ORDER BY seq").values().flat();
  } finally {
    db.close();
  }
};

test("a ledger is restored to a given minute and replaces the present one, but not while a node uses it", async () => {
  const { config, to, data, ledger, folder } = await sellMinutes();
  const printed: string[] = [];
  const spies = (["log", "error"] as const).map((method) =>
    spyOn(console, method).mockImplementation((text) => void printed.push(String(text))),
  );
  ends.push(() => {
    for (const spy of spies) spy.mockRestore();
  });
  await ledger.close();
  const restore = (at: string | undefined, dir = data) =>
    restoreChoiceCommand(to, { data: dir, at, config, json: false });
  expect(await restore("2026-11-29T10:02:30Z")).toBe(EXIT.ok);
  expect(listSales(data)).toEqual(["tx-minute-1", "tx-minute-2"]);
  expect(readdirSync(data).filter((name) => name.includes(".before-restore-"))).not.toEqual([]);
  const empty = join(folder, "new", "data");
  expect(await restore(undefined, empty)).toBe(EXIT.ok);
  expect(listSales(empty)).toEqual(["tx-minute-1", "tx-minute-2", "tx-minute-3"]);
  expect(await restore("2026-11-29T09:00:00Z")).toBe(EXIT.failed);
  expect(await restore("yesterday")).toBe(EXIT.failed);
  expect(await restoreChoiceCommand(to, { config, json: false })).toBe(EXIT.config);
  expect(existsSync(join(data, ".restoring"))).toBe(false);
  expect(listSales(data)).toEqual(["tx-minute-1", "tx-minute-2"]);
  const unlock = lockDataDirectory(data);
  expect(await restore(undefined)).toBe(EXIT.failed);
  unlock();
  const text = printed.join("\n");
  expect(text).toContain("Another intel-node is using");
  expect(text).toContain("the books as of 2026-11-29T10:02:00Z");
  expect(text).toContain("the copy has no state of 2026-11-29T09:00:00Z or before: it holds states from");
  expect(text).toContain("--at yesterday: a time with its zone");
  expect(text).not.toContain("the-secret");
});
