import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createIdentity } from "../../src/core/identity.ts";
import { hashRecord, type RecordBody, type Records } from "../../src/records/record-chain.ts";
import { cosign } from "../../src/trust/signed-note.ts";
import { noteSkipped } from "../helpers/debian-package.ts";
import { buildGo, whyNoGoLogs } from "../helpers/go-program.ts";
import { createLongHistory, listEvidence } from "../helpers/long-history.ts";
import { createLongTheses } from "../helpers/long-theses.ts";
import { type AskLog, copyLog, serveLogs } from "../helpers/served-log.ts";

/**
 * A program of another language, which leaves signatures and trees to the packages by which Go's own modules are
 * checked, reads the node's histories as logs. It shares no code with the node: an error of both would have to be made
 * twice.
 */
const SOURCE = join(import.meta.dir, "../../docs/examples/verify-log/verify-log.go");
const missing = whyNoGoLogs();
if (missing !== null) noteSkipped("histories read as logs by a program in Go", missing);

const [SHORT, LONG] = [300, 700];
const THESES = 30;
const DAY_MS = 86_400_000;
/** Records without an outcome: the newest ones. */
const OPEN = 5;
const folder = mkdtempSync(join(tmpdir(), "log-verifier-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const identity = createIdentity();
let program: string;
let ask: AskLog;
let files: readonly string[];

const pathOf = (...names: readonly string[]): string => join(folder, ...names);
const write = (name: string, text: string | Uint8Array): string => {
  writeFileSync(pathOf(name), text);
  return pathOf(name);
};
const textOf = async (asked: AskLog, path: string): Promise<string> => (await asked(path)).text();

/** The checkpoint of the log of outcomes when it had so many. */
async function readEarly(size: number): Promise<string> {
  const { records, now_ms } = await createLongHistory(LONG);
  const early: Records = {
    head: records.head,
    read: async (chain, query) =>
      (await records.read(chain, query)).filter(({ seq }) => chain !== "signals-outcomes" || seq <= size),
  };
  const asked = serveLogs({ records: early, identity, now_ms: () => now_ms + 2 * DAY_MS });
  return textOf(asked, "/track-record/outcomes/checkpoint");
}

/** What stands in a folder of a name: a log of that size, its key, its checkpoint and its records. */
async function layOut(name: string, size: number, alpha?: string): Promise<AskLog> {
  const { records, now_ms } = await createLongHistory(size, alpha);
  // All that came of them was stated more than a day ago.
  const asked = serveLogs({ records, identity, now_ms: () => now_ms + 2 * DAY_MS });
  await copyLog(asked, { prefix: "/track-record", size }, pathOf(name));
  await copyLog(asked, { prefix: "/track-record/outcomes", size: size - OPEN }, pathOf(`${name}.outcomes`));
  cpSync(pathOf(name, "checkpoint"), pathOf(`${name}.checkpoint`));
  cpSync(pathOf(`${name}.outcomes`, "checkpoint"), pathOf(`${name}.outcomes.checkpoint`));
  write(`${name}.json`, JSON.stringify({ records: await listEvidence(records) }));
  return asked;
}

beforeAll(async () => {
  if (missing !== null) return;
  program = buildGo(SOURCE, folder);
  const short = await layOut("short", SHORT);
  for (let seq = 1; seq <= SHORT; seq += 1) {
    write(`${seq}.tlog-proof`, await textOf(short, `/track-record/proof/${seq}`));
  }
  ask = await layOut("long", LONG);
  files = await copyLog(ask, { prefix: "/track-record", size: LONG }, pathOf("long"));
  await layOut("rewritten", LONG, "66.5");
  const { records } = await createLongTheses(THESES);
  const theses = serveLogs({ records, identity });
  await copyLog(theses, { prefix: "/track-record/theses", size: THESES }, pathOf("theses"));
  write("key", await textOf(ask, "/track-record/checkpoint?form=key"));
  write("outcomes.key", await textOf(ask, "/track-record/outcomes/checkpoint?form=key"));
  write("early.checkpoint", await readEarly(300));
  for (const place of [1, 256, 257]) {
    write(`outcome-${place}.tlog-proof`, await textOf(short, `/track-record/outcomes/proof/${place}`));
  }
  write("theses.key", await textOf(theses, "/track-record/theses/checkpoint?form=key"));
  const stranger = serveLogs({ records, identity: createIdentity() });
  write("other.key", await textOf(stranger, "/track-record/checkpoint?form=key"));
});

/** @returns how it ended, and what it said */
async function verify(key: string, ...args: readonly string[]) {
  const child = Bun.spawn([program, "-key", pathOf(key), ...args], { stdout: "pipe", stderr: "pipe" });
  const said = await Promise.all([child.stdout, child.stderr].map((stream) => new Response(stream).text()));
  return { code: await child.exited, said: said.join("") };
}

const REFUSED = { code: 1, said: expect.stringContaining("REFUSED: ") };

describe.skipIf(missing !== null)("a program in Go", () => {
  test("finds every record of a history in its log", async () => {
    const { code, said } = await verify("key", "-records", pathOf("short.json"), pathOf("short"));
    expect({ code, said }).toEqual({ code: 0, said: expect.stringContaining("300 entries lead to the signed root") });
    expect(said).toContain("300 records are those in the log");
    expect(await verify("theses.key", pathOf("theses"))).toMatchObject({ code: 0 });
  });

  describe("of what came of the records", () => {
    const KEY = "outcomes.key";

    test("finds every outcome in its log, at the place where it was stated", async () => {
      const { code, said } = await verify(KEY, "-records", pathOf("long.json"), pathOf("long.outcomes"));
      expect({ code, said }).toEqual({
        code: 0,
        said: expect.stringContaining(`${LONG - OPEN} entries lead to the signed root`),
      });
      expect(said).toContain(`${LONG - OPEN} outcomes are those in the log`);
    });

    test("sees that the log goes on from what it was, and refuses one that was rewritten or cut", async () => {
      const old = pathOf("early.checkpoint");
      const { code, said } = await verify(KEY, "-old", old, pathOf("long.outcomes"));
      expect({ code, said }).toEqual({ code: 0, said: expect.stringContaining("nothing of the first 300 was") });
      expect(await verify(KEY, "-old", pathOf("long.outcomes.checkpoint"), pathOf("short.outcomes"))).toEqual(REFUSED);
      expect(await verify(KEY, "-old", old, pathOf("rewritten.outcomes"))).toEqual(REFUSED);
      expect(await verify(KEY, "-records", pathOf("long.json"), pathOf("rewritten.outcomes"))).toEqual(REFUSED);
      expect(await verify(KEY, "-records", pathOf("long.json"), pathOf("short.outcomes"))).toEqual(REFUSED);
    });

    test("takes neither log for the other", async () => {
      expect(await verify("key", pathOf("long.outcomes"))).toEqual(REFUSED);
      expect(await verify(KEY, pathOf("long"))).toEqual(REFUSED);
    });

    test("refuses an outcome that was turned, with its hash made anew, and one at another place", async () => {
      type Row = { outcome: Record<string, unknown> | null; outcome_hash: string; outcome_seq: number };
      const edit = (change: (row: Row, other: Row) => void): string => {
        const { records } = JSON.parse(readFileSync(pathOf("short.json"), "utf8")) as { records: Row[] };
        const [row, other] = [records[41], records[42]];
        if (!row || !other) throw new Error("there is no record 42");
        change(row, other);
        return write("edited.json", JSON.stringify({ records }));
      };
      const turned = edit((row) => {
        row.outcome = { ...row.outcome, hit: !row.outcome?.hit };
        row.outcome_hash = hashRecord(row.outcome as RecordBody);
      });
      expect(await verify(KEY, "-records", turned, pathOf("short.outcomes"))).toEqual(REFUSED);
      const swapped = edit((row, other) => {
        [row.outcome_seq, other.outcome_seq] = [other.outcome_seq, row.outcome_seq];
      });
      expect(await verify(KEY, "-records", swapped, pathOf("short.outcomes"))).toEqual(REFUSED);
      const whole = edit(() => undefined);
      expect(await verify(KEY, "-records", whole, pathOf("short.outcomes"))).toMatchObject({ code: 0 });
    });

    test("reads the proof of an outcome", async () => {
      const proofs = [1, 256, 257].map((place) => pathOf(`outcome-${place}.tlog-proof`));
      const { code, said } = await verify(KEY, "-records", pathOf("short.json"), ...proofs);
      expect({ code, said }).toEqual({ code: 0, said: "3 outcomes stand in the log where their proofs say\n" });
      const [first = ""] = proofs;
      expect(await verify(KEY, "-records", pathOf("rewritten.json"), first)).toEqual(REFUSED);
      expect(await verify("key", "-records", pathOf("short.json"), first)).toEqual(REFUSED);
    });
  });

  test("reads the log from the node itself, and keeps the checkpoint for later", async () => {
    const server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: ({ url }) => ask(new URL(url).pathname).catch(() => new Response(null, { status: 404 })),
    });
    const kept = pathOf("kept");
    try {
      const url = `http://127.0.0.1:${server.port}/track-record`;
      expect(await verify("key", "-save", kept, url)).toMatchObject({ code: 0 });
      expect(readFileSync(kept, "utf8")).toBe(readFileSync(pathOf("long", "checkpoint"), "utf8"));
      expect(await verify("key", `${url}/nothing`)).toEqual(REFUSED);
    } finally {
      await server.stop(true);
    }
  });

  test("sees that a history goes on from what it was", async () => {
    const old = pathOf("short.checkpoint");
    const { code, said } = await verify("key", "-old", old, "-records", pathOf("long.json"), pathOf("long"));
    expect({ code, said }).toEqual({
      code: 0,
      said: expect.stringContaining("nothing of the first 300 was rewritten"),
    });
    expect(await verify("key", "-old", pathOf("long.checkpoint"), pathOf("long"))).toMatchObject({ code: 0 });
  });

  test("refuses a history that was rewritten, or cut", async () => {
    expect(await verify("key", pathOf("rewritten"))).toMatchObject({ code: 0 });
    expect(await verify("key", "-old", pathOf("short.checkpoint"), pathOf("rewritten"))).toEqual(REFUSED);
    expect(await verify("key", "-old", pathOf("long.checkpoint"), pathOf("rewritten"))).toEqual(REFUSED);
    expect(await verify("key", "-old", pathOf("long.checkpoint"), pathOf("short"))).toEqual(REFUSED);
    expect(await verify("key", "-records", pathOf("long.json"), pathOf("rewritten"))).toEqual(REFUSED);
    expect(await verify("key", "-records", pathOf("long.json"), pathOf("short"))).toEqual(REFUSED);
  });

  test("refuses another key, and another log of the same key", async () => {
    expect(await verify("other.key", pathOf("long"))).toEqual(REFUSED);
    expect(await verify("theses.key", pathOf("long"))).toEqual(REFUSED);
    expect(await verify("key", pathOf("theses"))).toEqual(REFUSED);
    expect(await verify("key", "-old", pathOf("theses", "checkpoint"), pathOf("long"))).toEqual(REFUSED);
  });

  test("refuses a log with one bit changed in any of its files", async () => {
    expect(files.length).toBe(8);
    const passed: string[] = [];
    for (const name of files) {
      const bytes = readFileSync(pathOf("long", name));
      for (const at of [0, Math.floor(bytes.length / 2), bytes.length - 1]) {
        const edited = Uint8Array.from(bytes);
        edited[at] = (edited[at] ?? 0) ^ 1;
        rmSync(pathOf("edited"), { recursive: true, force: true });
        cpSync(pathOf("long"), pathOf("edited"), { recursive: true });
        writeFileSync(pathOf("edited", name), edited);
        const { code } = await verify("key", pathOf("edited"));
        if (code !== 1) passed.push(`${name}, byte ${at}: ${code}`);
      }
    }
    expect(passed).toEqual([]);
    expect(await verify("key", pathOf("long"))).toMatchObject({ code: 0 });
  });

  test("reads the proof of every record, and refuses it for another", async () => {
    const proofs = Array.from({ length: SHORT }, (_, at) => pathOf(`${at + 1}.tlog-proof`));
    const { code, said } = await verify("key", "-records", pathOf("short.json"), ...proofs);
    expect({ code, said }).toEqual({ code: 0, said: "300 records stand in the log where their proofs say\n" });
    const [first = ""] = proofs;
    expect(await verify("key", "-records", pathOf("rewritten.json"), first)).toEqual(REFUSED);
    expect(await verify("other.key", "-records", pathOf("short.json"), first)).toEqual(REFUSED);
    // What a witness signed below the checkpoint is in nobody's way.
    const text = readFileSync(first, "utf8");
    const checkpoint = text.slice(text.indexOf("\n\n") + 2);
    const signed = checkpoint.slice(0, checkpoint.indexOf("\n\n") + 1);
    const cosigned = write("cosigned.tlog-proof", `${text}${cosign(signed, { ...identity, name: "w1" }, 1)}`);
    expect(await verify("key", "-records", pathOf("short.json"), cosigned)).toMatchObject({ code: 0 });
    mkdirSync(pathOf("moved"));
    const moved = join(pathOf("moved"), "1.tlog-proof");
    writeFileSync(moved, text.replace("index 0\n", "index 1\n"));
    expect(await verify("key", "-records", pathOf("short.json"), moved)).toEqual(REFUSED);
  });
});
