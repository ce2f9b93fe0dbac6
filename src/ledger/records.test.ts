import { Database } from "bun:sqlite";
import { afterEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { closeBooksAfterEach, failureOf, openBooks } from "../../test/helpers/open-books.ts";
import { fc } from "../../test/helpers/properties.ts";
import { createStillClock } from "../../test/helpers/still-clock.ts";
import { createMemoryRecords } from "../records/memory-records.ts";
import { hashRecord, type RecordDraft, type RecordLink } from "../records/record-chain.ts";
import type { Ledger } from "./ledger.ts";
import type { RecordRealm } from "./records.ts";

closeBooksAfterEach();

const open: { ledger: Ledger; folder: string }[] = [];
afterEach(async () => {
  for (const { ledger, folder } of open.splice(0)) {
    await ledger.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

async function start(realm: RecordRealm = "live") {
  const folder = mkdtempSync(join(tmpdir(), "records-"));
  const file = join(folder, "ledger.db");
  const clock = createStillClock();
  const ledger = await openBooks({ file, clock });
  open.push({ ledger, folder });
  return { file, clock, ledger, records: ledger.records(realm) };
}

const build = (text: string) => (link: RecordLink) => ({ v: 1, text, ...link });

describe("records", () => {
  test("are linked, hashed and read back as they were written", async () => {
    const { records } = await start();
    const first = await records.append("signals", build("a"), { factors: ["0.1"] });
    const second = await records.append("signals", build("b"));
    expect(first.record.prev_hash).toBe("474081d7879f7c6047ed4bcee66973c14a8b7e72c98dd9bebdef9bb7ea308802");
    expect(second.record.prev_hash).toBe(first.record_hash);
    expect(first.record_hash).toBe(hashRecord(first.record));
    expect(await records.head("signals")).toEqual({ length: 2, head: second.record_hash });
    expect(await records.read("signals")).toEqual([first, second]);
    expect(await records.read("votes")).toEqual([]);
    expect(await records.read("signals", { newest: true, limit: 1 })).toEqual([second]);
  });

  test("an outcome is stated once, for a record that exists", async () => {
    const { records } = await start();
    const { record_hash } = await records.append("signals", build("a"));
    const outcome = { v: 1, seq: 1, record_hash, hit: true };
    const settled = await records.settle({ chain: "signals", seq: 1, outcome, beside: [1] });
    expect((await records.read("signals"))[0]?.outcome).toEqual(settled);
    expect(await records.read("signals", { open: true })).toEqual([]);
    expect(
      (await failureOf(records.settle({ chain: "signals", seq: 1, outcome: { ...outcome, hit: false } }))).message,
    ).toContain("once");
    expect(await failureOf(records.settle({ chain: "signals", seq: 2, outcome }))).toBeInstanceOf(Error);
    expect(await failureOf(records.settle({ chain: "votes", seq: 1, outcome }))).toBeInstanceOf(Error);
  });

  test("many are all written, or nothing is", async () => {
    const { records } = await start();
    const bad: RecordDraft = { chain: "votes", build: () => ({ seq: 9, prev_hash: "" }) };
    expect((await failureOf(records.appendAll([{ chain: "signals", build: build("a") }, bad]))).message).toContain(
      "seq and prev_hash",
    );
    await records.append("votes", build("a"));
    expect((await records.head("signals")).length).toBe(0);
    expect((await records.head("votes")).length).toBe(1);
  });

  test("a clock that was set back writes nothing", async () => {
    const { records, clock } = await start();
    await records.append("signals", build("a"));
    clock.advance(-1);
    expect((await failureOf(records.append("signals", build("b")))).message).toContain("older");
    await records.append("votes", build("c"));
    expect((await records.head("signals")).length).toBe(1);
  });

  test("of simulated markets are not among those of real ones", async () => {
    const { ledger, records } = await start("sandbox");
    await records.append("signals", build("a"));
    expect(await ledger.records("live").read("signals")).toEqual([]);
  });

  test("are behind as many at once as ahead: concurrent writers never fork a chain", async () => {
    const { records } = await start();
    await Promise.all(Array.from({ length: 60 }, (_, n) => records.append("signals", build(String(n)))));
    const all = await records.read("signals");
    expect(all.map(({ seq }) => seq)).toEqual(Array.from({ length: 60 }, (_, n) => n + 1));
    all.slice(1).forEach(({ record }, index) => {
      expect(record.prev_hash).toBe(all[index]?.record_hash ?? "");
    });
  });
});

describe("the tables refuse", () => {
  test("every change, removal, gap, fork and second outcome, for every reader", async () => {
    const { file, records, ledger } = await start();
    const { record_hash } = await records.append("signals", build("a"));
    const second = await records.append("signals", build("b"));
    await records.settle({ chain: "signals", seq: 1, outcome: { seq: 1, record_hash } });
    await ledger.flush();
    const db = new Database(file);
    db.run("PRAGMA foreign_keys = ON");
    const insert = (verb: string, seq: number, prev_hash: string, recorded_at = 9e15) =>
      db
        .query(`${verb} INTO records VALUES ('live', 'signals', ?, ?, ?, 'null', ?)`)
        .run(seq, JSON.stringify({ seq, prev_hash }), "e".repeat(64), recorded_at);
    const attempts: (() => unknown)[] = [
      () => db.run("UPDATE records SET beside_json = '1' WHERE seq = 1"),
      () => db.run("DELETE FROM records WHERE seq = 2"),
      () => db.run("UPDATE record_outcomes SET outcome_json = '{}'"),
      () => db.run("DELETE FROM record_outcomes"),
      () => db.run("INSERT OR REPLACE INTO record_outcomes SELECT * FROM record_outcomes"),
      () => insert("INSERT", 4, second.record_hash),
      () => insert("INSERT", 3, record_hash),
      () => insert("INSERT", 3, second.record_hash, 0),
      () => insert("INSERT OR REPLACE", 2, record_hash),
      () => insert("INSERT OR REPLACE", 1, ""),
    ];
    for (const attempt of attempts) expect(attempt).toThrow();
    db.close();
    expect((await records.read("signals")).map(({ record }) => record.text)).toEqual(["a", "b"]);
  });
});

test("the store answers every question as the simplest one does", async () => {
  const { records, clock } = await start();
  const model = createMemoryRecords(clock.now);
  const step = fc.record({
    chain: fc.constantFrom("signals", "votes"),
    act: fc.constantFrom("append", "settle", "wait"),
    n: fc.integer({ min: 0, max: 8 }),
    after_seq: fc.integer({ min: 0, max: 4 }),
    newest: fc.boolean(),
    open: fc.boolean(),
    limit: fc.integer({ min: 1, max: 5 }),
  });
  const plan = fc.sample(fc.array(step, { minLength: 60, maxLength: 60 }), { numRuns: 1, seed: 7 })[0] ?? [];
  for (const { chain, act, n, ...query } of plan) {
    if (act === "wait") clock.advance(n);
    for (const one of [records, model]) {
      if (act === "append") await one.append(chain, build(String(n)), [n]);
      if (act === "settle") await one.settle({ chain, seq: n, outcome: { seq: n } }).catch(() => undefined);
    }
    const asked = { ...query, since_ms: clock.now() - n };
    expect(await records.read(chain, asked)).toEqual([...(await model.read(chain, asked))]);
    expect(await records.head(chain)).toEqual(await model.head(chain));
  }
});
