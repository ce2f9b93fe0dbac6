import { expect, test } from "bun:test";
import { createTestModel, MODEL_TIME_MS } from "../../../test/helpers/surface-model.ts";
import type { SurfaceModel } from "../../surfaces/types.ts";
import { ENGLISH, wordsOf } from "../words.ts";
import { renderStatusPage } from "./page.ts";
import { sumUp } from "./samples.ts";

const TERMS = { idle_usd: "0.002", every: "1h", budget_usd: "2" };
const plain = createTestModel();
const model: SurfaceModel = {
  ...plain,
  products: plain.products.map((product) => (product.plan === null ? { ...product, watch: TERMS } : product)),
  free: [...plain.free, { path: "/guide", methods: ["GET"], summary: "", content_type: "text/html" }],
};
const HEALTH = {
  ok: true,
  reasons: [],
  started_at_ms: MODEL_TIME_MS,
  paid_24h: 0,
  networks: [],
  upstreams: [],
  latency_ms: { key: null, x402: null },
};
const LISTS = { answered_ms: new Map(), unavailable: new Map(), sources: [], withheld: [] };

/** The section of the page of `/status`. */
function readSection(shown: SurfaceModel, words = ENGLISH): string {
  const past = sumUp([], MODEL_TIME_MS);
  const page = renderStatusPage({
    model: shown,
    health: HEALTH,
    past,
    latency: "",
    lists: LISTS,
    now_ms: MODEL_TIME_MS,
    words,
  });
  return page.match(/<section aria-labelledby="subscribe">[\s\S]*?<\/section>/)?.[0] ?? "";
}
const readEntities = (text: string): string => text.replaceAll("&quot;", '"').replaceAll("&#39;", "'");

test("the page explains two ways to be told of failures: the feed and the webhook of a watch", () => {
  const text = readSection(model);
  expect(text).toContain(">Subscribe</h2>");
  expect(text).toContain('href="/status.atom"');
  expect(text).toContain("<code>failing</code>");
  expect(text).toContain("three evaluations in a row without data");
  expect(text).toContain("cost nothing");
  expect(text).toContain('href="/guide/watches#webhooks"');
});

test("the shown order names a server, and the node accepts it", () => {
  const shown = readEntities(readSection(model)).match(/-d '(\{[\s\S]*?\})'<\/code>/)?.[1];
  const order = JSON.parse(shown ?? "null") as Readonly<Record<string, unknown>>;
  expect(model.products.map(({ path }) => path) as readonly string[]).toContain(String(order.product));
  expect(order).toMatchObject({ every: "1h", budget_usd: "2", webhook: "https://example.com/hook" });
});

test("in Portuguese it says the same, and its links keep the chosen language", () => {
  const text = readSection(model, wordsOf("pt-BR", true));
  expect(text).toContain(">Assinar</h2>");
  expect(text).toContain('href="/guide/watches?lang=pt-BR#webhooks"');
  expect(text).toContain('href="/status.atom"');
  expect(text).toContain("<code>failing</code>");
  expect(text).not.toContain('lang="en"');
});

test("a node without watches mentions only its feed", () => {
  const without = { ...model, free: model.free.filter(({ path }) => path !== "/watch") };
  for (const shown of [without, plain]) {
    const text = readSection(shown);
    expect(text).toContain('href="/status.atom"');
    expect(text).not.toContain("failing");
  }
});

test("mail is offered only if the operator has an address", () => {
  const named = { ...model, node: { ...model.node, contact_email: "desk@node.example.com" } };
  expect(readSection(named)).toContain('href="mailto:desk@node.example.com"');
  const unnamed = { ...model, node: { ...model.node, contact_email: null } };
  expect(readSection(unnamed)).not.toContain("mailto:");
});
