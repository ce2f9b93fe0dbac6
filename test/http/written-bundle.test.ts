import { afterAll, beforeAll, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import type { WrittenBy } from "../../src/catalog/model-turns.ts";
import { defineProduct } from "../../src/catalog/product.ts";
import { canonicalJSON, sha256Hex } from "../../src/core/hash.ts";
import { createPack } from "../../src/grounding/facts.ts";
import { WRITTEN_FIELDS } from "../../src/grounding/schema.ts";
import { type WritingPlan, writeBlocks, writeByTemplates } from "../../src/grounding/write-blocks.ts";
import { createBundle } from "../../src/recompute/bundle.ts";
import { makeAgain, type Recipe } from "../../src/recompute/recipe.ts";
import { until } from "../helpers/hang-limit.ts";
import { type MoneyNode, startMoneyNode } from "../helpers/money-node.ts";
import { noteSecret } from "../helpers/secrets.ts";

/** Who doubts a sentence sees what it rests on: what a model was asked, its own words, and what the guard found. */
const KEY = "sk-a-key-of-the-host-0123456789";
const HOST = `base_url = "http://127.0.0.1:9/v1"\nmodel = "m"\napi_key = "${KEY}"\n`;
const MODELS = `[[models]]\nid = "writer"\n${HOST}price_in = "0"\nprice_out = "0"\n`;

const builder = createPack({ subjects: { BTC: ["Bitcoin"] } });
builder.add({
  from: "tide",
  as_of: "2026-11-20",
  name: "price",
  label: "BTC price",
  value: 64_210.55,
  unit: "usd",
  about: "BTC",
});
const plan: WritingPlan = {
  pack: builder.build(),
  locale: "en",
  task: "A line for a trader.",
  blocks: [
    {
      id: "line",
      about: "the price",
      words_max: 30,
      template: (write) => write.say`BTC stands at ${write.show("price")}.`,
    },
  ],
};
const told = defineProduct({
  path: "/told",
  title: "Told",
  description: "A line.",
  category: "test",
  tags: [],
  price_usd: "0.01",
  params: Type.Object({}),
  data: Type.Object(WRITTEN_FIELDS),
  example: { params: {}, as_of: "2026-01-01T00:00:00Z", data: writeByTemplates(plan).written },
  providers: [],
  requires: [],
  uses_model: { use: "compose", need: "optional" },
  ttl: "0s",
  deadline_ms: 20_000,
  preview: { every: "24h" },
  fetch: ({ model }) => writeBlocks(plan, model),
  compute: ({ written, warnings }, { now_ms }) => ({ as_of_ms: now_ms, data: written, warnings }),
});

let money: MoneyNode;
let key = "";
beforeAll(async () => {
  noteSecret(KEY);
  money = await startMoneyNode(MODELS, undefined, { products: [told] });
  const response = await fetch(`${money.url}/admin/keys`, {
    method: "POST",
    headers: { authorization: `Bearer ${money.node.operator_token}`, "content-type": "application/json" },
    body: JSON.stringify({ command: "issue", credit_usd: "1" }),
  });
  key = ((await response.json()) as { readonly api_key: string }).api_key;
  noteSecret(key);
});
afterAll(() => money.stop());

const say = (text: string, facts: readonly string[]) => ({
  body: {
    id: "c",
    object: "chat.completion",
    created: 0,
    model: "m",
    choices: [
      {
        index: 0,
        finish_reason: "stop",
        message: { role: "assistant", content: JSON.stringify({ blocks: [{ id: "line", text, facts, sources: [] }] }) },
      },
    ],
    usage: { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 },
  },
});

type Bundle = {
  readonly recipe: Recipe;
  readonly inputs: string;
  readonly answer: string;
  readonly written?: WrittenBy;
  readonly written_sha256?: string;
};
async function sell(script: readonly object[]): Promise<{ readonly text: string; readonly bundle: Bundle }> {
  const init = { method: "POST", body: JSON.stringify({ model: "writer", script }) };
  await money.sandbox.handleControl(new Request(`${money.url}/__sandbox/models`, init));
  const headers = { "X-API-Key": key };
  const answer = await fetch(`${money.url}/told`, { headers });
  expect(answer.status).toBe(200);
  const ask = () => fetch(`${money.url}/receipts/${answer.headers.get("X-Receipt-Id")}/bundle`, { headers });
  await until(async () => (await ask()).status === 200, "the bundle");
  return { text: await answer.text(), bundle: (await (await ask()).json()) as Bundle };
}

test("a bundle holds what the model was asked, its words, and why the guard refused them", async () => {
  const lie = "BTC stands at $99,999, and will rise.";
  const good = "BTC stands at $64,210.55.";
  const { text, bundle } = await sell([say(lie, ["F1"]), say(good, ["F1"])]);
  expect(JSON.parse(text)).toMatchObject({ data: { written_by: "model", blocks: [{ text: good }] } });
  const { turns = [], left_out } = bundle.written ?? {};
  expect([turns.length, left_out]).toEqual([2, 0]);
  const [first, second] = turns;
  expect(first).toMatchObject({ provider_id: "writer", model: "m", error: null, finish_reason: "stop" });
  expect(first?.text).toContain(lie);
  expect(first?.findings).toContainEqual({
    block: "line",
    rule: "not_in_facts",
    text: expect.stringContaining("99,999"),
  });
  // What it was shown: the facts, and at the second time what was wrong with its first words.
  expect(JSON.stringify(first?.messages)).toContain("64,210.55");
  expect(second?.messages.length).toBeGreaterThan(first?.messages.length ?? 0);
  expect(second?.findings).toEqual([]);
  expect(bundle.written_sha256).toBe(sha256Hex(canonicalJSON(bundle.written)));
  expect(JSON.stringify(bundle)).not.toContain(KEY);
  // The answer does not follow from it: without it the bytes are the same.
  const product = money.node.catalog.products.find(({ path }) => path === "/told");
  if (!product) throw new Error("no product");
  expect(makeAgain(product, bundle.recipe, bundle.inputs)).toBe(text);
  expect(bundle.recipe).not.toHaveProperty("written");
});

test("a model that fails, or is refused twice, is in it, too; the text is that of the templates", async () => {
  const refused = await sell([say("Bitcoin doubled.", []), say("Bitcoin doubled again.", [])]);
  expect(JSON.parse(refused.text)).toMatchObject({ data: { written_by: "template" } });
  expect(refused.bundle.written?.turns.map(({ findings }) => (findings ?? []).length > 0)).toEqual([true, true]);
  const failed = await sell(Array.from({ length: 9 }, () => ({ status: 401, body: { error: { message: "no" } } })));
  expect(failed.bundle.written?.turns).toMatchObject([{ text: null, provider_id: null, findings: null }]);
  expect(failed.bundle.written?.turns[0]?.error).toMatch(/^upstream_/);
});

test("what a source's terms forbid to hand on is not handed on in a prompt either", () => {
  const written: WrittenBy = { turns: [], left_out: 0 };
  const sources = [{ provider: "closed", url: "https://closed.example", fetched_at: "2026-11-20T00:00:00Z", ok: true }];
  const recipe = JSON.stringify({ params: "{}", sources, written });
  const kept = { sha256: "a", inputs_sha256: "b", code_sha256: null, recipe, body: "{}", inputs: "{}" };
  const of = (terms: "open" | "restricted") => createBundle(kept, { is_payer: true, termsOf: () => terms });
  expect(of("restricted")).toMatchObject({
    inputs: null,
    written: null,
    written_sha256: sha256Hex(canonicalJSON(written)),
  });
  expect(of("restricted").recipe).not.toHaveProperty("written");
  expect(of("open")).toMatchObject({ inputs: "{}", written });
});
