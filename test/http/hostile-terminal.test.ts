import { afterAll, beforeAll, describe, expect, spyOn, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { formOf, OPERATION_NAMES } from "../../src/admin/operations.ts";
import { createAdminProgram } from "../../src/commands/admin-program.ts";
import { listCommands } from "../../src/commands/command-table.ts";
import { createProgram } from "../../src/commands/program.ts";
import { sha256Hex } from "../../src/core/hash.ts";
import { openLedger } from "../../src/ledger/ledger.ts";
import { lockDataDirectory } from "../../src/ledger/sqlite/open.ts";
import { createLog } from "../../src/telemetry/log.ts";
import { createSeller, makeSampleLedger, removeLedgerFolders } from "../helpers/sample-ledger.ts";
import { createStillClock } from "../helpers/still-clock.ts";

/** A word of a stranger: orders to a terminal in 7 and 8 bits, a turned line, a tag, a forged line, a formula. */
const WORD = '=1+1,"Evil\u001b[2J\u009b31m\u202e\u2066\u{e0041}\u200b\u0000\r\nFORGED\u2028FORGED\u0085FORGED';
/** What no line of ours may hold. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]/u;

/** Any answer at all, with a stranger's word in every field a reader may look for. */
const FIELDS = ["key_id", "label", "plan", "balance_usd", "pass_until", "created_at", "id", "product", "at"] as const;
const one = { ...Object.fromEntries(FIELDS.map((name) => [name, WORD])), calls: WORD, deep: { list: [WORD] } };
const sum = { organic: { usd: WORD, count: 1 }, operator_test: { usd: WORD, count: 1 } };
const overview = {
  version: WORD,
  status: WORD,
  now: WORD,
  uptime_s: 60,
  memory_mb: 1,
  reasons: [WORD],
  open_alerts: [{ severity: WORD, title: WORD, since: WORD }],
  received: { today: sum, days_7: sum, days_30: sum },
  last_24h: { paid: 1, challenges: 1, previews: 1, errors_5xx: 1 },
  latency_ms: { x402: null, key: null },
  uncharged_failures: { [WORD]: 1 },
  refusals: { [WORD]: 1 },
  unpaid_work: { units: 1, per_minute: { holder: 30 }, refused: { holder: 1 } },
  products: { sold: 1, off_sale: 0, withheld: 0 },
  networks: [{ network: WORD, ok: true }],
  unknown_settlements: 0,
  sales: [{ settled_at: WORD, product: WORD, amount_usd: WORD, network: WORD, label: WORD }],
};
const SECTIONS = { ...one, ...overview, items: [one, { [WORD]: WORD }], children: [one], ok: true, changed: [WORD] };
const keys = { ...one, calls: [one], children: [one] };

let server: ReturnType<typeof Bun.serve>;
/** A data folder whose lock somebody holds: its node runs. */
let data: string;
let unlock: () => void;
/** One that lies still, with sales of hostile words. */
let still: string;
let receipt: string;
let bundle: string;
/** Of an operator who has that server among his peers. */
let config: string;
let printed: string[] = [];

beforeAll(async () => {
  server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname === "/rpc") return Response.json({ jsonrpc: "2.0", id: 1, error: { code: 1, message: WORD } });
      if (pathname === "/admin/keys") {
        const { command } = (await request.json()) as { command: string };
        if (command === "revoke") return Response.json({ detail: WORD }, { status: 409 });
        return Response.json(command === "list" ? { items: [one], next: null } : keys);
      }
      if (pathname === "/admin/api/reload") return Response.json({ ok: true, changed: [WORD], needs_restart: [WORD] });
      return Response.json({ ...SECTIONS, needs_restart: [WORD], node_id: WORD, verificationMethod: [{ id: WORD }] });
    },
  });
  data = (await makeSampleLedger()).folder;
  writeFileSync(join(data, "operator.token"), `${"operator".repeat(4)}\n`);
  unlock = lockDataDirectory(data);
  const sample = await makeSampleLedger();
  still = sample.folder;
  const clock = createStillClock(Date.parse("2026-11-21T10:00:00Z"));
  const ledger = openLedger({ file: sample.file, clock });
  await createSeller(ledger, clock.now).sell({ product: WORD, network: "eip155:8453" });
  await ledger.close();
  receipt = join(mkdtempSync(join(tmpdir(), "receipt-")), "receipt.json");
  bundle = join(receipt, "..", "bundle.json");
  config = join(receipt, "..", "node.toml");
  writeFileSync(
    config,
    `[peers]\nurls = ["${url()}"]\n[peers.standin]\nproducts = ["/fear-greed"]\n` +
      `[wallets.base]\npay_to = "0x90F79bf6EB2c4f870365E785982E1f101E93b906"\n[chains.base]\nrpc = ["${url()}/rpc"]\n` +
      `[[facilitators]]\nkind = "remote"\nurl = "${url()}"\n`,
  );
  writeFileSync(bundle, JSON.stringify(createBundle()));
  writeFileSync(receipt, JSON.stringify({ kind: WORD, payload: { [WORD]: WORD }, signature: WORD, format: WORD }));
  for (const method of ["log", "error"] as const) {
    spyOn(console, method).mockImplementation((...texts: unknown[]) => void printed.push(...texts.map(String)));
  }
});
afterAll(async () => {
  for (const method of ["log", "error"] as const) spyOn(console, method).mockRestore();
  unlock();
  rmSync(join(receipt, ".."), { recursive: true });
  removeLedgerFolders();
  await server.stop(true);
});

/** A bundle of a product nobody has, whose hashes hold. */
function createBundle() {
  const [answer, inputs] = [WORD, "null"];
  const named = { node_id: WORD, path: WORD, product: WORD, made_by: WORD, params: "{}" };
  const recipe = { ...named, sandbox: true, now_ms: 0, sources: [], row_warnings: [WORD], view: null };
  const [inputs_sha256, response_sha256] = [sha256Hex(inputs), sha256Hex(answer)];
  return {
    format: "intel-node-bundle/1",
    recipe: { ...recipe, inputs_sha256 },
    code_sha256: null,
    answer,
    response_sha256,
    inputs,
    inputs_sha256,
    withheld: [],
  };
}

/** What a command writes, line by line. */
async function run(words: readonly string[]): Promise<readonly string[]> {
  printed = [];
  const program = words[0] === "admin" ? createAdminProgram(() => undefined) : createProgram(() => undefined);
  await program.parseAsync([...(words[0] === "admin" ? words.slice(1) : words)], { from: "user" });
  return printed.flatMap((text) => text.split("\n"));
}

const url = () => `http://127.0.0.1:${server.port}`;
const node = () => ["--data", data, "--url", url()];
const KEY = "0123456789012345678901234567890123456789012";

/** How each command is given words of strangers to show. */
const SHOWING: Readonly<Record<string, () => readonly string[]>> = {
  "keys issue": () => ["--credit", "1", ...node()],
  "keys top-up": () => ["key_1", "--credit", "1", ...node()],
  "keys list": node,
  "keys show": () => ["key_1", ...node()],
  "keys revoke": () => ["key_1", ...node()],
  "keys expire": () => ["key_1", ...node()],
  "keys refund": () => ["call_1", ...node()],
  top: () => ["--once", ...node()],
  reload: node,
  "ledger audit": () => ["--data", still],
  "ledger report": () => ["--data", still, "--from", "2020-01-01", "--to", "2100-01-01"],
  sales: () => ["--data", still, "--from", "2020-01-01", "--to", "2100-01-01"],
  "books refund": () => ["--transaction", "1", "--reference", "1", "--reason", "1", ...node()],
  "books correct": () => ["--transaction", "1", "--reference", "1", "--reason", "1", ...node()],
  "books explain": () => ["--network", "base", "--transaction", "1", "--reason", "1", ...node()],
  find: () => ["payer-1", "--data", still],
  verify: () => [url()],
  "verify-release": () => ["--source", `\u001b[2J${still}`],
  "verify-anchor": () => [url()],
  "verify-track-record": () => [url()],
  "verify-receipt": () => [receipt, "--key", KEY],
  recompute: () => [bundle],
  "audit self": () => ["--url", url()],
  peers: () => ["--config", config],
  "books compare": () => ["--config", config, "--data", still],
};
/** These show the operator's own words, or write through the same door what the tests beside them look at. */
const OWN = new Set(
  [
    ["run", "demo", "check", "doctor", "init", "upgrade", "catalog", "config example", "config show", "version"],
    ["ledger move", "alerts test", "backup", "restore", "wallet proof", "wallet verify", "withdraw-channel"],
    ["identity show", "identity prepare", "identity rotate", "identity domain", "registry mcp", "plugins"],
    ["products list", "products off", "products on", "providers list", "providers off", "providers on"],
  ].flat(),
);

const faultsOf = (lines: readonly string[]): readonly string[] =>
  lines.filter((line) => UNSEEN.test(line) || line.startsWith("FORGED")).map((line) => JSON.stringify(line));

describe("words of strangers never reach the operator's terminal as they are", () => {
  test("every command is known to show them, or not to", () => {
    const names = listCommands().map(({ words }) => words.join(" "));
    expect(names.filter((name) => name !== "admin" && !OWN.has(name) && !SHOWING[name])).toEqual([]);
  });
  for (const [name, args] of Object.entries(SHOWING)) {
    const command = name.split(" ");
    test(`${name}: as text and as JSON`, async () => {
      const lines = await run([...command, ...args()]);
      expect([lines.length > 0, faultsOf(lines)]).toEqual([true, []]);
      if (name !== "top") expect(faultsOf(await run([...command, ...args(), "--json"]))).toEqual([]);
    });
  }
  for (const name of OPERATION_NAMES) {
    test(`admin ${name}: as text and as JSON`, async () => {
      const needed = formOf(name).input.required ?? [];
      const options = needed.flatMap((parameter) => [`--${parameter.replaceAll("_", "-")}`, "1"]);
      const words = ["admin", name.replaceAll("_", "-"), ...options];
      const lines = await run([...words, ...node()]);
      expect([lines.join("\n").includes("Evil"), faultsOf(lines)]).toEqual([true, []]);
      expect(faultsOf(await run([...words, ...node(), "--json"]))).toEqual([]);
    });
  }
  test("a label stays readable, and JSON stays the same JSON", async () => {
    expect((await run(["keys", "list", ...node()])).join("\n")).toContain("Evil\\u001b[2J\\u009b31m\\u202e");
    const [json = ""] = await run(["keys", "list", ...node(), "--json"]);
    expect(JSON.parse(json)).toEqual({ items: [one], next: null });
  });
  test("a sheet of sales has one row a sale, and no cell is a formula", async () => {
    for (const words of [["sales"], ["ledger", "report"]]) {
      const lines = await run([...words, "--data", still, "--from", "2020-01-01", "--to", "2100-01-01", "--csv"]);
      expect(faultsOf(lines)).toEqual([]);
      const [row = ""] = lines.filter((line) => line.includes("Evil"));
      expect(row).toContain(`"'=1+1,""Evil`);
      expect(lines.join("\n")).not.toMatch(/(?:^|,)"?[=@]/m);
    }
  });
  test("no command writes past the one door", async () => {
    const root = join(import.meta.dir, "../../src/commands");
    // A unit, a configuration and a version: files and words of this program's own. `top` clears the screen first.
    const files = new Set([
      "print.ts",
      "systemd-unit.ts",
      "config-show.ts",
      "program.ts",
      "top.ts",
      "wait-for-stop.ts",
    ]);
    const found: string[] = [];
    for (const file of new Bun.Glob("**/*.ts").scanSync(root)) {
      const text = await Bun.file(join(root, file)).text();
      if (!file.includes(".test.") && !files.has(file) && /console\.|std(?:out|err)\.write/.test(text))
        found.push(file);
    }
    expect(found).toEqual([]);
  });
  for (const format of ["json", "pretty"] as const) {
    test(`a ${format} log line holds them spelled, however deep`, () => {
      const lines: string[] = [];
      const log = createLog({ level: "info", format, secrets: [], write: (text) => void lines.push(text) });
      log.info({ event: "x", text: WORD, deep: { list: [{ text: WORD }] } });
      expect(faultsOf(log.tail().flatMap((line) => line.split("\n")))).toEqual([]);
      expect(log.tail().join("")).toContain("Evil");
    });
  }
});
