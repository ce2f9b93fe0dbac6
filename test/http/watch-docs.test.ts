import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { loadConfig } from "../../src/config/load.ts";
import { newWebhookSecret } from "../../src/core/sign-webhook.ts";
import { newPayer } from "../helpers/demo-node.ts";
import { type ProductNode, startProductNode } from "../helpers/product-node.ts";
import { noteSecret } from "../helpers/secrets.ts";
import { createPaymentPayload } from "../helpers/sign-for.ts";

/** Every snippet of docs/watches.md and docs/stand-ins.md, as it stands there. */
const ROOT = join(import.meta.dir, "..", "..");
const readPage = (name: string): string => readFileSync(join(ROOT, "docs", name), "utf8");
const PAGE = readPage("watches.md");
const fences = (page: string, language: string): readonly string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm"))].map(([, code = ""]) => code);
const SHELL = fences(PAGE, "sh");

interface Told {
  readonly exit: number;
  readonly out: string;
}
async function run(code: string, environment: Record<string, string>): Promise<Told> {
  const child = Bun.spawn(["bash", "-c", code], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env.PATH ?? "", ...environment },
  });
  const [out, exit] = await Promise.all([new Response(child.stdout).text(), child.exited]);
  return { exit, out };
}

/** The head of an answer that goes on for ever. */
async function readHead(code: string, environment: Record<string, string>): Promise<string> {
  const child = Bun.spawn(["bash", "-c", code.replace("curl ", "exec curl -D - ")], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env.PATH ?? "", ...environment },
  });
  const decoder = new TextDecoder();
  let head = "";
  try {
    for await (const piece of child.stdout) {
      head += decoder.decode(piece, { stream: true });
      if (head.includes("\r\n\r\n")) break;
    }
  } finally {
    child.kill();
  }
  await child.exited;
  return head;
}

describe.skipIf(Bun.which("curl") === null)("docs/watches.md", () => {
  let node: ProductNode;
  let api_key = "";
  beforeAll(async () => {
    node = await startProductNode({ seed_history: false });
    const plan = `${node.url}/buy-credits`;
    const payment = await createPaymentPayload(await fetch(plan), newPayer());
    const bought = await fetch(plan, { headers: { "PAYMENT-SIGNATURE": payment } });
    ({ api_key } = (await bought.json()) as { api_key: string });
    noteSecret(api_key);
  });
  afterAll(() => node.stop());

  test("has the snippets that are run here, and no others", () => {
    expect(PAGE.match(/^```\w+$/gm)).toEqual(["```sh", "```sh", "```sh", "```js"]);
  });

  test("its first command sets a watch, and the last ones read what it told", async () => {
    const [setting = "", , reading = ""] = SHELL;
    const set = await run(setting, { NODE: node.url, API_KEY: api_key });
    const watch = JSON.parse(set.out) as { watch: string; state: string; budget_usd: string };
    expect(watch).toMatchObject({ state: "active", budget_usd: "1.00" });
    const [as_json = "", as_stream = ""] = reading.trim().split("\n");
    const environment = { NODE: node.url, API_KEY: api_key, WATCH: watch.watch };
    expect(JSON.parse((await run(as_json, environment)).out)).toMatchObject({ events: [] });
    expect(await readHead(as_stream, environment)).toContain("text/event-stream");
  });

  test("its preview needs no key", async () => {
    const preview = await run(SHELL[1] ?? "", { NODE: node.url });
    expect(JSON.parse(preview.out)).toMatchObject({ product: "/fear-greed", past: { days: 30 } });
  });
});

test("hook.mjs takes what is signed with the secret, and nothing else", async () => {
  const [code = ""] = fences(PAGE, "js");
  const secret = newWebhookSecret();
  noteSecret(secret);
  const [id, at, body] = ["wat_1.1", new Date(), '{"kind":"told"}'];
  const signature = new Webhook(secret).sign(id, at, body);
  const headers = {
    "webhook-id": id,
    "webhook-timestamp": `${Math.floor(at.getTime() / 1_000)}`,
    "webhook-signature": signature,
  };
  mkdirSync(join(ROOT, ".tmp"), { recursive: true });
  // Inside the project, so that the package it imports is found.
  const folder = mkdtempSync(join(ROOT, ".tmp", "watches-"));
  try {
    const take = (sent: string): number => {
      const file = join(folder, "hook.mjs");
      const given = `const body = ${JSON.stringify(sent)};\nconst headers = ${JSON.stringify(headers)};\n`;
      writeFileSync(file, `${given}${code}console.log(event.kind);\n`);
      const env = { PATH: process.env.PATH ?? "", WEBHOOK_SECRET: secret };
      return Bun.spawnSync([process.execPath, file], { stdout: "pipe", stderr: "pipe", env }).exitCode;
    };
    expect([take(body), take(body.replace("told", "tald"))]).toEqual([0, 1]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("the table of docs/stand-ins.md is one the configuration takes", () => {
  const [text = ""] = fences(readPage("stand-ins.md"), "toml");
  const loaded = loadConfig({ text, file: "docs/stand-ins.md", env: { PEER_BUYER_KEY: `0x${"1".repeat(64)}` } });
  expect(loaded.ok && loaded.config.peers.standin).toMatchObject({
    products: ["/fear-greed", "/forex-rate"],
    max_share: 0.8,
  });
});
