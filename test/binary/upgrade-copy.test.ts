import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { registry } from "../../src/plugins/registry.gen.ts";
import { BINARY, cleanUp, newFolder, newPayer } from "../helpers/demo-node.ts";
import { until } from "../helpers/hang-limit.ts";
import { localPlugin, startFacilitator, startUpstream } from "../helpers/run-node.ts";
import { createPaymentPayload } from "../helpers/sign-for.ts";

/**
 * The compiled program gives its place to another process, under load, while its ledger is copied as it is written: the
 * copy goes on in the next process, and every minute between the two comes back.
 */
const HAND_OVERS = 3;
const folder = newFolder();
const config = join(folder, "node.toml");
const data = join(folder, "data");
const copy = join(folder, "copy");
const upstream = startUpstream();
const facilitator = startFacilitator();
let node: Bun.Subprocess<"ignore", "ignore", "pipe">;
let log = "";

interface Facts {
  readonly pid: number;
  readonly url: string;
}
const running = (): Facts => JSON.parse(readFileSync(join(data, "running.json"), "utf8")) as Facts;

async function call(...args: readonly string[]) {
  const child = Bun.spawn([BINARY, ...args], { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { code, out, err };
}

beforeAll(async () => {
  for (const name of ["plugins", "copy"]) mkdirSync(join(folder, name));
  writeFileSync(join(folder, "plugins", "local.ts"), localPlugin(upstream.url));
  const others = registry.map(({ id }) => JSON.stringify(id)).join(", ");
  writeFileSync(
    config,
    `[[facilitators]]\nkind = "remote"\nurl = "${facilitator.url}"\n[server]\nport = 0\n[data]\ndir = "data"\n` +
      `[plugins]\ndir = "plugins"\ndisabled = [${others}]\n[payments]\ntestnet = true\n[wallets.base]\n` +
      'pay_to = "0x90F79bf6EB2c4f870365E785982E1f101E93b906"\n[limits]\nloopback_exempt = true\n' +
      `[copy]\nto = ${JSON.stringify(copy)}\n`,
  );
  node = Bun.spawn([BINARY, "run", "--config", config], { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  void (async () => {
    for await (const chunk of node.stderr) log += new TextDecoder().decode(chunk);
  })();
  await until(() => existsSync(join(data, "running.json")), "the node");
});

afterAll(async () => {
  if (existsSync(join(data, "running.json")) && running().pid !== node.pid) process.kill(running().pid, "SIGKILL");
  node.kill("SIGKILL");
  await Promise.all([upstream.stop(), facilitator.stop()]);
  await cleanUp();
});

interface Books {
  readonly calls: ReadonlySet<string>;
  readonly receipts: ReadonlySet<string>;
}

function readBooks(file: string): Books {
  const db = new Database(file, { readonly: true });
  try {
    const read = (sql: string) =>
      new Set(
        db
          .query(sql)
          .values()
          .map(([id]) => String(id)),
      );
    return { calls: read("SELECT 'call_' || id FROM calls"), receipts: read("SELECT id FROM receipts") };
  } finally {
    db.close();
  }
}

let restored = 0;
/** The books as the copy has them, of a moment or newest. */
async function restore(at_ms?: number): Promise<Books> {
  restored += 1;
  const to = join(folder, `restored-${restored}`);
  const at = at_ms === undefined ? [] : ["--at", new Date(at_ms).toISOString()];
  const { code, err } = await call("restore", copy, "--data", to, ...at);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return readBooks(join(to, "ledger.db"));
}

/** What was acknowledged, in its order. */
interface Sold {
  /** When it was asked for. */
  readonly asked_ms: number;
  readonly id: string;
}

test(`${HAND_OVERS} hand-overs under load lose no sale of the copy, and each minute comes back`, async () => {
  const { url } = running();
  const issued = await call("keys", "issue", "--credit", "1000", "--config", config, "--url", url, "--json");
  const { api_key } = JSON.parse(issued.out) as { readonly api_key: string };
  const sold: Sold[] = [];
  const wrong: string[] = [];
  let done = false;
  const note = async (calling: Promise<Response>): Promise<void> => {
    const asked_ms = Date.now();
    const response = await calling;
    const text = await response.text();
    const id = response.headers.get("x-receipt-id") ?? "";
    // A payer who calls for the same again within a minute gets what he paid for.
    const is_new = !sold.some((one) => one.id === id);
    if (response.status === 200 && is_new) sold.push({ asked_ms, id });
    else if (response.status !== 200) wrong.push(`${response.status} ${text.slice(0, 200)}`);
  };
  const ask = async (work: () => Promise<void>) => {
    while (!done) await work().catch((error: unknown) => void wrong.push(String(error)));
  };
  const payer = newPayer();
  const load = [
    ...[{}, { connection: "close" }].map((more) =>
      ask(async () => note(fetch(`${url}/local`, { headers: { "x-api-key": api_key, ...more } }))),
    ),
    ask(async () => {
      const signed = await createPaymentPayload(await fetch(`${url}/local`), payer);
      await note(fetch(`${url}/local`, { headers: { "payment-signature": signed, "x-allow-duplicate": "1" } }));
    }),
  ];
  const moments: { readonly before: number; readonly at_ms: number }[] = [];
  for (let n = 0; n < HAND_OVERS; n += 1) {
    const known = sold.length;
    await until(() => sold.length > known + 10, "sales before a hand-over");
    const before = sold.length;
    const { pid } = running();
    process.kill(pid, "SIGUSR2");
    await until(() => existsSync(join(data, "running.json")) && running().pid !== pid, "another process");
    const [served] = sold.slice(-1);
    await until(() => sold.at(-1) !== served, "a sale after a hand-over");
    moments.push({ before, at_ms: Date.now() });
  }
  const last = sold.length;
  await until(() => sold.length > last + 10, "sales after the hand-overs");
  done = true;
  await Promise.all(load);
  expect(wrong).toEqual([]);
  node.kill("SIGTERM");
  expect(await node.exited).toBe(0);
  expect(log).not.toContain("handover_failed");

  const books = readBooks(join(data, "ledger.db"));
  expect(sold.filter(({ id }) => !books.calls.has(id) && !books.receipts.has(id))).toEqual([]);
  // All that was sold, in all of its lives.
  expect(await restore()).toEqual(books);
  for (const { before, at_ms } of moments) {
    const then = await restore(at_ms);
    const has = ({ id }: Sold): boolean => then.calls.has(id) || then.receipts.has(id);
    expect(sold.slice(0, before).filter((one) => !has(one))).toEqual([]);
    expect(sold.filter((one) => one.asked_ms > at_ms && has(one))).toEqual([]);
  }
});
