import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PRODUCTS } from "../../test/helpers/catalog-world.ts";
import { createStillClock } from "../../test/helpers/still-clock.ts";
import { systemTimers } from "../core/clock.ts";
import { sha256Hex } from "../core/hash.ts";
import { encodeInputs, hashInputs } from "../recompute/inputs-text.ts";
import { createInputsWriter, openInputsDb, openInputsReader } from "./inputs-db.ts";
import { type InputsEvent, type InputsStore, openInputsStore } from "./inputs-store.ts";

const folder = mkdtempSync(join(tmpdir(), "intel-node-inputs-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 9, 1);
const product = PRODUCTS.find(({ path }) => path === "/mempool");
if (!product) throw new Error("no product");
const sold = product;

function createRig(name: string, limits: { readonly keep_ms?: number; readonly bytes_max?: number } = {}) {
  const clock = createStillClock(START_MS);
  const events: InputsEvent[] = [];
  const file = join(folder, `${name}.db`);
  const store = openInputsStore({
    file,
    keep_ms: DAY_MS,
    bytes_max: 1_000_000,
    clock,
    timers: systemTimers,
    ...limits,
    maker: { node_id: "node", sandbox: true, version: "1.2.3" },
    log: (event) => events.push(event),
  });
  return {
    clock,
    events,
    file,
    store,
    sell: (body: string, inputs: unknown) => sell(store, body, inputs, clock.now()),
  };
}

const atOnce = async <T>(piece: () => T): Promise<T> => piece();

async function sell(store: InputsStore, body: string, inputs: unknown, now_ms: number): Promise<string> {
  const written = await store.write(sold, inputs, atOnce);
  if (written === null) return "";
  const origin = { params: {}, now_ms, sources: [], row_warnings: [], inputs_sha256: written.sha256 };
  store.note({ product: sold, origin, view: null, body, inputs: written.text });
  return sha256Hex(body);
}

describe("what sold answers were made of", () => {
  test("is found by the answer's hash, once it is durable, with the code that made it", async () => {
    const { store, file, clock } = createRig("found");
    const now_ms = clock.now();
    const hash = await sell(store, "answer", { height: 1n }, now_ms);
    expect(store.identify(hash)).toBeNull();
    await store.flush();
    expect(store.get(hash)).toMatchObject({
      body: "answer",
      inputs: '{"height":{"$bigint":"1"}}',
      made_at_ms: now_ms,
    });
    expect(JSON.parse(store.get(hash)?.recipe ?? "")).toMatchObject({
      path: "/mempool",
      made_by: "1.2.3",
      now_ms,
    });
    const { inputs_sha256 = "", code_sha256 = "" } = store.identify(hash) ?? {};
    expect(inputs_sha256).toBe(sha256Hex('{"height":{"$bigint":"1"}}'));
    expect(code_sha256).toMatch(/^[0-9a-f]{64}$/);
    await store.close();
    // Nothing of it is in memory alone.
    const reader = openInputsReader(file);
    expect(reader.get(hash)?.body).toBe("answer");
    reader.close();
  });

  test("large inputs are written in pieces, of which each waits for its turn; the text is the same", async () => {
    const { store } = createRig("large");
    const inputs = { rows: Array.from({ length: 200_000 }, (_, n) => ({ n, value: n / 7 })) };
    let pieces = 0;
    const written = await store.write(sold, inputs, async (piece) => {
      pieces += 1;
      await Bun.sleep(0);
      return piece();
    });
    expect(pieces).toBeGreaterThan(3);
    expect(written).toEqual({ text: encodeInputs(inputs), sha256: hashInputs(encodeInputs(inputs)) });
    await store.close();
  });

  test("equal inputs are kept once, whatever was made of them", async () => {
    const { store, sell } = createRig("once");
    const inputs = { rows: Array.from({ length: 2_000 }, (_, n) => sha256Hex(String(n))) };
    const hashes = [];
    hashes.push(await sell("answer 0", inputs));
    await store.flush();
    const first = store.status().bytes;
    for (let n = 1; n < 50; n++) hashes.push(await sell(`answer ${n}`, inputs));
    await store.flush();
    expect(first).toBeGreaterThan(50_000);
    expect(store.status().bytes - first).toBeLessThan(30_000);
    expect(new Set(hashes.map((hash) => store.identify(hash)?.inputs_sha256)).size).toBe(1);
    expect(store.status()).toMatchObject({ kept: 50, lost: 0, waiting: 0, trouble: null });
    await store.close();
  });

  test("a view is kept with the inputs of the whole answer", async () => {
    const { store, clock } = createRig("view");
    const whole = await sell(store, "whole", { a: 1 }, clock.now());
    await store.flush();
    const { inputs_sha256 = "" } = store.identify(whole) ?? {};
    const view = { is_brief: true, fields: [], key: "brief" };
    const origin = { params: {}, now_ms: clock.now(), sources: [], row_warnings: [], inputs_sha256 };
    store.note({ product: sold, origin, view, body: "part", inputs: null });
    await store.flush();
    expect(JSON.parse(store.get(sha256Hex("part"))?.recipe ?? "").view).toEqual(view);
    await store.close();
  });

  test("what is not plain is said once, and sold without", async () => {
    const { store, events, sell } = createRig("plain");
    expect([await sell("a", { read: () => 1 }), await sell("b", { read: () => 1 })]).toEqual(["", ""]);
    expect(events).toEqual([{ event: "inputs_not_plain", product: "mempool", reason: "inputs.read is a function" }]);
    await store.close();
  });
});

test("a file of before learns to find answers by their question, and keeps what it has", () => {
  const file = join(folder, "before.db");
  const { db } = openInputsDb(file, START_MS);
  const row = (n: number) => ({
    sha256: sha256Hex(`${n}`),
    inputs_sha256: sha256Hex("{}"),
    inputs: "{}",
    code_sha256: null,
    made_at_ms: START_MS + n,
    recipe: "{}",
    body: `${n}`,
    asked: "question",
  });
  createInputsWriter(db).add([row(1)]);
  db.run("DROP INDEX answers_by_question");
  db.run("ALTER TABLE answers DROP COLUMN asked");
  db.close();
  const again = openInputsDb(file, START_MS);
  expect(again.put_aside).toBeNull();
  createInputsWriter(again.db).add([row(2), row(3)]);
  const reader = openInputsReader(file);
  expect(reader.getText(sha256Hex("1"))).toEqual({ recipe: "{}", body: "1" });
  expect(reader.spanOf("question")).toEqual({ first_ms: START_MS + 2, last_ms: START_MS + 3 });
  expect(reader.findAsked("question", START_MS + 2)).toBe(sha256Hex("2"));
  expect(reader.findAsked("question", START_MS + 1)).toBeNull();
  expect(reader.spanOf("another")).toBeNull();
  reader.close();
  again.db.close();
});

describe("room", () => {
  const row = (n: number, made_at_ms: number) => {
    const inputs = JSON.stringify(Array.from({ length: 200 }, (_, at) => sha256Hex(`${n} ${at}`)));
    return {
      sha256: sha256Hex(`answer ${n}`),
      inputs_sha256: sha256Hex(inputs),
      inputs,
      code_sha256: null,
      made_at_ms,
      recipe: "{}",
      body: `answer ${n}`,
      asked: null,
    };
  };

  test("is made by age, then by ending the oldest, and inputs end with their last answer", () => {
    const file = join(folder, "room.db");
    const { db } = openInputsDb(file, START_MS);
    const writer = createInputsWriter(db);
    expect(writer.add(Array.from({ length: 60 }, (_, n) => row(n, START_MS + n)))).toBe(60);
    const full = writer.bytes();
    expect(writer.prune({ before_ms: START_MS + 10, bytes_max: full })).toBe(10);
    expect(writer.prune({ before_ms: 0, bytes_max: Math.ceil(full / 2) })).toBeGreaterThan(15);
    expect(writer.bytes()).toBeLessThanOrEqual(full / 2);
    const reader = openInputsReader(file);
    const left = reader.list({ since_ms: 0, limit: 100 });
    expect(left).toEqual(Array.from({ length: left.length }, (_, n) => sha256Hex(`answer ${60 - left.length + n}`)));
    expect(db.query<{ n: number }, []>("SELECT count(*) AS n FROM inputs").get()?.n).toBe(left.length);
    expect(reader.list({ since_ms: 0, after: left[0] ?? "", limit: 1 })).toEqual([left[1] ?? ""]);
    reader.close();
    // Everything may end, too.
    expect(writer.prune({ before_ms: 0, bytes_max: 0 })).toBe(left.length);
    db.close();
  });

  test("a foreign file is put aside, and reported", async () => {
    writeFileSync(join(folder, "other.db"), "no database at all, but a text of some length");
    const { store, events, sell } = createRig("other");
    const hash = await sell("answer", 1);
    await store.flush();
    expect(store.identify(hash)).not.toBeNull();
    expect(events.map(({ event }) => event)).toEqual(["inputs_db_replaced"]);
    expect(readdirSync(folder).some((name) => name.startsWith("other.db.broken-"))).toBe(true);
    await store.close();
  });

  test("a store that cannot be written loses inputs, not sales: said once, counted, written again", async () => {
    // A folder in the place of the file: the thread cannot open it, as on a disk that fails.
    mkdirSync(join(folder, "lost.db"));
    const { store, events, sell } = createRig("lost");
    await sell("a", 1);
    await store.flush();
    await sell("b", 2);
    await store.flush();
    expect(store.status()).toMatchObject({ kept: 0, lost: 2, waiting: 0 });
    expect(events.map(({ event }) => event)).toEqual(["inputs_not_kept"]);
    rmSync(join(folder, "lost.db"), { recursive: true });
    const hash = await sell("c", 3);
    await store.flush();
    expect(store.identify(hash)).not.toBeNull();
    expect(events.map(({ event }) => event)).toEqual(["inputs_not_kept", "inputs_kept_again"]);
    await store.close();
  });

  test("nobody sold anything: there is no file, and nothing is found", async () => {
    const { store, file } = createRig("none");
    expect([store.get("0"), store.identify("0"), store.list({ since_ms: 0, limit: 1 })]).toEqual([null, null, []]);
    await store.close();
    expect(existsSync(file)).toBe(false);
  });
});
