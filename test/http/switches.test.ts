import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { listCommand, offCommand, onCommand, pluginsCommand } from "../../src/commands/switch.ts";
import { newPayer } from "../helpers/demo-node.ts";
import { type FileNode, numberPlugin, ownPlugins, startFileNode } from "../helpers/file-node.ts";
import { createPaymentPayload } from "../helpers/sign-for.ts";

const DAY_MS = 86_400_000;

let at: FileNode;
beforeAll(async () => {
  at = await startFileNode({ plugins: { one: numberPlugin("one", 1), tidewater: numberPlugin("tidewater", 2) } });
});
afterAll(() => at.stop());

type Body = Readonly<Record<string, unknown>>;
const post = (path: string, body: object, headers: Readonly<Record<string, string>> = {}) =>
  fetch(`${at.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
const operate = async (name: string, input?: object): Promise<Body> =>
  (await (await at.ask(`/admin/api/${name}`, input)).json()) as Body;
const off = (more: object = {}) => operate("products-off", { product: "/tidewater", ...more });
const on = () => operate("products-on", { product: "/tidewater" });
const statusOf = async (path: string) => (await fetch(`${at.url}${path}`)).status;
const callTool = async (name: string, args: object = {}, path = "/mcp") => {
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } };
  return JSON.stringify(await (await post(path, call, { accept: "application/json, text/event-stream" })).json());
};
const sendSkill = async (skill: string) => {
  const message = {
    kind: "message",
    role: "user",
    messageId: crypto.randomUUID(),
    parts: [{ kind: "data", data: { skill } }],
  };
  const call = { jsonrpc: "2.0", id: 1, method: "message/send", params: { message } };
  return JSON.stringify(await (await post("/a2a", call)).json());
};

/** Documents that list what is sold. */
const LISTS = [
  "/get-pricing",
  "/openapi.json",
  "/llms.txt",
  "/llms-full.txt",
  "/tools.json",
  "/.well-known/x402",
  "/.well-known/agent-card.json",
  "/sitemap.xml",
  "/docs",
];

test("a product is taken off sale at once, with the operator's words, on every door", async () => {
  expect(await statusOf("/tidewater")).toBe(402);
  const done = await off({ reason: "A letter\u202e of\n our lawyer." });
  expect(done).toMatchObject({ ok: true, name: "/tidewater", no_longer_sold: [{ path: "/tidewater" }] });
  const answer = await fetch(`${at.url}/tidewater`);
  expect([answer.status, answer.headers.get("retry-after"), answer.headers.get("payment-required")]).toEqual([
    410,
    null,
    null,
  ]);
  const problem = (await answer.json()) as Body;
  expect(problem).toMatchObject({ code: "product_off", charged: false, reason: "A letter of our lawyer." });
  expect(problem.detail).toContain("A letter of our lawyer.");
  for (const path of [
    "/tidewater?preview=1",
    "/tidewater?x402Version=1",
    "/tidewater?no=1",
    "/p/tidewater",
    "/docs/tidewater",
    "/og/tidewater.png",
  ]) {
    expect([path, await statusOf(path)]).toEqual([path, 410]);
  }
  expect((await post("/tidewater", {})).status).toBe(410);
  const basket = await post("/basket", { items: [{ product: "/one" }, { product: "/tidewater" }] });
  expect([basket.status, ((await basket.json()) as Body).code]).toEqual([410, "product_off"]);
  const quote = await post("/quote", { calls: [{ path: "/tidewater" }] });
  expect([quote.status, ((await quote.json()) as Body).code]).toEqual([410, "product_off"]);
  expect(await callTool("tidewater")).toContain("product_off");
  expect(await callTool("call_product", { tool: "tidewater" }, "/mcp?set=core")).toContain("product_off");
  expect(await callTool("one", {}, "/mcp?tools=one,tidewater")).not.toContain("not here");
  expect(await sendSkill("tidewater")).toContain("product_off");
  await on();
  expect(await statusOf("/tidewater")).toBe(402);
});

test("every list has it again when it is on, and none while it is off", async () => {
  const listed = async () => {
    const found = await Promise.all(
      LISTS.map(async (path) => {
        const text = await (await fetch(`${at.url}${path}`)).text();
        return text.includes("tidewater") ? path : null;
      }),
    );
    const call = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
    const tools = await post("/mcp", call, { accept: "application/json, text/event-stream" });
    const query = await fetch(`${at.url}/?q=tidewater`, { headers: { accept: "application/json" } });
    const searched = (await query.json()) as { readonly products: readonly unknown[] };
    return [
      ...found.filter((path) => path !== null),
      ...((await tools.text()).includes("tidewater") ? ["tools/list"] : []),
      ...(JSON.stringify(searched.products).includes("tidewater") ? ["search"] : []),
    ];
  };
  const before = await listed();
  expect(before).toEqual(expect.arrayContaining(["/openapi.json", "/tools.json", "tools/list", "search"]));
  await off();
  expect(await listed()).toEqual([]);
  await on();
  expect(await listed()).toEqual(before);
});

test("a payment that was signed before is not taken, and its money stays where it is", async () => {
  const signature = await createPaymentPayload(await fetch(`${at.url}/tidewater`), newPayer());
  await off();
  const refused = await fetch(`${at.url}/tidewater`, { headers: { "PAYMENT-SIGNATURE": signature } });
  expect([refused.status, ((await refused.json()) as Body).charged]).toEqual([410, false]);
  await on();
  const paid = await fetch(`${at.url}/tidewater`, { headers: { "PAYMENT-SIGNATURE": signature } });
  expect(paid.status).toBe(200);
});

test("who paid before it was switched off still gets the answer he lost, and nobody else gets one", async () => {
  const signature = await createPaymentPayload(await fetch(`${at.url}/tidewater`), newPayer());
  const fresh = await createPaymentPayload(await fetch(`${at.url}/tidewater`), newPayer());
  const send = (payment: string) => fetch(`${at.url}/tidewater`, { headers: { "PAYMENT-SIGNATURE": payment } });
  const { api_key } = await operate("key-issue", { credit_usd: "1", duration: "30d" });
  const paid = await (await send(signature)).text();
  await off();
  const again = await send(signature);
  expect([again.status, again.headers.get("x-idempotent-replay"), await again.text()]).toEqual([200, "true", paid]);
  expect([(await send(fresh)).status, (await send("nonsense")).status]).toEqual([410, 410]);
  const by_key = await fetch(`${at.url}/tidewater`, { headers: { "x-api-key": String(api_key) } });
  expect([by_key.status, ((await by_key.json()) as Body).charged]).toEqual([410, false]);
  const { items } = (await operate("keys")) as unknown as { items: readonly { balance_usd: string }[] };
  expect(items.map((key) => key.balance_usd)).toEqual(["1.00"]);
  await on();
});

test("until a time it is 503 with the seconds left, and then it is sold again by itself", async () => {
  const until = new Date(at.clock.now() + 2 * DAY_MS).toISOString().slice(0, 10);
  await off({ until, reason: "Back soon." });
  const answer = await fetch(`${at.url}/tidewater`);
  const left_s = Math.ceil((Date.parse(until) - at.clock.now()) / 1000);
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, String(left_s)]);
  expect(await answer.json()).toMatchObject({ code: "product_paused", until: `${until}T00:00:00Z`, charged: false });
  await at.node.endSwitches();
  expect(await statusOf("/tidewater")).toBe(503);
  at.clock.advance(2 * DAY_MS);
  await at.node.endSwitches();
  expect(await statusOf("/tidewater")).toBe(402);
  expect(await operate("switches")).toEqual({ products: [], providers: [] });
  at.clock.advance(-2 * DAY_MS);
});

test("it stays off over a restart, a file that cannot be read stops the start, and a slip is told", async () => {
  for (const [input, says] of [
    [{ product: "/tidewatre" }, "/tidewater"],
    [{ product: "/tidewater", until: "2026-02-30" }, "such as"],
    [{ product: "/tidewater", until: "2001-01-01" }, "is over"],
  ] as const) {
    expect(String((await operate("products-off", input)).detail)).toContain(says);
  }
  await off({ product: "tidewater" });
  await at.restart();
  expect(await statusOf("/tidewater")).toBe(410);
  const file = join(at.data, "switches.json");
  const before = readFileSync(file, "utf8");
  writeFileSync(file, before.slice(0, 20));
  await expect(at.restart()).rejects.toThrow("switches.json");
  writeFileSync(file, before);
  // It was stopped before it failed to start.
  await at.start();
  expect(await statusOf("/tidewater")).toBe(410);
  await on();
  expect(await statusOf("/tidewater")).toBe(402);
});

test("[products] off is taken by a reload, and only the file switches it on again", async () => {
  at.write(ownPlugins('[products]\noff = ["/tidewater"]\n'));
  expect(await at.node.reload()).toMatchObject({ ok: true, changed: ["products.off"] });
  expect(await statusOf("/tidewater")).toBe(410);
  expect(String((await on()).detail)).toContain("[products] off");
  at.write(ownPlugins('[products]\noff = ["/tidewatre"]\n'));
  expect(await at.node.reload()).toMatchObject({ ok: false, faults: expect.stringContaining("/tidewater") });
  at.write(ownPlugins());
  await at.node.reload();
  expect(await statusOf("/tidewater")).toBe(402);
});

/** A plugin whose products read one or both of two providers, with jobs that serve them. */
const SOURCES = `
import { Type } from "@sinclair/typebox";
import { defineJob, definePlugin, defineProduct, defineProvider } from "intel-node";
const provider = (id) => defineProvider({
  id, title: id, docs_url: "https://example.com/", base_urls: ["https://example.com"],
  terms: { class: "open", note: "Of the tests." },
  limits: { rate_per_s: 1, burst: 1, timeout_ms: 1000, attempts: 1, body_bytes_max: 1000 },
});
const [ebb, flow] = [provider("ebb"), provider("flow")];
const product = (path, providers, requires, asks = {}) => defineProduct({
  path, title: path, description: "A number of the tests.", category: "test", tags: ["test"],
  price_usd: "0.01", params: Type.Object({}), data: Type.Object({ n: Type.Number() }),
  example: { params: {}, as_of: "2026-01-01T00:00:00Z", data: { n: 1 } },
  providers, requires, asks, ttl: "60s", deadline_ms: 5000, preview: { every: "24h" },
  fetch: async ({ usable }) => Number(usable(ebb)) + 2 * Number(usable(flow)),
  compute: (n, { now_ms }) => ({ as_of_ms: now_ms, data: { n }, warnings: [] }),
});
const job = (id, providers, more = {}) => defineJob({
  id, schedule: "0 0 1 1 *", providers, at_start: false, deadline_ms: 5000, run: async () => undefined, ...more,
});
export default definePlugin({
  id: "sources", title: "Sources",
  products: [
    product("/of-ebb", [ebb], [[ebb]]),
    product("/of-either", [ebb, flow], [[ebb, flow]]),
    product("/of-parts", [], [], { "/of-ebb": "needed" }),
  ],
  jobs: [job("ebb-pull", [ebb]), job("either-pull", [ebb, flow]), job("ebb-keep", [flow], { serves: ["/of-ebb"] })],
});
`;

test("a provider that is switched off takes along what needs it, and shows that first", async () => {
  at.writePlugin("sources", SOURCES);
  expect(await at.node.reload()).toMatchObject({ ok: true });
  const goes = {
    no_longer_sold: [{ path: "/of-ebb" }, { path: "/of-parts" }],
    lose_a_source: ["/of-either"],
    jobs_that_rest: ["sources/ebb-pull", "sources/ebb-keep"],
  };
  expect(await operate("providers-off", { provider: "ebb" })).toMatchObject({ ok: false, ...goes });
  expect(await statusOf("/of-ebb")).toBe(402);
  expect(await operate("providers-off", { provider: "ebb", yes: true, reason: "No licence." })).toMatchObject(goes);
  for (const path of ["/of-ebb", "/of-parts"]) {
    const answer = await fetch(`${at.url}${path}`);
    expect([answer.status, ((await answer.json()) as Body).reason]).toEqual([410, "No licence."]);
  }
  const buy = async () => {
    const signature = await createPaymentPayload(await fetch(`${at.url}/of-either`), newPayer());
    const answer = await fetch(`${at.url}/of-either`, { headers: { "PAYMENT-SIGNATURE": signature } });
    return ((await answer.json()) as { data: { n: number } }).data.n;
  };
  expect(await buy()).toBe(2);
  const jobs = async () => {
    const { items } = (await operate("jobs")) as unknown as { items: readonly { id: string }[] };
    return items.map(({ id }) => id).filter((id) => id.startsWith("sources/"));
  };
  expect(await jobs()).toEqual(["sources/either-pull"]);
  await at.restart();
  expect(await statusOf("/of-ebb")).toBe(410);
  await operate("providers-on", { provider: "ebb" });
  expect([await statusOf("/of-ebb"), await statusOf("/of-parts")]).toEqual([402, 402]);
  expect((await jobs()).toSorted()).toEqual(["sources/ebb-keep", "sources/ebb-pull", "sources/either-pull"]);
  at.write(ownPlugins('[providers]\noff = ["ebb"]\n'));
  expect(await at.node.reload()).toMatchObject({ ok: true, changed: ["providers.off"] });
  expect(await statusOf("/of-ebb")).toBe(410);
  at.write(ownPlugins());
  await at.node.reload();
  at.removePlugin("sources");
  await at.node.reload();
});

test("the operator's pages switch by a click, and show what goes with a provider", async () => {
  at.writePlugin("sources", SOURCES);
  await at.node.reload();
  const form = (path: string, fields: Readonly<Record<string, string>>, cookie = "") =>
    fetch(`${at.url}${path}`, {
      method: "POST",
      body: new URLSearchParams(fields),
      redirect: "manual",
      headers: { cookie },
    });
  const login = await form("/admin/login", { token: at.node.operator_token });
  const cookie = login.headers.get("set-cookie")?.split(";")[0] ?? "";
  const page = async (path: string) => (await fetch(`${at.url}${path}`, { headers: { cookie } })).text();
  const csrf = /name="csrf" value="([^"]+)"/.exec(await page("/admin/products"))?.[1] ?? "";
  const click = async (op: string, fields: Readonly<Record<string, string>>, back: string) => {
    await form("/admin/do", { csrf, op, back, ...fields }, cookie);
    return page(back);
  };
  expect(await page("/admin/products")).toContain('aria-label="Take /tidewater off sale"');
  const shown = await click(
    "products_off",
    { product: "/tidewater", reason: "Gone <b>", until: "" },
    "/admin/products",
  );
  expect(shown).toContain("/tidewater is off.");
  expect(shown).toContain('aria-label="Sell /tidewater again"');
  expect(shown).toContain("Gone &lt;b&gt;");
  expect(await statusOf("/tidewater")).toBe(410);
  await click("products_on", { product: "/tidewater" }, "/admin/products");
  expect(await statusOf("/tidewater")).toBe(402);
  const asked = await page("/admin/sources?provider=ebb");
  for (const text of ["/of-ebb", "/of-parts", "/of-either", "sources/ebb-pull"]) expect(asked).toContain(text);
  const gone = await click("providers_off", { provider: "ebb", yes: "true" }, "/admin/sources");
  expect(gone).toContain('aria-label="Use ebb again"');
  expect(await statusOf("/of-ebb")).toBe(410);
  await click("providers_on", { provider: "ebb" }, "/admin/sources");
  expect(await statusOf("/of-ebb")).toBe(402);
  at.removePlugin("sources");
  await at.node.reload();
});

test("the commands switch in a running node and on the folder of one that does not run", async () => {
  const said: string[] = [];
  const [log, error] = [spyOn(console, "log"), spyOn(console, "error")];
  for (const one of [log, error]) one.mockImplementation((text: string) => void said.push(text));
  const place = () => ({ config: join(at.data, "..", "node.toml"), data: at.data, url: at.url, json: false });
  try {
    expect(await offCommand("products", "tidewater", { ...place(), reason: "Later." })).toBe(0);
    expect(said.join("\n")).toContain("/tidewater is off sale");
    expect(await statusOf("/tidewater")).toBe(410);
    expect(await offCommand("products", "/tidewatre", place())).toBe(1);
    const without_file = { ...place(), config: join(at.data, "no-such.toml") };
    expect(await onCommand("products", "/tidewater", without_file)).toBe(0);
    expect(await statusOf("/tidewater")).toBe(402);
    expect(await offCommand("products", "/tidewater", { ...without_file, reason: "Later." })).toBe(0);
    expect(said.join("\n")).toContain('Did you mean "/tidewater"?');
    await at.node.stop(() => undefined);
    said.length = 0;
    expect(await listCommand("products", place())).toBe(0);
    expect(said.join("\n")).toMatch(/\/tidewater +off +.*Later\./);
    expect(await onCommand("products", "/tidewater", place())).toBe(0);
    expect(await offCommand("products", "/one", { ...place(), until: "9999-12-31" })).toBe(0);
    said.length = 0;
    expect(await pluginsCommand({ ...place(), json: true })).toBe(0);
    expect(said.join("\n")).toContain('"id": "tidewater"');
  } finally {
    log.mockRestore();
    error.mockRestore();
  }
  await at.start();
  expect([await statusOf("/one"), await statusOf("/tidewater")]).toEqual([503, 402]);
  await operate("products-on", { product: "/one" });
});

test("a product with a form of its own says it in that form, and its old paths say it too", async () => {
  const source = numberPlugin("echo", 1)
    .replace('path: "/echo"', 'path: "/v9/echo", aliases: ["/old-echo"]')
    .replace(
      'preview: { every: "24h" }',
      'preview: { every: "24h", path: "/echo-sample" }, methods: ["POST"], form: FORM',
    )
    .replace(
      "const product",
      "const renderError = ({ code, status }) => ({ status, body: { oops: code } });\n" +
        "const FORM = { render: ({ data }) => data, renderError };\n" +
        "const product",
    );
  at.writePlugin("echo", source);
  expect(await at.node.reload()).toMatchObject({ ok: true });
  expect((await post("/v9/echo", {})).status).toBe(402);
  const { name } = await operate("products-off", { product: "/v9/echo", reason: "<script>alert(1)</script>" });
  expect(name).toBe("/v9/echo");
  const refused = await post("/v9/echo", {});
  expect([refused.status, await refused.json()]).toEqual([410, { oops: "product_off" }]);
  for (const path of ["/v9/echo", "/old-echo", "/echo-sample"])
    expect([path, await statusOf(path)]).toEqual([path, 410]);
  const page = await fetch(`${at.url}/p/v9/echo`, { headers: { accept: "text/html" } });
  const shown = await page.text();
  expect([page.status, shown.includes("<script>alert(1)")]).toEqual([410, false]);
  expect(shown).toContain("&lt;script&gt;");
  at.removePlugin("echo");
  await at.node.reload();
  // A switch of what is no longer there stands, for it may come back, until it is taken away.
  expect(await operate("switches")).toMatchObject({ products: [{ name: "/v9/echo" }] });
  expect(await operate("products-on", { product: "/v9/echo" })).toMatchObject({ ok: true, was_off: true });
  expect(await operate("switches")).toEqual({ products: [], providers: [] });
});
