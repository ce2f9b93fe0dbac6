import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sha256Hex } from "../../src/core/hash.ts";
import { readProof } from "../../src/trust/ots/timestamp.ts";
import { listAttested } from "../../src/trust/ots/walk.ts";
import { ensureProgram, noteSkipped } from "../helpers/debian-package.ts";
import { until } from "../helpers/hang-limit.ts";
import { type ProductNode, startProductNode } from "../helpers/product-node.ts";

/** What a node signed is put into calendars of others, and whoever holds the files checks them without the node. */
const PROGRAM = join(import.meta.dir, "..", "..", "src", "node.ts");
const SCRIPT = join(import.meta.dir, "..", "..", "docs", "examples", "verify-anchor", "verify-anchor.py");
const FIXTURES = join(import.meta.dir, "..", "fixtures", "ots");
const CALENDAR = "https://calendar.sandbox.example";
const folder = mkdtempSync(join(tmpdir(), "anchors-"));
let node: ProductNode;
beforeAll(async () => {
  node = await startProductNode({
    seed_history: false,
    lives_skipped_time: true,
    runs_jobs: true,
    now_ms: Date.parse("2026-11-27T15:10:00Z"),
    config: `[proof.anchor]\ncalendars = ["${CALENDAR}"]\n`,
  });
});
afterAll(async () => {
  await node.stop();
  rmSync(folder, { recursive: true, force: true });
});

interface Entry {
  readonly record_hash: string;
  readonly ots: string | null;
  readonly pending_at: readonly string[];
  readonly bitcoin_blocks: readonly number[];
}
const list = async () =>
  (await (await fetch(`${node.url}/track-record/anchors`)).json()) as {
    readonly calendars: readonly string[];
    readonly anchors: readonly Entry[];
    readonly warnings: readonly string[];
  };
const save = async (name: string, path: string): Promise<string> => {
  const answer = await fetch(`${node.url}${path}`);
  expect(answer.status).toBe(200);
  const file = join(folder, name);
  writeFileSync(file, new Uint8Array(await answer.arrayBuffer()));
  return file;
};
/** The node in this process goes on answering meanwhile. */
async function verify(...args: readonly string[]) {
  const child = Bun.spawn([process.execPath, PROGRAM, "verify-anchor", ...args], { stdout: "pipe", stderr: "pipe" });
  const said = await Promise.all([child.stdout, child.stderr].map((stream) => new Response(stream).text()));
  return { code: await child.exited, said: said.join("") };
}
/** A block as an explorer would show it, which in a sandbox there is none: its root is where the proof ends. */
function blockOf({ ots }: Entry): string {
  const { timestamp } = readProof(Buffer.from(ots ?? "", "base64"));
  const [end] = listAttested(timestamp).filter(({ attestation }) => attestation.kind === "bitcoin");
  if (end?.attestation.kind !== "bitcoin") throw new Error("no block is named");
  return `${end.attestation.height}:${Buffer.from(end.message.toReversed()).toString("hex")}`;
}

test("a node's heads wait at the calendar, and are checked offline once a block holds them", async () => {
  await until(async () => (await list()).anchors[0]?.ots != null, "the first timestamp");
  const early = await list();
  expect(early).toMatchObject({ calendars: [CALENDAR], warnings: [], anchors: [{ pending_at: [CALENDAR] }] });
  const did = await save("did.json", "/.well-known/did.json");
  const pending = await save("pending.json", "/track-record/anchors/1");
  expect(await verify(pending, "--did-document", did)).toEqual({
    code: 3,
    said: expect.stringContaining(`unproven  time: pending at calendar ${CALENDAR}\nunproven in part`),
  });

  await node.control("/clock", { advance_s: 2 * 3_600 });
  await until(async () => (await list()).anchors[0]?.bitcoin_blocks.length === 1, "the block");
  const [entry] = (await list()).anchors;
  if (!entry) throw new Error("it is gone");
  const block = blockOf(entry);
  const file = await save("1", "/track-record/anchors/1");
  expect(await verify(file, "--did-document", did, "--block", block)).toEqual({
    code: 0,
    said: expect.stringContaining(
      `proven    time: it existed before Bitcoin block ${entry.bitcoin_blocks[0]}\nproven:`,
    ),
  });
  expect((await verify(file, "--did-document", did)).code).toBe(3);
  const other = `${block.split(":")[0]}:${"00".repeat(32)}`;
  expect(await verify(file, "--did-document", did, "--block", other)).toMatchObject({ code: 1 });
  // By its address, the keys are the node's own.
  expect((await verify(`${node.url}/track-record/anchors/1`, "--block", block)).code).toBe(0);
  expect(await verify(file, "--did-document", did, "--block", "1:00")).toMatchObject({ code: 2 });
  expect(await verify(file)).toMatchObject({ code: 2 });
});

test("the files are the hashed bytes and the proof, as other programs read them", async () => {
  const [entry] = (await list()).anchors;
  const statement = await fetch(`${node.url}/track-record/anchors/1.json`);
  expect(statement.headers.get("content-type")).toBe("application/json");
  expect(sha256Hex(await statement.text())).toBe(entry?.record_hash ?? "");
  const proof = await fetch(`${node.url}/track-record/anchors/1.json.ots`);
  expect(proof.headers.get("content-type")).toBe("application/vnd.opentimestamps.ots");
  expect(Buffer.from(await proof.arrayBuffer()).toString("base64")).toBe(entry?.ots ?? "");
  for (const name of ["0", "99", "1.txt", "1.json.ots.json", "..%2f1", "__proto__", "9999999999"]) {
    expect((await fetch(`${node.url}/track-record/anchors/${name}`)).status).toBe(404);
  }
});

test("the newest head is a signed note, too, and says by which key", async () => {
  const read = async (query: string) => (await fetch(`${node.url}/track-record/checkpoint${query}`)).text();
  const { node_id } = (await (await fetch(`${node.url}/track-record/anchors`)).json()) as { readonly node_id: string };
  const name = `intel-node/${node_id}/theses`;
  expect(await read("?chain=theses")).toMatch(
    new RegExp(`^${name}\\n\\d+\\n[A-Za-z0-9+/]{43}=\\n\\n— ${name} [A-Za-z0-9+/]{90,92}={0,2}\\n$`),
  );
  expect(await read("?form=key")).toStartWith(`intel-node/${node_id}/signals+`);
  expect((await fetch(`${node.url}/track-record/checkpoint?chain=x`)).status).toBe(422);
});

const missing = ensureProgram("python3", "python3");
if (missing !== null) noteSkipped("public timestamps checked by a program in Python", missing);
describe.skipIf(missing !== null)("a program of another language, which shares no line with the node", () => {
  const run = (...args: readonly string[]) => {
    const { exitCode, stdout } = Bun.spawnSync(["python3", SCRIPT, ...args], { stdout: "pipe", stderr: "inherit" });
    return { code: exitCode, said: stdout.toString() };
  };

  test("says the same of the node's", async () => {
    const [entry] = (await list()).anchors;
    if (!entry) throw new Error("there is none");
    const statement = await save("py.json", "/track-record/anchors/1.json");
    const proof = await save("py.json.ots", "/track-record/anchors/1.json.ots");
    expect(run(statement, proof, blockOf(entry))).toEqual({
      code: 0,
      said: expect.stringContaining(`proven: it existed before Bitcoin block ${entry.bitcoin_blocks[0]}\n`),
    });
    expect(run(statement, proof).code).toBe(3);
    const bent = join(folder, "bent.json");
    writeFileSync(bent, "{}");
    expect(run(bent, proof)).toEqual({ code: 1, said: "broken: it is no proof of these bytes\n" });
  });

  test("and of one that others made, under a block that everybody knows", () => {
    const file = join(folder, "hello-world.txt");
    writeFileSync(file, "Hello World!\n");
    const header =
      "02000000b96394585a281b7e5f438fd1c9ed492645a1fd61cb380204000000000000000000" +
      "7ee445d23ad061af4a36b809501fab1ac4f2d7e7a739817dd0cbb7ec661b8a1e376755f58616186272def6";
    const { code, said } = run(file, join(FIXTURES, "hello-world.ots"), `358391:${header}`);
    expect([code, said]).toEqual([0, "proven: it existed before Bitcoin block 358391\n"]);
  });
});
