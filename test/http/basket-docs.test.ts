import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generatePrivateKey } from "viem/accounts";
import { loadConfig } from "../../src/config/load.ts";
import { sha256Hex } from "../../src/core/hash.ts";
import { newPayer } from "../helpers/demo-node.ts";
import { until } from "../helpers/hang-limit.ts";
import { type ProductNode, startProductNode } from "../helpers/product-node.ts";
import { noteSecret } from "../helpers/secrets.ts";
import { createPaymentPayload } from "../helpers/sign-for.ts";

/** Every snippet of docs/baskets.md, as it stands there, against a node that sells the built-in products. */
const ROOT = join(import.meta.dir, "..", "..");
const PAGE = readFileSync(join(ROOT, "docs", "baskets.md"), "utf8");
const PROGRAM = join(ROOT, "src", "node.ts");
let node: ProductNode;
let folder = "";
beforeAll(async () => {
  node = await startProductNode({ seed_history: false });
  mkdirSync(join(ROOT, ".tmp"), { recursive: true });
  // Inside the project, so that the packages a snippet imports are found.
  folder = mkdtempSync(join(ROOT, ".tmp", "baskets-"));
});
afterAll(async () => {
  await node.stop();
  rmSync(folder, { recursive: true, force: true });
});

const SNIPPETS = new Map(
  [...PAGE.matchAll(/^```js\n\/\/ (\w+\.mjs).*\n([\s\S]*?)^```$/gm)].map(([, name = "", code = ""]) => [name, code]),
);

async function run(name: string, environment: Record<string, string>): Promise<string> {
  const code = SNIPPETS.get(name);
  if (code === undefined) throw new Error(`docs/baskets.md has no ${name}`);
  writeFileSync(join(folder, name), code.replaceAll("https://node.example.com", node.url));
  const child = Bun.spawn([process.execPath, join(folder, name)], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env.PATH ?? "", ...environment },
  });
  const [out, err, exit] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (exit !== 0) throw new Error(`${name}: ${exit}\n${out}\n${err}`);
  return out;
}

const post = (body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${node.url}/basket`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });

async function buy(body: unknown) {
  const payment = await createPaymentPayload(await post(body), newPayer());
  const answer = await post(body, { "PAYMENT-SIGNATURE": payment });
  expect(answer.status).toBe(200);
  return { payment, id: answer.headers.get("X-Receipt-Id") ?? "", text: await answer.text() };
}

test("the page has the snippets that are run here, and no others", () => {
  expect([...SNIPPETS.keys()]).toEqual(["basket.mjs", "partial.mjs", "check.mjs"]);
  expect(PAGE.match(/^```\w+$/gm)).toEqual(["```js", "```js", "```js", "```toml"]);
});

test("basket.mjs buys three answers with one payment", async () => {
  const key = generatePrivateKey();
  noteSecret(key);
  const out = await run("basket.mjs", { PRIVATE_KEY: key });
  expect(out.split("\n").map((line) => line.split(" ")[0])).toEqual([
    "/fear-greed",
    "/mempool",
    "/forex-rate",
    "paid",
    "",
  ]);
  expect(out).toMatch(/^paid (\d+) instead of \1$/m);
});

test("partial.mjs says what the key was charged for", async () => {
  const plan = `${node.url}/buy-credits`;
  const payment = await createPaymentPayload(await fetch(plan), newPayer());
  const bought = await fetch(plan, { headers: { "PAYMENT-SIGNATURE": payment } });
  const { api_key } = (await bought.json()) as { api_key: string };
  noteSecret(api_key);
  const out = await run("partial.mjs", { API_KEY: api_key });
  expect(out).toMatch(/^\/fear-greed call_\d+\n\/mempool call_\d+\n2 delivered for \d+\n$/);
  // The same again, charged for nothing.
  expect(await run("partial.mjs", { API_KEY: api_key })).toBe(out);
});

test("check.mjs finds every item as it was hashed, a changed one changed; the bundles make both again", async () => {
  const { payment, id, text } = await buy([{ product: "/mempool" }, { product: "/fear-greed", view: "brief" }]);
  const file = join(folder, "basket.json");
  writeFileSync(file, text);
  expect(await run("check.mjs", { BASKET: file })).toBe("/mempool as hashed\n/fear-greed as hashed\n");
  writeFileSync(file, text.replace('"delayed":false', '"delayed":true'));
  writeFileSync(file, text.replace(/("answer":\{"product":")mempool"/, '$1mempools"'));
  expect(await run("check.mjs", { BASKET: file })).toBe("/mempool CHANGED\n/fear-greed as hashed\n");

  const headers = { "PAYMENT-SIGNATURE": payment };
  const ask = (query = "") => fetch(`${node.url}/receipts/${id}/bundle${query}`, { headers });
  await until(async () => (await ask("?item=1")).status === 200, "the bundle of an item");
  const whole = await (await ask()).text();
  const item = (await (await ask("?item=1")).json()) as {
    answer: string;
    response_sha256: string;
    basket: { answer: string };
  };
  expect(JSON.parse(whole).answer).toBe(text);
  expect(item.basket.answer).toBe(text);
  expect(JSON.parse(text).data.items[1].sha256).toBe(sha256Hex(item.answer));
  expect((await ask("?item=2")).status).toBe(404);
  for (const bundle of [whole, JSON.stringify(item)]) {
    writeFileSync(file, bundle);
    const made = Bun.spawnSync([process.execPath, PROGRAM, "recompute", file], { stdout: "pipe", stderr: "pipe" });
    expect(`${made.exitCode} ${made.stdout}${made.stderr}`).toStartWith("0 the same ");
  }
});

test("the operator's table is one the configuration takes", () => {
  const text = /^```toml\n([\s\S]*?)^```$/m.exec(PAGE)?.[1] ?? "";
  const loaded = loadConfig({ text, file: "docs/baskets.md", env: {} });
  expect(loaded.ok && loaded.config.basket).toEqual({ enabled: true, discount: 0.1 });
  for (const discount of ["-0.1", "0.91", '"0.1"']) {
    expect(loadConfig({ text: `[basket]\ndiscount = ${discount}\n`, file: "test", env: {} }).ok).toBe(false);
  }
});
