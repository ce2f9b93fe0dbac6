import { afterAll, beforeAll, expect, test } from "bun:test";
import { ensureProgram, noteSkipped } from "../helpers/debian-package.ts";
import { until } from "../helpers/hang-limit.ts";
import { type ProductNode, startProductNode } from "../helpers/product-node.ts";

let node: ProductNode;

beforeAll(async () => {
  node = await startProductNode({ seed_history: false, config: '[metrics]\nlisten = "127.0.0.1:0"\n' });
});
afterAll(() => node.stop());

const scrape = async (accept = ""): Promise<string> => {
  const headers = { authorization: `Bearer ${node.node.operator_token}`, accept };
  return (await fetch(`${node.url}/metrics`, { headers })).text();
};
/** The value of one sample, by its name and labels as they are written. */
const sampleValue = (page: string, sample: string): number | undefined => {
  const line = page.split("\n").find((one) => one.startsWith(`${sample} `));
  return line === undefined ? undefined : Number(line.slice(sample.length + 1));
};

test("figures are shown to the operator alone, and the page is no secret's hint", async () => {
  const refused = await fetch(`${node.url}/metrics`);
  expect(refused.status).toBe(404);
  const wrong = await fetch(`${node.url}/metrics`, { headers: { authorization: "Bearer 0" } });
  expect(wrong.status).toBe(404);
  expect(await scrape()).toContain("# TYPE intel_node_build_info gauge");
});

test("a listener of its own needs no token and knows no other path", async () => {
  const url = node.node.metrics_url ?? "";
  const page = await fetch(url);
  expect(page.headers.get("content-type")).toStartWith("text/plain; version=0.0.4");
  expect(await page.text()).toContain("intel_node_products ");
  expect((await fetch(url.replace("/metrics", "/live"))).status).toBe(404);
  expect((await fetch(url, { method: "POST" })).status).toBe(404);
});

test("a sale, a price, a preview and an uncharged failure are counted", async () => {
  const product = node.products.find(({ path }) => path === "/fear-greed");
  if (!product) throw new Error("no /fear-greed");
  const paid = await node.buy(product);
  expect(paid.status).toBe(200);
  await paid.arrayBuffer();
  await (await fetch(`${node.url}/fear-greed`)).arrayBuffer();
  await (await fetch(`${node.url}/fear-greed`, { headers: { "X-API-Key": "no-such-key" } })).arrayBuffer();
  const page = await scrape();
  const name = `product="${product.path.slice(1)}"`;
  expect(sampleValue(page, `intel_node_paid_calls_total{${name},access="payment"}`)).toBe(1);
  // The one that was paid, and the bare call; the refused key's is a refusal and nothing else.
  expect(sampleValue(page, `intel_node_challenges_total{${name}}`)).toBe(2);
  expect(page).toMatch(/intel_node_refusals_total\{product="fear-greed",code="invalid_api_key"\} 1/);
  expect(page).not.toMatch(/intel_node_uncharged_failures_total\{/);
  expect(page).toMatch(
    /intel_node_settle_outcomes_total\{network="eip155:84532",facilitator="[^"]+",outcome="settled"\} 1/,
  );
  expect(sampleValue(page, 'intel_node_settled_payments_total{label="organic"}')).toBe(1);
  expect(sampleValue(page, 'intel_node_settled_usd_total{label="organic"}')).toBeCloseTo(Number(product.price_usd), 6);
  expect(sampleValue(page, 'intel_node_state{state="ok"}')).toBe(1);
  expect(sampleValue(page, 'intel_node_http_request_duration_seconds_count{route="product"}')).toBe(4);
  await until(async () => sampleValue(await scrape(), "intel_node_inputs_kept_total") === 1, "the inputs to be kept");
  const kept = await scrape();
  expect(sampleValue(kept, "intel_node_inputs_lost_total")).toBe(0);
  expect(sampleValue(kept, "intel_node_inputs_bytes")).toBeGreaterThan(100);
  expect(page).toMatch(/intel_node_provider_calls_total\{provider="[a-z_]+"\} [1-9]/);
});

test("OpenMetrics is given to a caller that accepts it", async () => {
  const page = await scrape("application/openmetrics-text; version=1.0.0");
  expect(page).toContain("# TYPE intel_node_paid_calls counter");
  expect(page).toContain("intel_node_paid_calls_total{");
  expect(page).not.toContain("_total_total");
  expect(page).toEndWith("# EOF\n");
});

test("no label holds a payer, a key, an address of a visitor or a query", async () => {
  await (await fetch(`${node.url}/fear-greed?days=31&secret=0xabc`)).arrayBuffer();
  await (await fetch(`${node.url}/nothing/0x90F79bf6EB2c4f870365E785982E1f101E93b906`)).arrayBuffer();
  const page = await scrape();
  expect(page.match(/0x[0-9a-fA-F]{6,}|127\.0\.0\.1|secret|nothing\//g)).toBeNull();
  expect(page.split("\n").length).toBeLessThan(5_000);
});

test("promtool finds nothing to say about the page", async () => {
  const missing = ensureProgram("promtool", "prometheus");
  if (missing !== null) return noteSkipped("/metrics by promtool", missing);
  const child = Bun.spawn(["promtool", "check", "metrics"], { stdin: new Blob([await scrape()]), stderr: "pipe" });
  expect(await new Response(child.stderr).text()).toBe("");
  expect(await child.exited).toBe(0);
});

test("the alert rules fire and fall silent as they say", () => {
  const missing = ensureProgram("promtool", "prometheus");
  if (missing !== null) return noteSkipped("deploy/prometheus by promtool", missing);
  const child = Bun.spawnSync(["promtool", "test", "rules", "deploy/prometheus/alerts.test.yml"], { stderr: "pipe" });
  expect(child.stderr.toString() + child.stdout.toString()).toContain("SUCCESS");
  expect(child.exitCode).toBe(0);
});

test("the board asks for figures that exist", async () => {
  const board = await Bun.file("deploy/grafana/intel-node.json").json();
  const names = new Set(JSON.stringify(board).match(/intel_node_[a-z0-9_]+/g));
  const rules = await Bun.file("deploy/prometheus/alerts.yml").text();
  for (const name of rules.match(/intel_node_[a-z0-9_]+/g) ?? []) names.add(name);
  const page = await scrape();
  expect(names.size).toBeGreaterThan(15);
  expect([...names].filter((name) => !page.includes(name))).toEqual([]);
});
