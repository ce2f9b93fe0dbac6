import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { VERIFY_SCRIPT } from "../../src/pages/assets.gen.ts";
import type { Bundle } from "../../src/recompute/bundle.ts";
import { makeAgain, type Recipe } from "../../src/recompute/recipe.ts";
import type { SealProof } from "../../src/trust/receipt-seals.ts";
import { newPayer } from "../helpers/demo-node.ts";
import { until } from "../helpers/hang-limit.ts";
import { type ProductNode, startProductNode } from "../helpers/product-node.ts";
import { createPaymentPayload } from "../helpers/sign-for.ts";

/** What was sold, handed to who paid it as one file, and made again from that file by a program without a node. */
const folder = mkdtempSync(join(tmpdir(), "intel-node-bundles-"));
const PROGRAM = join(import.meta.dir, "..", "..", "src", "node.ts");
let node: ProductNode;
beforeAll(async () => {
  node = await startProductNode({ seed_history: false });
});
afterAll(async () => {
  await node.stop();
  rmSync(folder, { recursive: true, force: true });
});

type Served = Bundle & { readonly seal: SealProof | null; readonly receipt: { readonly id: string } | null };

async function buy(path: string) {
  const payer = newPayer();
  const payment = await createPaymentPayload(await fetch(`${node.url}${path}`), payer);
  const answer = await fetch(`${node.url}${path}`, { headers: { "PAYMENT-SIGNATURE": payment } });
  expect(answer.status).toBe(200);
  return { payer, payment, id: answer.headers.get("X-Receipt-Id") ?? "", text: await answer.text() };
}

const ask = (id: string, headers: Record<string, string> = {}, query = "") =>
  fetch(`${node.url}/receipts/${id}/bundle${query}`, { headers });

/** Inputs are written beside the sale: a moment later they are there. */
async function read(id: string, headers: Record<string, string>): Promise<Served> {
  await until(async () => (await ask(id, headers)).status === 200, "the bundle");
  return (await (await ask(id, headers)).json()) as Served;
}

function recompute(bundle: unknown, ...args: string[]) {
  const file = join(folder, `${crypto.randomUUID()}.json`);
  writeFileSync(file, typeof bundle === "string" ? bundle : JSON.stringify(bundle));
  const run = Bun.spawnSync([process.execPath, PROGRAM, "recompute", file, ...args], {
    stdout: "pipe",
    stderr: "pipe",
  });
  return { code: run.exitCode, said: `${run.stdout}${run.stderr}` };
}

describe("a bundle", () => {
  test("gives the answer that was paid for, byte for byte, in another process without a node", async () => {
    const { id, payment, text } = await buy("/mempool");
    const bundle = await read(id, { "PAYMENT-SIGNATURE": payment });
    expect(bundle.answer).toBe(text);
    expect(bundle).toMatchObject({ format: "intel-node-bundle/1", params: {}, withheld: [], receipt: { id } });
    expect(bundle.code_sha256).toMatch(/^[0-9a-f]{64}$/);
    const { code, said } = recompute(bundle);
    expect([code, said]).toEqual([0, expect.stringContaining(`the same ${Buffer.byteLength(text)} bytes`)]);
    expect(JSON.parse(recompute(bundle, "--json").said)).toMatchObject({ verdict: "same", outcome: "verified" });
    const withheld = recompute({ ...bundle, inputs: null }, "--json");
    expect(JSON.parse(withheld.said)).toMatchObject({ verdict: "withheld", outcome: "unverifiable" });
  });

  test("of a brief view is made again as that view", async () => {
    const { id, payment, text } = await buy("/mempool?view=brief");
    const bundle = await read(id, { "PAYMENT-SIGNATURE": payment });
    expect(JSON.parse(bundle.answer).view).toBeDefined();
    expect(bundle.answer).toBe(text);
    const product = node.node.catalog.products.find(({ path }) => path === "/mempool");
    if (!product) throw new Error("no product");
    expect(makeAgain(product, bundle.recipe as Recipe, bundle.inputs ?? "")).toBe(text);
  });

  test("whose answer says something else is named by the line that differs", async () => {
    const { id, payment } = await buy("/mempool");
    const bundle = await read(id, { "PAYMENT-SIGNATURE": payment });
    const answer = bundle.answer.replace(/"generated_at":"[^"]*"/, '"generated_at":"2020-01-01T00:00:00.000Z"');
    const response_sha256 = new Bun.CryptoHasher("sha256").update(answer).digest("hex");
    const forged = recompute({ ...bundle, answer, response_sha256 }, "--json");
    expect(forged.code).toBe(1);
    expect(JSON.parse(forged.said)).toMatchObject({
      verdict: "differs",
      outcome: "contradicted",
      differences: [{ path: "generated_at", expected: '"2020-01-01T00:00:00.000Z"' }],
    });
    // The same by other code says nothing, and names that code.
    const other = recompute({ ...bundle, answer, response_sha256, code_sha256: "0".repeat(64) });
    expect([other.code, other.said]).toEqual([
      3,
      expect.stringContaining(`made by intel-node ${bundle.recipe.made_by}`),
    ]);
    // What its own hashes contradict is not even tried.
    expect(recompute({ ...bundle, answer })).toMatchObject({ code: 4 });
    expect(recompute("no JSON")).toMatchObject({ code: 2 });
  });

  test("is for who paid: the payment, a newly signed one, or the key; a stranger learns nothing", async () => {
    const { id, payment, payer } = await buy("/mempool");
    await read(id, { "PAYMENT-SIGNATURE": payment });
    const stranger = await buy("/mempool");
    for (const headers of [{}, { "PAYMENT-SIGNATURE": stranger.payment }, { "X-API-Key": `ink_${"a".repeat(43)}` }]) {
      const refused = await ask(id, headers as Record<string, string>);
      expect(refused.status).toBe(404);
    }
    const mine = await fetch(`${node.url}/payments/${await idOf(payment)}`, {
      headers: { "PAYMENT-SIGNATURE": payment },
    });
    const { payment_id } = (await mine.json()) as { payment_id: string };
    const fresh = await createPaymentPayload(await fetch(`${node.url}/mempool`), payer);
    const settled = node.settlements();
    const headers = { "PAYMENT-SIGNATURE": fresh };
    expect((await ask(id, headers, `?payment=${payment_id}`)).status).toBe(200);
    expect((await ask(stranger.id, headers, `?payment=${payment_id}`)).status).toBe(404);
    expect(node.settlements()).toBe(settled);
  });

  test("of a call that a key paid for is named by the call", async () => {
    const issued = await fetch(`${node.url}/admin/keys`, {
      method: "POST",
      headers: { authorization: `Bearer ${node.node.operator_token}`, "content-type": "application/json" },
      body: JSON.stringify({ command: "issue", credit_usd: "1" }),
    });
    const { api_key } = (await issued.json()) as { readonly api_key: string };
    const headers = { "X-API-Key": api_key, "Idempotency-Key": "call-0123456789abcdef" };
    const answer = await fetch(`${node.url}/mempool`, { headers });
    const text = await answer.text();
    const found = await fetch(`${node.url}/payments/call-0123456789abcdef`, { headers });
    const { call_id } = (await found.json()) as { readonly call_id: string };
    expect((await read(call_id, { "X-API-Key": api_key })).answer).toBe(text);
    expect((await ask(call_id)).status).toBe(404);
  });

  test("is checked by the page /verify as far as a browser can", async () => {
    const page = await (await fetch(`${node.url}/verify`, { headers: { accept: "text/html" } })).text();
    expect(page).toContain("data-verify-bundle");
    expect(page).toContain("intel-node recompute bundle.json");
    new Function(VERIFY_SCRIPT)();
    const { intelNodeChecks } = globalThis as unknown as {
      readonly intelNodeChecks: { checkBundle(given: unknown): Promise<{ outcome: string; text: string }[]> };
    };
    const { checkBundle } = intelNodeChecks;
    const outcomesOf = async (given: unknown) => (await checkBundle(given)).map(({ outcome }) => outcome);
    const { id, payment } = await buy("/mempool");
    const bundle = await read(id, { "PAYMENT-SIGNATURE": payment });
    const told = await checkBundle(bundle);
    expect(told[1]?.text).toContain(`${id} is signed for this answer`);
    expect(told[2]?.text).toContain("not sealed");
    expect(await outcomesOf(bundle)).toEqual(["verified", "verified", "no_claim", "unverifiable"]);
    const [forged] = await checkBundle({ ...bundle, answer: "{}" });
    expect(forged).toEqual({ outcome: "contradicted", text: expect.stringContaining("response_sha256") });
    const other = { ...bundle, receipt: { ...(bundle.receipt as object), id: "rcp_2" } };
    expect(await outcomesOf(other)).toEqual(["verified", "contradicted"]);
    // What is no bundle contradicts nothing, and a peer's answer is the peer's.
    expect(await outcomesOf({ ...bundle, node: null })).toEqual(["verified", "unverifiable"]);
    expect(await outcomesOf({})).toEqual(["unverifiable"]);
    expect(await outcomesOf({ via: { seal_url: "https://peer.example/receipts/rcp_1/seal" }, data: {} })).toEqual([
      "no_claim",
    ]);
  });

  test("is mentioned where buyers look", async () => {
    const read = async (path: string) => (await fetch(`${node.url}${path}`)).text();
    const { paths } = JSON.parse(await read("/openapi.json")) as { paths: Record<string, { get?: unknown }> };
    expect(paths["/receipts/{id}/bundle"]?.get).toMatchObject({ parameters: [{ name: "id", in: "path" }] });
    expect(await read("/llms.txt")).toContain("/receipts/{id}/bundle");
    expect(await read("/llms-full.txt")).toContain("/receipts/{X-Receipt-Id}/bundle");
    expect(await read("/p/mempool")).toContain("/receipts/$RECEIPT_ID/bundle | intel-node recompute -");
    expect(await read("/p/mempool?lang=pt-BR")).toContain("Recalcule esta resposta");
  });
});

async function idOf(payment: string): Promise<string> {
  const { payload } = JSON.parse(atob(payment)) as { payload: { authorization: { from: string; nonce: string } } };
  const { from, nonce } = payload.authorization;
  const { accepted } = JSON.parse(atob(payment)) as { accepted: { network: string; asset: string } };
  return `evm:${accepted.network.split(":")[1]}:${accepted.asset.toLowerCase()}:${from.toLowerCase()}:${nonce}`;
}
