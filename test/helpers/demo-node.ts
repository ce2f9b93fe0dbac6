import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { wrapFetchWithPayment as wrapFetchV1 } from "x402-fetch";
import { until } from "./hang-limit.ts";
import { noteOutput, noteSecret } from "./secrets.ts";
import { createPaymentPayload } from "./sign-for.ts";

/** The compiled binary; build.sh makes it before the tests run. */
export const BINARY = process.env.TEST_BINARY ?? join(import.meta.dir, "..", "..", "dist", "intel-node");

export interface DemoNode {
  readonly url: string;
  readonly operator_token: string;
  readonly data: string;
  readonly pid: number;
  /** POSTs to the control door, or GETs without a body. Throws unless it answers 200. */
  control(path: string, body?: unknown): Promise<Record<string, unknown>>;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  /** Everything it wrote to standard error so far. */
  log(): string;
  /** SIGTERM; resolves to the exit code. */
  stop(): Promise<number>;
  /** SIGKILL. */
  kill(): Promise<void>;
}

export interface DemoOptions {
  readonly data?: string;
  readonly args?: readonly string[];
  readonly env?: Record<string, string>;
  readonly cwd?: string;
  /**
   * Whether it has a past, so that there are previews, and records of some days; "resting" when it only shows them and
   * runs no job before its first mark, which saves seconds of a core; "anew" when it has to live it while the test
   * looks, "whole" for records of as many days as the demo has, which takes longer. Default: no.
   */
  readonly history?: boolean | "resting" | "anew" | "whole";
  /**
   * Built-in domains that it sells; all of them unless given. The others have no jobs either: a test about money that
   * skips time need not wait for what the world did in between.
   */
  readonly domains?: readonly string[];
}

/** The built-in domains: one folder each. */
export const DOMAINS: readonly string[] = readdirSync(join(import.meta.dir, "../../src/plugins"), {
  withFileTypes: true,
}).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));

/** Arguments for a demo of some domains alone; its configuration stands in the data folder. */
function domainArgs(data: string, domains: readonly string[] | undefined): readonly string[] {
  if (domains === undefined) return [];
  const unknown = domains.filter((id) => !DOMAINS.includes(id));
  if (unknown.length > 0) throw new Error(`no built-in domain: ${unknown.join(", ")}`);
  const file = join(data, "test-domains.toml");
  const disabled = DOMAINS.filter((id) => !domains.includes(id));
  writeFileSync(file, `[plugins]\ndisabled = ${JSON.stringify(disabled)}\n`);
  return ["--config", file];
}

/** Enough for every product that shows records. */
const HISTORY_DAYS = "5";
/** A data folder of a demo that has lived such a past; the runner of all tests makes one, for it takes seconds. */
const PAST = process.env.TEST_PAST;
const started: DemoNode[] = [];
const folders: string[] = [];

export function newFolder(name = "intel-node-test-"): string {
  const folder = mkdtempSync(join(tmpdir(), name));
  folders.push(folder);
  return folder;
}

/** Puts a past that was lived before into a data folder; none where the runner of all tests made none. */
export function copyPast(data: string): void {
  if (PAST) cpSync(PAST, data, { recursive: true });
}

function historyArgs(history: DemoOptions["history"] = false): readonly string[] {
  if (history === "whole") return [];
  // What stands in the folder is shown all the same.
  const rests = history === false || (history === "resting" && PAST !== undefined);
  return rests ? ["--no-history"] : ["--history-days", HISTORY_DAYS];
}

/** Starts the compiled binary as `demo --serve` on a free port and waits for its ready line. */
export async function startDemo(options: DemoOptions = {}): Promise<DemoNode> {
  if (!existsSync(BINARY)) throw new Error("dist/intel-node is missing: run ./build.sh");
  const data = options.data ?? newFolder();
  if (options.history === true || options.history === "resting") copyPast(data);
  const args = [...historyArgs(options.history), ...domainArgs(data, options.domains), ...(options.args ?? [])];
  const child = Bun.spawn([BINARY, "demo", "--serve", "--port", "0", "--data", data, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    cwd: options.cwd ?? data,
    env: { ...process.env, ...options.env },
  });
  let log = "";
  const drain = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of child.stderr) {
      const text = decoder.decode(chunk, { stream: true });
      log += text;
      noteOutput("demo", text);
    }
  })();
  const line = await readLine(child.stdout, () => log);
  const { url, operator_token } = JSON.parse(line);
  noteSecret(operator_token);
  const node: DemoNode = {
    url,
    operator_token,
    data,
    pid: child.pid,
    async control(path, body) {
      const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
      const response = await fetch(`${url}/__sandbox${path}`, init);
      if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
      return (await response.json()) as Record<string, unknown>;
    },
    async get(path, headers = {}) {
      const response = await fetch(`${url}${path}`, { headers, redirect: "manual" });
      // An answer that hands nothing over has no secret to tell either.
      if (response.status !== 200) noteOutput("refusals", await response.clone().text());
      return response;
    },
    log: () => log,
    async stop() {
      child.kill("SIGTERM");
      const code = await child.exited;
      await drain;
      return code;
    },
    async kill() {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
  started.push(node);
  return node;
}

/** @throws the error, unless it is that of a connection which the node closed: one that ended refuses the next. */
function nullIfReset(error: unknown): null {
  if ((error as NodeJS.ErrnoException).code === "ECONNRESET") return null;
  throw error;
}

/** The free preview of a path as soon as there is one: a new node takes its first snapshots while it answers. */
export async function waitForPreview(node: DemoNode, path: string): Promise<{ readonly as_of: string }> {
  let text = "";
  const isThere = async (): Promise<boolean> => {
    // It waits for the past, on a crowded machine for longer than a connection may stand still.
    const response = await node.get(`${path}?preview=1`).catch(nullIfReset);
    if (response === null) return false;
    text = await response.text();
    return response.status === 200;
  };
  await until(isThere, `the preview of ${path}`, 50).catch((cause: unknown) => {
    throw new Error(`${path} has no preview: ${node.log().slice(-2_000)}`, { cause });
  });
  return JSON.parse(text) as { as_of: string };
}

/** Waits until a new demo has lived its past: every preview is there then, and the records. */
export async function waitForPast(node: DemoNode): Promise<void> {
  await waitForPreview(node, "/win-rate-verified");
}

async function readLine(stream: ReadableStream<Uint8Array>, log: () => string): Promise<string> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`the node ended before it was ready: ${log()}`);
    text += decoder.decode(value, { stream: true });
    const end = text.indexOf("\n");
    if (end >= 0) return text.slice(0, end);
  }
}

/** Kills every node and removes every folder of a test file; call it in afterAll. */
export async function cleanUp(): Promise<void> {
  await Promise.all(started.splice(0).map((node) => node.kill()));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

export const newPayer = (): PrivateKeyAccount => {
  const key = generatePrivateKey();
  noteSecret(key);
  return privateKeyToAccount(key);
};

/** fetch that pays as the unmodified official version 2 client does. */
export const payingFetch = (account = newPayer()): typeof fetch =>
  wrapFetchWithPayment(fetch, new x402Client().register("eip155:*", new ExactEvmScheme(account))) as typeof fetch;

/** fetch that pays as the unmodified official version 1 client does. */
export const payingFetchV1 = (account = newPayer()): typeof fetch =>
  wrapFetchV1(fetch, account as unknown as Parameters<typeof wrapFetchV1>[1]) as typeof fetch;

/** Signs a payment for a path by hand and returns the header, to be sent as often as a test likes. */
export async function signFor(node: DemoNode, path: string, account = newPayer()): Promise<string> {
  return createPaymentPayload(await node.get(path), account);
}
