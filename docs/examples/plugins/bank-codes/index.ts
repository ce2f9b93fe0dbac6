import { Type } from "@sinclair/typebox";
import {
  column,
  defineDataset,
  defineJob,
  definePlugin,
  defineProduct,
  defineProvider,
  defineSimulator,
  defineTable,
} from "intel-node";

/** A publisher of a bulk file. Its config table: [providers.bank_codes]. */
const publisher = defineProvider({
  id: "bank_codes",
  title: "Register of bank codes (example)",
  docs_url: "https://bank-codes.example/docs",
  base_urls: ["https://bank-codes.example"],
  terms: { class: "open", note: "An example: there is no such publisher." },
  limits: { rate_per_s: 1, burst: 2, timeout_ms: 60_000, attempts: 2, body_bytes_max: 50_000_000 },
});

/** The register: one CSV file in latin1, a new one every night. */
const register = defineDataset({
  name: "bank-codes/register",
  schedule: "30 4 * * *",
  providers: [publisher],
  deadline_ms: 300_000,
  columns: { code: column.text(), name: column.text(), closed_on: column.nullable(column.text()) },
  key: ["code"],
  max_age: "7d",
  // In the node: is there something newer, and is it whole?
  async fetch(context) {
    const latest = await context.get(publisher, {
      path: "/latest.json",
      schema: Type.Object({ date: Type.String(), sha256: Type.String(), state: Type.String() }),
      ttl_ms: 0,
    });
    if (latest.date === context.current?.version) return null;
    if (latest.state !== "final") throw new Error(`the register of ${latest.date} is ${latest.state}`);
    const file = await context.fetchFile(publisher, { path: `/${latest.date}.csv`, sha256: latest.sha256 });
    return { version: latest.date, published_at_ms: Date.parse(latest.date), files: { register: file } };
  },
  // In a worker: what is in it?
  async *parse(files) {
    for await (const line of files.csv("register", { charset: "latin1", delimiter: ";" })) {
      const { CODE: code = "", NAME: name = "", CLOSED: closed = "" } = line;
      if (!/^\d{4}$/.test(code)) throw new Error(`"${code.slice(0, 20)}" is no bank code`);
      yield { code, name, closed_on: closed === "" ? null : closed };
    }
  },
});

/** When each version was first seen: cannot be had again, so it is kept. */
const versions = defineTable({
  name: "bank-codes/versions",
  storage: "kept",
  columns: { version: column.text(), seen_at_ms: column.integer(), banks: column.integer() },
  key: ["version"],
});

const noteVersion = defineJob({
  id: "bank-codes-note-version",
  schedule: "45 * * * *",
  providers: [],
  at_start: false,
  deadline_ms: 10_000,
  async run(context) {
    const { version, rows } = await context.dataset(register);
    const table = context.table(versions);
    if ((await table.count({ version })) > 0) return;
    await table.insert([{ version, seen_at_ms: context.now_ms, banks: rows }]);
  },
});

const bankCode = defineProduct({
  path: "/bank-code",
  title: "Bank by its code",
  description: "Which bank a code stands for, in the newest version of the register, and since when that is known.",
  category: "example",
  tags: ["banks", "example"],
  price_usd: "0.001",
  params: Type.Object({ code: Type.String({ pattern: "^\\d{4}$", default: "0001" }) }),
  data: Type.Object(
    {
      code: Type.String({ description: "the code asked for" }),
      name: Type.Union([Type.String(), Type.Null()], {
        description: "name of the bank; null when nobody has the code",
      }),
      closed_on: Type.Union([Type.String(), Type.Null()], { description: "day it was closed; null while it is open" }),
      version: Type.String({ description: "version of the register" }),
      banks: Type.Integer({ minimum: 1, description: "banks in that version" }),
    },
    { additionalProperties: false },
  ),
  example: {
    params: { code: "0001" },
    as_of: "2026-01-01T00:00:00Z",
    data: { code: "0001", name: "Banco São José", closed_on: null, version: "2026-01-01", banks: 1_000 },
  },
  providers: [publisher],
  requires: [[publisher]],
  ttl: "60s",
  deadline_ms: 3_000,
  preview: { every: "1h", delay: "1m" },
  async fetch(context, { code }) {
    const found = await context.dataset(register);
    return { code, bank: await found.first({ where: { code } }), found };
  },
  compute: ({ code, bank, found }) => ({
    as_of_ms: found.published_at_ms ?? found.taken_at_ms,
    data: {
      code,
      name: bank?.name ?? null,
      closed_on: bank?.closed_on ?? null,
      version: found.version,
      banks: found.rows,
    },
    warnings: bank === null ? [`name: no bank has the code ${code}`] : [],
  }),
});

const LINES = Array.from({ length: 1_000 }, (_, code) => `${String(code).padStart(4, "0")};Banco São ${code};\n`);
const LIST = `CODE;NAME;CLOSED\n${LINES.join("")}`;

/** How the sandbox plays the publisher, so that the plugin can be bought from offline. */
const simulator = defineSimulator({
  provider: publisher.id,
  respond({ path }, world) {
    const date = new Date(world.now()).toISOString().slice(0, 10);
    const body = Buffer.from(LIST, "latin1");
    const sha256 = new Bun.CryptoHasher("sha256").update(body).digest("hex");
    if (path === "/latest.json") return { json: { date, sha256, state: "final" } };
    return path === `/${date}.csv` ? { bytes: body } : { status: 404, text: "Not Found" };
  },
});

export default definePlugin({
  id: "bank-codes",
  title: "Example: a register as a dataset",
  products: [bankCode],
  jobs: [noteVersion],
  tables: [versions],
  datasets: [register],
  simulators: [simulator],
});
