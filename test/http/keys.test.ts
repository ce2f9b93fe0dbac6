import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cleanUp, type DemoNode, payingFetch, startDemo } from "../helpers/demo-node.ts";
import { noteSecret } from "../helpers/secrets.ts";

let node: DemoNode;
beforeAll(async () => {
  node = await startDemo({ domains: ["crypto-market", "tokens"] });
});
afterAll(cleanUp);

type Answer = Record<string, unknown>;

const admin = async (command: Answer): Promise<Answer> => {
  const response = await fetch(`${node.url}/admin/keys`, {
    method: "POST",
    headers: { authorization: `Bearer ${node.operator_token}`, "content-type": "application/json" },
    body: JSON.stringify(command),
  });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as Answer;
};
const issue = async (more: Answer = { credit_usd: "1" }): Promise<{ api_key: string; key_id: string }> => {
  const { api_key, key_id } = await admin({ command: "issue", ...more });
  noteSecret(String(api_key));
  return { api_key: String(api_key), key_id: String(key_id) };
};
const call = (path: string, api_key: string, more: Record<string, string> = {}) =>
  node.get(path, { "x-api-key": api_key, ...more });
const status = async (api_key: string): Promise<Answer> =>
  (await (await call("/credits-status", api_key)).json()) as Answer;
const keys = async (api_key: string, init: { method: string; path?: string; body?: unknown }) => {
  const response = await fetch(`${node.url}/keys${init.path ?? ""}`, {
    method: init.method,
    headers: { "x-api-key": api_key, "content-type": "application/json" },
    ...(init.body === undefined ? {} : { body: JSON.stringify(init.body) }),
  });
  return { status: response.status, body: (await response.json()) as Answer };
};

/** What no job and no other test asks for, so no answer to it is kept: it fails while its upstreams do. */
const UNKEPT = "/dex-screen?limit=7";
const failItsUpstreams = async (fail: boolean) => {
  for (const provider of ["dexscreener", "geckoterminal"]) {
    await node.control("/upstreams", { provider, fault: fail ? "http500" : "none" });
  }
};

describe("a balance key", () => {
  test("pays a call at its price and says what is left", async () => {
    const { api_key } = await issue();
    const response = await call("/fear-greed", api_key);
    expect(response.status).toBe(200);
    expect(response.headers.get("x-credits-remaining")).toBe("0.99");
    expect(response.headers.get("x-receipt-id")).toMatch(/^call_\d+$/);
    expect(await response.json()).toMatchObject({ product: "fear-greed", sandbox: true });
    expect(await status(api_key)).toMatchObject({ balance_atomic: "990000", spent_atomic: "10000", status: "active" });
  });

  test("concerns only its own call, whatever other calls run at the same time", async () => {
    const own = await Promise.all(["3", "5"].map((credit_usd) => issue({ credit_usd })));
    const ways = [{}, { "idempotency-key": "same" }, {}, { "idempotency-key": "same" }];
    const receipts = new Set<string | null>();
    // A second round: names are answered anew then, without another charge.
    for (let round = 0; round < 2; round += 1) {
      const asked = ways.flatMap((more) => own.map(({ api_key }) => call("/fear-greed", api_key, more)));
      for (const [index, { status: code, headers }] of (await Promise.all(asked)).entries()) {
        expect(code).toBe(200);
        const credits = Number(headers.get("x-credits-remaining"));
        expect(Math.ceil(credits)).toBe(index % 2 === 0 ? 3 : 5);
        const is_named = Math.floor(index / 2) % 2 === 1;
        expect(headers.get("x-idempotent-replay")).toBe(is_named && round === 1 ? "true" : null);
        expect(headers.get("server-timing")).toMatch(/^total;dur=\d+\.\d$/);
        receipts.add(headers.get("x-receipt-id"));
      }
    }
    // For each key four calls without a name, and one with.
    expect(receipts.size).toBe(10);
  });

  test("worth 7 calls pays for exactly 7 of 70 that come at once", async () => {
    const { api_key } = await issue({ credit_usd: "0.07" });
    const all = await Promise.all(Array.from({ length: 70 }, () => call("/fear-greed", api_key)));
    expect(all.filter((one) => one.status === 200)).toHaveLength(7);
    const refused = all.filter((one) => one.status === 402);
    expect(refused).toHaveLength(63);
    expect(await refused[0]?.json()).toMatchObject({
      code: "insufficient_credits",
      charged: false,
      x402Version: 2,
      diagnostic: { reason: "insufficient_credits" },
    });
    expect(await status(api_key)).toMatchObject({ balance_atomic: "0", calls: { total: 7 } });
  });

  test("is not charged for a call that gave no data", async () => {
    const { api_key } = await issue();
    await failItsUpstreams(true);
    const response = await call(UNKEPT, api_key);
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ charged: false });
    await failItsUpstreams(false);
    expect(await status(api_key)).toMatchObject({
      balance: { posted_atomic: "1000000", pending_atomic: "0" },
      calls: { total: 0 },
    });
  });

  test("charges a named call once, and gives its answer again", async () => {
    const { api_key } = await issue();
    const named = { "idempotency-key": "my call 1" };
    const both = await Promise.all([1, 2].map(() => call("/fear-greed", api_key, named)));
    expect(both.map((one) => one.status)).toEqual([200, 200]);
    const again = await call("/fear-greed", api_key, named);
    expect(again.headers.get("x-idempotent-replay")).toBe("true");
    expect(await again.text()).toBe((await both[0]?.text()) ?? "");
    expect(await status(api_key)).toMatchObject({ balance_atomic: "990000", calls: { total: 1 } });
    for (const id of ["my%20call%201", again.headers.get("x-receipt-id")]) {
      const door = await call(`/payments/${id}`, api_key);
      expect(await door.json()).toMatchObject({ state: "settled", product: "fear-greed", answer: { sandbox: true } });
      expect((await call(`/payments/${id}`, (await issue()).api_key)).status).toBe(404);
      expect((await node.get(`/payments/${id}`)).status).toBe(404);
    }
    const other = await call("/pyth-price", api_key, named);
    expect(other.status).toBe(409);
    expect(await other.json()).toMatchObject({ code: "identifier_conflict" });
  });

  test("that is unknown, malformed or revoked gets the 402 with the right code", async () => {
    const { api_key, key_id } = await issue();
    await admin({ command: "revoke", key_id });
    const codes = await Promise.all(
      [api_key, "ink_short", `${api_key.slice(0, -1)}!`, `ink_${"0".repeat(43)}`, ""].map(async (key) => {
        const response = await call("/fear-greed", key);
        return [response.status, ((await response.json()) as Answer).code];
      }),
    );
    expect(codes).toEqual([
      [402, "api_key_revoked"],
      [402, "invalid_api_key"],
      [402, "invalid_api_key"],
      [402, "invalid_api_key"],
      [402, "invalid_api_key"],
    ]);
    const unknown = await call("/credits-status", `ink_${"0".repeat(43)}`);
    expect([unknown.status, ((await unknown.json()) as Answer).code]).toEqual([404, "not_found"]);
    for (const path of ["/credits-status", "/keys", "/statement"]) {
      const without = await node.get(path);
      const { code, param } = (await without.json()) as Answer;
      expect([without.status, code, param]).toEqual([422, "invalid_parameter", "X-API-Key"]);
    }
  });

  test("whose balance has ended can be topped up and goes on", async () => {
    const { api_key, key_id } = await issue({ credit_usd: "1", duration: "1h" });
    await node.control("/clock", { advance_s: 3_601 });
    expect(await (await call("/fear-greed", api_key)).json()).toMatchObject({ code: "api_key_expired" });
    await admin({ command: "top-up", key_id, credit_usd: "1", duration: "1d" });
    expect((await call("/fear-greed", api_key)).status).toBe(200);
    // What had ended is gone: each grant has an end of its own.
    expect(await status(api_key)).toMatchObject({ balance_atomic: "990000" });
    await node.control("/clock", { advance_s: -3_601 });
  });
});

test("a balance key is limited by the minute where limits are on", async () => {
  const { api_key } = await issue();
  expect((await call("/fear-greed", api_key)).headers.get("ratelimit")).toBeNull();
  await node.control("/limits", { enabled: true });
  const response = await call("/fear-greed", api_key);
  await node.control("/limits", { enabled: false });
  expect(response.headers.get("ratelimit")).toMatch(/^"key";r=\d+;t=\d+$/);
});

test("a pass is never debited, has no rate limit and ends at its time", async () => {
  const { api_key } = await issue({ plan: "day_pass" });
  const response = await call("/oracle-consensus", api_key);
  expect([response.status, response.headers.get("x-credits-remaining")]).toEqual([200, "unlimited"]);
  expect(response.headers.get("ratelimit")).toBeNull();
  expect(await status(api_key)).toMatchObject({ unlimited: true, balance: null, spent_atomic: "0" });
  const { now } = await node.control("/clock");
  // Set, not lived: what the market did on that day is of no interest here.
  await node.control("/clock", { now: Date.parse(String(now)) + 86_400_000 });
  expect(await (await call("/fear-greed", api_key)).json()).toMatchObject({ code: "api_key_expired" });
  await node.control("/clock", { advance_s: -86_400 });
  expect((await call("/fear-greed", api_key)).status).toBe(200);
});

describe("a child key", () => {
  test("spends its parent's balance within its own limits, and is revoked at once", async () => {
    const { api_key } = await issue();
    const wanted = {
      label: "bot",
      daily_cap_atomic: "20000",
      call_cap_atomic: 15000,
      products: ["/fear-greed", "/pyth-price"],
    };
    const minted = await keys(api_key, { method: "POST", body: wanted });
    expect(minted).toMatchObject({ status: 201, body: { label: "bot", daily_cap_atomic: "20000" } });
    const child = String(minted.body.api_key);
    const codes = [];
    for (const path of ["/fear-greed", "/fear-greed", "/fear-greed", "/mempool"]) {
      const response = await call(path, child);
      codes.push(response.status === 200 ? 200 : (((await response.json()) as Answer).diagnostic as Answer).reason);
    }
    expect(codes).toEqual([200, 200, "daily_cap", "product_not_allowed"]);
    expect(await status(api_key)).toMatchObject({ balance_atomic: "980000" });
    expect(await status(child)).toMatchObject({ child: { spent_today_atomic: "20000" } });

    const listed = await keys(api_key, { method: "GET" });
    expect(listed.body.items).toMatchObject([{ key_id: minted.body.key_id, spent_atomic: "20000" }]);
    expect(JSON.stringify(listed.body)).not.toContain(child);
    await keys(api_key, { method: "DELETE", path: `/${minted.body.key_id}` });
    expect(await (await call("/pyth-price", child)).json()).toMatchObject({ code: "api_key_revoked" });
  });

  test("cannot mint, and nobody reaches the children of another", async () => {
    const [one, other] = await Promise.all([issue(), issue()]);
    const minted = await keys(one.api_key, { method: "POST", body: {} });
    expect(await keys(String(minted.body.api_key), { method: "POST", body: {} })).toMatchObject({ status: 422 });
    const path = `/${minted.body.key_id}`;
    expect(await keys(other.api_key, { method: "DELETE", path })).toMatchObject({ status: 404 });
    expect((await call(`/statement?key_id=${minted.body.key_id}`, other.api_key)).status).toBe(404);
  });

  test.each([
    [{ daily_cap_atomic: "-1" }, "daily_cap_atomic"],
    [{ call_cap_atomic: 0.5 }, "call_cap_atomic"],
    [{ products: ["/nothing"] }, "products"],
    [{ products: ["/day-pass"] }, "products"],
    [{ expires_at: "yesterday" }, "expires_at"],
    [{ expires_at: "2020-01-01T00:00:00Z" }, "expires_at"],
    [{ admin: true }, "admin"],
    [[], "body"],
  ])("is not minted from %j", async (body, param) => {
    const { api_key } = await issue();
    expect(await keys(api_key, { method: "POST", body })).toMatchObject({ status: 422, body: { param } });
  });
});

test("a statement lists every movement of a balance, in pages that add up to it", async () => {
  const { api_key } = await issue();
  for (let count = 0; count < 3; count++) await call("/fear-greed", api_key);
  const page = (await (await call("/statement?limit=2", api_key)).json()) as Answer;
  expect(page).toMatchObject({
    grants: [{ credit_atomic: "1000000", paid_atomic: "0" }],
    closing_balance_atomic: "970000",
    opening_balance_atomic: "990000",
    items: [
      { kind: "call", product: "fear-greed", change_atomic: "-10000", balance_atomic: "970000", balance_usd: "0.97" },
      { kind: "call", change_usd: "-0.01", balance_usd: "0.98" },
    ],
  });
  const rest = (await (await call(`/statement?limit=2&before=${page.next_before}`, api_key)).json()) as Answer;
  expect(rest).toMatchObject({
    closing_balance_atomic: "990000",
    opening_balance_atomic: "0",
    items: [{ kind: "call" }, { kind: "grant", plan: "operator", change_usd: "1.00", paid_usd: "0.00" }],
    next_before: null,
  });
});

test("a statement as CSV, summed like a spreadsheet would, is the balance", async () => {
  const { api_key, key_id } = await issue();
  const bought = await payingFetch()(`${node.url}/buy-credits`, { headers: { "x-api-key": api_key } });
  expect([bought.status, ((await bought.json()) as Answer).topped_up]).toEqual([200, true]);
  const child = await keys(api_key, { method: "POST", body: {} });
  noteSecret(String(child.body.api_key));
  const of_child = await call("/fear-greed", String(child.body.api_key));
  await call("/mempool", api_key);
  await failItsUpstreams(true);
  expect((await call(UNKEPT, api_key)).status).toBe(503);
  await failItsUpstreams(false);
  await admin({ command: "refund", call_id: of_child.headers.get("x-receipt-id") });
  await admin({ command: "top-up", key_id, credit_usd: "0.5" });

  const csv = await call("/statement?format=csv", api_key);
  expect(csv.headers.get("content-type")).toContain("text/csv");
  const [head = "", ...rows] = (await csv.text()).trimEnd().split("\r\n");
  const lines = rows.map((row) => {
    const fields = row.split(",");
    return Object.fromEntries(head.split(",").map((name, index) => [name, fields[index] ?? ""]));
  });
  expect(lines.map(({ kind, key_id: of, plan, paid_usd }) => [kind, of === key_id, plan, paid_usd])).toEqual([
    ["grant", true, "operator", "0.00"],
    ["refund", false, "", ""],
    ["call", true, "", ""],
    ["call", false, "", ""],
    ["grant", true, "buy_credits", "0.99"],
    ["grant", true, "operator", "0.00"],
  ]);
  const { balance_atomic } = await status(api_key);
  expect(lines.reduce((sum, { change_atomic }) => sum + BigInt(change_atomic ?? ""), 0n)).toBe(
    BigInt(String(balance_atomic)),
  );
  expect([lines[0]?.balance_atomic, csv.headers.get("x-closing-balance")]).toEqual([
    String(balance_atomic),
    String(balance_atomic),
  ]);
  expect(csv.headers.get("x-opening-balance")).toBe("0");
});

describe("a coupon", () => {
  let spare = "";

  test("pays for one call, not for a plan, and only once a day per network", async () => {
    const welcome = (await (await node.get("/welcome")).json()) as Answer;
    expect(welcome.eligible).toContain("/fear-greed");
    expect(welcome.eligible).not.toContain("/day-pass");
    const coupon = { "x-coupon": String(welcome.coupon) };
    spare = String(((await (await node.get("/welcome")).json()) as Answer).coupon);
    expect((await node.get("/day-pass", coupon)).status).toBe(402);

    await failItsUpstreams(true);
    expect((await node.get(UNKEPT, coupon)).status).toBe(503);
    await failItsUpstreams(false);

    const first = await node.get("/fear-greed", coupon);
    expect([first.status, first.headers.get("x-receipt-id")?.slice(0, 5)]).toEqual([200, "call_"]);
    expect(await (await node.get("/fear-greed", coupon)).json()).toMatchObject({
      code: "invalid_coupon",
      diagnostic: { reason: "used" },
    });
    expect(await (await node.get("/fear-greed", { "x-coupon": spare })).json()).toMatchObject({
      diagnostic: { reason: "one_a_day" },
    });
    expect(await (await node.get("/welcome")).json()).toMatchObject({ coupon: null, reason: "one_a_day" });
  });

  test("that was altered is unknown", async () => {
    for (const altered of [`${spare.slice(0, -2)}AA`, spare.replace("inc_", "inc_A"), "inc_", "x".repeat(5_000)]) {
      expect(await (await node.get("/fear-greed", { "x-coupon": altered })).json()).toMatchObject({
        code: "invalid_coupon",
        diagnostic: { reason: "unknown_coupon" },
      });
    }
  });
});

test("every plan is listed with what it grants, and previews without a key", async () => {
  const pricing = (await (await node.get("/get-pricing")).json()) as { plans: Answer[] };
  expect(pricing.plans.map((plan) => [plan.path, plan.price_usd, plan.credit_usd, plan.duration_s])).toEqual([
    ["/buy-credits", "0.99", "1.25", null],
    ["/day-pass", "2.99", null, 86_400],
    ["/enterprise", "99.99", null, 31_536_000],
    ["/founding-agent", "49.99", "75.00", 15_552_000],
    ["/subscribe-pro", "9.99", "15.00", 2_592_000],
    ["/subscribe-whale", "19.99", null, 2_592_000],
    ["/week-pass", "9.99", null, 604_800],
  ]);
  for (const { path } of pricing.plans) {
    const preview = await node.get(`${path}?preview=1`);
    expect([path, preview.status]).toEqual([path, 200]);
    expect(await preview.text()).not.toContain("ink_");
    expect((await node.get(String(path))).status).toBe(402);
  }
});

test("after all of this the books balance", async () => {
  expect(await node.stop()).toBe(0);
  const audit = Bun.spawnSync([process.env.TEST_BINARY ?? "dist/intel-node", "ledger", "audit", "--data", node.data]);
  expect(audit.stdout.toString()).toContain("every rule holds");
});
