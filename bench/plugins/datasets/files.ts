import { column, defineDataset, definePlugin, defineProvider } from "intel-node";

/** Serves the files of the benchmark; see bench/datasets.ts. */
const files = defineProvider({
  id: "bench_files",
  title: "Files of the benchmark",
  docs_url: "https://bench.example/docs",
  base_urls: [process.env.BENCH_FILES_URL ?? "http://127.0.0.1:1"],
  terms: { class: "open", note: "Made by the benchmark itself." },
  limits: { rate_per_s: 100, burst: 100, timeout_ms: 60_000, attempts: 1, body_bytes_max: 100_000_000 },
});

const base = { schedule: process.env.BENCH_FILES_SCHEDULE ?? "0 4 * * *", providers: [files], deadline_ms: 300_000 };
const columns = { id: column.integer(), name: column.text(), country: column.text(), note: column.text() };
const rowOf = (id: unknown, name: unknown, country: unknown, note: unknown) => ({
  id: Number(id),
  name: String(name),
  country: String(country),
  note: String(note),
});

export const xml = defineDataset({
  ...base,
  name: "bench/xml",
  columns,
  key: ["id"],
  indexes: [["name"]],
  async fetch({ fetchFile }) {
    return { version: "1", published_at_ms: null, files: { list: await fetchFile(files, { path: "/list.xml" }) } };
  },
  async *parse(read) {
    for await (const { attributes, children } of read.xml("list", "entry")) {
      const textOf = (name: string) => children.find((child) => child.name === name)?.text ?? "";
      yield rowOf(attributes.id, textOf("name"), textOf("country"), textOf("note"));
    }
  },
});

export const csv = defineDataset({
  ...base,
  name: "bench/csv",
  columns,
  key: ["id"],
  indexes: [["name"]],
  async fetch({ fetchFile }) {
    const unpack = [{ kind: "zip", bytes_max: 50_000_000 }] as const;
    return {
      version: "1",
      published_at_ms: null,
      files: { list: await fetchFile(files, { path: "/list.zip", unpack }) },
    };
  },
  async *parse(read) {
    for await (const { id, name, country, note } of read.csv("list", { charset: "latin1", delimiter: ";" })) {
      yield rowOf(id, name, country, note);
    }
  },
});

export const json = defineDataset({
  ...base,
  name: "bench/json",
  columns,
  key: ["id"],
  indexes: [["name"]],
  async fetch({ fetchFile }) {
    return { version: "1", published_at_ms: null, files: { list: await fetchFile(files, { path: "/list.json" }) } };
  },
  async *parse(read) {
    const list = (await read.json("list")) as readonly Record<string, unknown>[];
    for (const { id, name, country, note } of list) yield rowOf(id, name, country, note);
  },
});

export default definePlugin({ id: "bench", title: "Benchmark", datasets: [xml, csv, json] });
