import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JobContext } from "../catalog/context.ts";
import { type DatasetFiles, defineDataset } from "../catalog/dataset.ts";
import { defineProvider } from "../catalog/provider.ts";
import { column } from "../catalog/table.ts";
import { buildDataset } from "./dataset-build.ts";
import { createDatasetFiles } from "./dataset-files.ts";
import { takeIn } from "./dataset-intake.ts";
import { openDatasetStore } from "./dataset-store.ts";

const NOW_MS = Date.UTC(2026, 10, 22);
const provider = defineProvider({
  id: "acme",
  title: "Acme",
  docs_url: "https://acme.example/docs",
  base_urls: ["https://acme.example"],
  terms: { class: "open", note: "Free for all." },
  limits: { rate_per_s: 1, burst: 1, timeout_ms: 1_000, attempts: 1, body_bytes_max: 1_000_000 },
});

/** What the publisher says next. */
interface Publisher {
  text: string;
  version: string;
  sha256?: string;
}

const createList = (published: Publisher) =>
  defineDataset({
    name: "acme/list",
    schedule: "0 * * * *",
    providers: [provider],
    deadline_ms: 10_000,
    columns: { id: column.integer(), name: column.text() },
    key: ["id"],
    indexes: [["name"]],
    max_age: "2d",
    async fetch({ fetchFile, current }) {
      if (current?.version === published.version) return null;
      const { sha256 } = published;
      const file = await fetchFile(provider, { path: "/list.csv", ...(sha256 === undefined ? {} : { sha256 }) });
      return { version: published.version, published_at_ms: NOW_MS, files: { list: file } };
    },
    async *parse(files) {
      for await (const { id, name } of files.csv("list")) yield { id: Number(id), name: name ?? "" };
    },
  });

const csvOf = (rows: number): string =>
  `id,name\n${Array.from({ length: rows }, (_, id) => `${id},"name ${id}"\n`).join("")}`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "intel-node-datasets-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** A run whose downloads are what the publisher says, with its digest. */
const createContext = (published: Publisher) =>
  ({
    now_ms: NOW_MS,
    signal: new AbortController().signal,
    sources: () => [{ provider: "acme", url: "https://acme.example/list.csv", fetched_at: "2026-11-22", ok: true }],
    download: async (_: unknown, { to }: { to: string }) => {
      writeFileSync(to, published.text);
      const sha256 = createHash("sha256").update(published.text).digest("hex");
      return { unchanged: false, fetched_at_ms: NOW_MS, bytes: published.text.length, sha256, md5: "" };
    },
  }) as unknown as JobContext;

function createIntake(published: Publisher) {
  const list = createList(published);
  const store = openDatasetStore(folder);
  store.add("acme", list);
  const take = () => takeIn(list, createContext(published), { store, build: (order) => buildDataset(list, order) });
  return { list, store, take };
}

describe("a dataset", () => {
  test("is taken in, found by key and by index, and known after a restart", async () => {
    const published = { text: csvOf(1_000), version: "1" };
    const { list, store, take } = createIntake(published);
    expect(() => store.open(list, NOW_MS)).toThrow("no version was taken in yet");
    expect(await take()).toMatchObject({ version: "1", rows: 1_000, bytes: published.text.length });
    expect(await take()).toBe(null);
    store.close();
    const again = createIntake(published);
    const reader = again.store.open(again.list, NOW_MS + 86_400_000);
    expect(reader).toMatchObject({ version: "1", published_at_ms: NOW_MS, taken_at_ms: NOW_MS, rows: 1_000 });
    expect(reader.sources[0]?.provider).toBe("acme");
    expect(await reader.first({ where: { id: 7 } })).toEqual({ id: 7, name: "name 7" });
    expect(await reader.find({ where: { name: "name 8" } })).toEqual([{ id: 8, name: "name 8" }]);
    expect(() => again.store.open(again.list, NOW_MS + 3 * 86_400_000)).toThrow("72 h old");
    again.store.close();
  });

  test("is replaced by its next version while a reader still reads the old one", async () => {
    const published = { text: csvOf(100), version: "1" };
    const { list, store, take } = createIntake(published);
    await take();
    const old = store.open(list, NOW_MS);
    Object.assign(published, { text: csvOf(120), version: "2" });
    await take();
    expect([await old.count(), await store.open(list, NOW_MS).count()]).toEqual([100, 120]);
    Object.assign(published, { version: "3" });
    await take();
    // The newest, and the one before it, which calls may still be reading.
    expect(readdirSync(folder).sort()).toEqual(["acme--list.2.db", "acme--list.3.db"]);
    store.close();
  });

  test.each([
    ["a list of 79 % of its last size", { text: csvOf(79) }, "79 rows where at least 80 are due"],
    ["an empty list", { text: "id,name\n" }, "0 rows"],
    ["another content than was published", { sha256: "0".repeat(64) }, "digest"],
    ["a file that is cut off in a line", { text: `${csvOf(100)}100` }, "Invalid Record Length"],
    ["a file that is cut off in a quote", { text: `${csvOf(100)}100,"name` }, "Quote Not Closed"],
    ["an id that is there twice", { text: `${csvOf(100)}5,"again"\n` }, "UNIQUE"],
    ["an invalid number", { text: `${csvOf(100)}x,"name"\n` }, "is no integer"],
    ["bytes that are no text", { text: "" }, "only 0 bytes"],
  ])("%s is refused, and the last good version stays", async (_, change, why) => {
    const published: Publisher = { text: csvOf(100), version: "1" };
    const { list, store, take } = createIntake(published);
    await take();
    Object.assign(published, { version: "2" }, change);
    await expect(take()).rejects.toThrow(why);
    expect(store.open(list, NOW_MS)).toMatchObject({ version: "1", rows: 100 });
    expect(readdirSync(folder)).toEqual(["acme--list.1.db"]);
    store.close();
  });

  test("at exactly 80 % of its last size is taken", async () => {
    const published = { text: csvOf(100), version: "1" };
    const { store, take } = createIntake(published);
    await take();
    Object.assign(published, { version: "2", text: csvOf(80) });
    expect(await take()).toMatchObject({ version: "2", rows: 80 });
    store.close();
  });

  test("of another form than is declared now, or a damaged file, is fetched again", async () => {
    const published = { text: csvOf(100), version: "1" };
    const first = createIntake(published);
    await first.take();
    first.store.close();
    writeFileSync(join(folder, "acme--list.1.db"), "no database, but long enough to be taken for one".repeat(90));
    const { store, take } = createIntake(published);
    expect(await take()).toMatchObject({ rows: 100 });
    store.close();
  });
});

/** Takes in versions one after the other in its own process until it is killed. */
const CHILD = `
  import { buildDataset } from "${import.meta.dir}/dataset-build.ts";
  import { takeIn } from "${import.meta.dir}/dataset-intake.ts";
  import { openDatasetStore } from "${import.meta.dir}/dataset-store.ts";
  import { column, defineTable } from "${import.meta.dir}/../catalog/table.ts";
  import { writeFileSync } from "node:fs";
  const [folder] = process.argv.slice(-1);
  const store = openDatasetStore(folder);
  let next = 0;
  const dataset = {
    name: "acme/list", schedule: "* * * * *", providers: [], deadline_ms: 10_000,
    columns: { id: column.integer(), version: column.integer() }, key: ["id"],
    fetch: async ({ current, fetchFile }) => {
      next = Number(current?.version ?? 0) + 1;
      const list = await fetchFile({ id: "acme" }, { path: "/" });
      return { version: String(next), published_at_ms: null, files: { list } };
    },
    parse: async function* () { for (let id = 0; id < 3_000; id += 1) yield { id, version: next }; },
  };
  store.add("acme", dataset);
  const context = { now_ms: 1, signal: new AbortController().signal, sources: () => [],
    download: async (_, { to }) => {
      writeFileSync(to, "x");
      return { unchanged: false, sha256: "", md5: "", bytes: 1 };
    } };
  for (;;) {
    const { version } = await takeIn(dataset, context, { store, build: (order) => buildDataset(dataset, order) });
    console.log(version);
  }
`;

test("kill -9 at any moment leaves a whole version, the newest that was told or the one after", async () => {
  const list = defineDataset({
    name: "acme/list",
    schedule: "* * * * *",
    providers: [],
    deadline_ms: 10_000,
    columns: { id: column.integer(), version: column.integer() },
    key: ["id"],
    fetch: async () => null,
    async *parse() {},
  });
  const script = join(folder, "child.ts");
  writeFileSync(script, CHILD);
  const data = join(folder, "data");
  let told = 0;
  for (let round = 0; round < 8; round += 1) {
    const child = Bun.spawn([process.execPath, script, data], { stdio: ["ignore", "pipe", "pipe"] });
    const reader = child.stdout.getReader();
    let out = "";
    // Killed after some versions, at no moment in particular.
    for (let chunks = 0; chunks < 2 + round; chunks += 1) {
      out += new TextDecoder().decode((await reader.read()).value);
    }
    await Bun.sleep(round * 3);
    child.kill(9);
    for (let read = await reader.read(); !read.done; read = await reader.read())
      out += new TextDecoder().decode(read.value);
    await child.exited;
    told = Math.max(told, ...out.trim().split("\n").map(Number));
    const store = openDatasetStore(data);
    store.add("acme", list);
    const found = store.open(list, NOW_MS);
    const version = Number(found.version);
    expect(version === told || version === told + 1).toBe(true);
    expect(await found.count({ version })).toBe(3_000);
    store.close();
  }
});

describe("files", () => {
  const read = async <T>(rows: AsyncIterable<T>): Promise<T[]> => Array.fromAsync(rows);
  const withFile = (content: string | Uint8Array): DatasetFiles => {
    writeFileSync(join(folder, "f"), content);
    return createDatasetFiles("1", { f: join(folder, "f") });
  };

  test("CSV in latin1, by semicolons, without a line of names", async () => {
    const files = withFile(Buffer.from('1;"São ""Paulo"""\n2;caf\u00e9 \u0080\n', "latin1"));
    const rows = await read(files.csv("f", { charset: "latin1", delimiter: ";", columns: ["id", "name"] }));
    expect(rows).toEqual([
      { id: "1", name: 'São "Paulo"' },
      { id: "2", name: "café €" },
    ]);
  });

  test("in another charset than is stated are refused", async () => {
    const files = withFile(Buffer.from("name\ncaf\u00e9\n", "latin1"));
    await expect(read(files.csv("f"))).rejects.toThrow("no text in utf-8");
    await expect(files.text("f")).rejects.toThrow("no text in utf-8");
    expect(await files.text("f", { charset: "latin1" })).toBe("name\ncafé\n");
  });

  test("XML, element by element, with what is in it", async () => {
    const files = withFile(
      '<?xml version="1.0"?><l><e id="1"><n>A &amp; B</n><n><![CDATA[<C>]]></n></e><o/><d><e id="2">x</e></d></l>',
    );
    expect(await read(files.xml("f", "e"))).toEqual([
      {
        name: "e",
        attributes: { id: "1" },
        text: "",
        children: [
          { name: "n", attributes: {}, children: [], text: "A & B" },
          { name: "n", attributes: {}, children: [], text: "<C>" },
        ],
      },
      { name: "e", attributes: { id: "2" }, children: [], text: "x" },
    ]);
  });

  test.each([
    ["is cut off", "<l><e>1</e><e>2"],
    ["closes what it did not open", "<l><e>1</l></e>"],
    ["names its own entity", '<!DOCTYPE l [<!ENTITY x "y">]><l><e>&x;</e></l>'],
  ])("XML that %s ends the reading", async (_, text) => {
    await expect(read(withFile(text).xml("f", "e"))).rejects.toThrow("no sound XML");
  });

  test("JSON that is cut off ends the reading", async () => {
    expect(await withFile('{"a":[1]}').json("f")).toEqual({ a: [1] });
    await expect(withFile('{"a":[1').json("f")).rejects.toThrow("no JSON, or is cut off");
    await expect(createDatasetFiles("1", {}).json("f")).rejects.toThrow('no file "f"');
  });
});

test("what a restart finds half fetched is gone with the next taking in", async () => {
  const published = { text: csvOf(10), version: "1" };
  const { store, list, take } = createIntake(published);
  const work = store.prepare(list);
  writeFileSync(join(work, "file-1"), "half");
  await take();
  expect(existsSync(work)).toBe(false);
  store.close();
});
