import { afterAll, beforeAll, expect, test } from "bun:test";
import { newPayer } from "../helpers/demo-node.ts";
import { type FileNode, numberPlugin, ownPlugins, startFileNode } from "../helpers/file-node.ts";
import { createPaymentPayload } from "../helpers/sign-for.ts";

const FULL = process.env.TEST_FULL === "1";
const RELOADS = FULL ? 1_000 : 20;
const CALLS_BETWEEN = 6;
/** What a node may grow by over all of them, bytes: a generation that is not let go of is about a megabyte. */
const GROWTH_MAX = 48e6;

let at: FileNode;
beforeAll(async () => {
  at = await startFileNode();
});
afterAll(() => at.stop());

const priced = (usd: string, more = "") => ownPlugins(`${more}\n[prices]\n"/one" = "${usd}"\n`);
const reload = async () => {
  const report = await at.node.reload();
  if (!report.ok) throw new Error(report.faults);
  return report;
};
const reloadTo = (more: string) => {
  at.write(priced("0.02", more));
  return reload();
};
const pay = (signature: string, path = "/one") =>
  fetch(`${at.url}${path}`, { headers: { "PAYMENT-SIGNATURE": signature } });
const quotedNow = async (path = "/one"): Promise<string> => {
  const body = (await (await fetch(`${at.url}${path}`)).json()) as { accepts: readonly { amount: string }[] };
  return body.accepts[0]?.amount ?? "";
};

test("a new price is in force at once, and the old one is honoured for as long as its challenge", async () => {
  const early = await createPaymentPayload(await fetch(`${at.url}/one`), newPayer());
  const late = await createPaymentPayload(await fetch(`${at.url}/one`), newPayer());
  at.write(priced("0.02"));
  expect((await reload()).changed).toEqual(["prices./one"]);
  expect(await quotedNow()).toBe("20000");
  const paid = await pay(early);
  expect(paid.status).toBe(200);
  const receipt = await (await fetch(`${at.url}/receipts/${paid.headers.get("x-receipt-id")}`)).json();
  expect(receipt).toMatchObject({ amount_atomic: "10000" });
  at.clock.advance(301_000);
  const refused = await pay(late);
  expect(refused.status).toBe(402);
  expect(await refused.json()).toMatchObject({ charged: false });
  // Buyers sign by the clock of the world.
  at.clock.advance(-301_000);
});

test("a faulty file changes nothing and says everything that is wrong", async () => {
  at.write(`${priced("0.03")}[limits]\nfree_per_minut = 5\n[log]\nlevel = "loud"\n`);
  const report = await at.node.reload();
  expect(report).toMatchObject({ ok: false });
  const { faults } = report as { readonly faults: string };
  for (const part of ["free_per_minut", "level", "2 faults"]) expect(faults).toContain(part);
  at.write(priced("0.03").replace("/one", "/nothing"));
  expect(await at.node.reload()).toMatchObject({ ok: false, faults: expect.stringContaining("/nothing") });
  expect(await quotedNow()).toBe("20000");
});

test("what needs a restart is named, and not taken", async () => {
  at.write(`${priced("0.02")}[node]\nname = "Another"\n[payments]\nduplicate_guard_s = 5\n`);
  const { changed, needs_restart } = await reload();
  expect(changed).toEqual([]);
  expect(needs_restart).toEqual(["node.name", "payments.duplicate_guard_s"]);
  at.write(priced("0.02"));
  expect(await reload()).toMatchObject({ changed: [], needs_restart: [] });
});

test("plugins come, change and go; a faulty one changes nothing", async () => {
  at.writePlugin("two", numberPlugin("two", 1));
  expect((await reload()).changed).toEqual(["plugin two: came"]);
  const buy = async () => {
    const response = await pay(await createPaymentPayload(await fetch(`${at.url}/two`), newPayer()), "/two");
    return ((await response.json()) as { data: { n: number } }).data.n;
  };
  expect(await buy()).toBe(1);
  at.writePlugin("two", numberPlugin("two", 22));
  expect((await reload()).changed).toEqual(["plugin two: changed"]);
  // What the old one made is not sold as the new one's.
  expect(await buy()).toBe(22);
  at.writePlugin("two", numberPlugin("two", 3, "throw new Error('no such luck');"));
  const refused = await at.node.reload();
  expect(refused).toMatchObject({ ok: false, faults: expect.stringContaining("no such luck") });
  expect(await quotedNow("/two")).toBe("10000");
  at.removePlugin("two");
  expect((await reload()).changed).toEqual(["plugin two: went"]);
  expect((await fetch(`${at.url}/two`)).status).toBe(404);
});

test("the operator's API reloads too, and nobody else can", async () => {
  at.write(priced("0.02"));
  const answer = await at.ask("/admin/api/reload", {});
  expect(await answer.json()).toMatchObject({ ok: true });
  const stranger = await fetch(`${at.url}/admin/api/reload`, { method: "POST", body: "{}" });
  expect(stranger.status).toBe(404);
});

test("limits, plans, alerts and the log follow the file", async () => {
  const more = `[limits]\nkey_per_minute = 7\nproduce_slots = 3\n[plans.starter]\nprice = "2"\ngrants = "3"\n`;
  at.write(priced("0.02", `${more}[[alerts]]\nkind = "ntfy"\nurl = "http://127.0.0.1:9/x"\n[log]\nlevel = "error"\n`));
  const { changed, needs_restart } = await reload();
  expect(needs_restart).toEqual([]);
  for (const key of ["alerts", "limits.key_per_minute", "limits.produce_slots", "log.level", "plans.starter.price"]) {
    expect(changed).toContain(key);
  }
  const lines = at.log.length;
  await fetch(`${at.url}/one`);
  expect(at.log.length).toBe(lines);
  const issued = (await (await at.ask("/admin/keys", { command: "issue", plan: "starter" })).json()) as Issued;
  const called = await fetch(`${at.url}/one`, { headers: { "x-api-key": issued.api_key } });
  expect(called.status).toBe(200);
  at.write(priced("0.02"));
  await reload();
});

/** A product that sells what a model's answer cost, in 1e-8 USD. */
const writerPlugin = numberPlugin("writer", 0)
  .replace('ttl: "60s"', 'ttl: "0s"')
  .replace(
    "fetch: async () => 0,",
    `uses_model: { use: "door", need: "needed" },
  fetch: async (context) => {
    const asked = await context.model.complete({ messages: [{ role: "user", content: "hello" }], max_tokens: 20 });
    return Math.round(asked.cost_usd * 1e8);
  },`,
  );
/** A model on this machine; the sandbox plays it. */
const model = (id: string, use: string, price = "1.00") =>
  `[[models]]\nid = "${id}"\nbase_url = "http://127.0.0.1:9/v1"\nmodel = "m"\nuse = ["${use}"]\n` +
  `price_in = "${price}"\nprice_out = "${price}"\n`;

test("models come, change and go, and with them what needs one; the day's money counts on", async () => {
  await reloadTo("");
  at.writePlugin("writer", writerPlugin);
  const { changed, needs_restart } = await reloadTo(model("first", "compose"));
  expect([changed, needs_restart]).toEqual([["models", "plugin writer: came"], []]);
  expect((await fetch(`${at.url}/writer`)).status).toBe(404);

  expect((await reloadTo(model("first", "compose") + model("second", "door"))).changed).toEqual(["models"]);
  const cost = async () => {
    const response = await pay(await createPaymentPayload(await fetch(`${at.url}/writer`), newPayer()), "/writer");
    const body = (await response.json()) as { readonly data?: { readonly n: number }; readonly charged?: boolean };
    return body.data?.n ?? (body.charged === false ? "uncharged" : "failed");
  };
  const once = await cost();
  expect(once).toBeGreaterThan(0);
  await reloadTo(model("second", "door", "3.00"));
  expect(await cost()).toBe(3 * Number(once));

  // The day may cost less than was spent already: nothing is asked that costs money.
  await reloadTo(`[llm]\ndaily_usd = "0.000001"\n${model("second", "door")}`);
  expect(await cost()).toBe("uncharged");
  const status = (await (await at.ask("/admin/status")).json()) as { readonly model_budgets: readonly unknown[] };
  expect(status.model_budgets[0]).toMatchObject({ scope: "all", limit_usd: 0.000001, is_spent: true });
  await reloadTo(model("second", "door", "0"));
  expect(await cost()).toBe(0);

  at.write(priced("0.02", model("second", "door") + model("second", "door")));
  expect(await at.node.reload()).toMatchObject({
    ok: false,
    faults: expect.stringContaining("another model is called"),
  });
  await reloadTo(model("first", "compose"));
  expect((await fetch(`${at.url}/writer`)).status).toBe(404);
  at.removePlugin("writer");
  await reloadTo("");
});

interface Issued {
  readonly api_key: string;
}

test(`${RELOADS} reloads under load: no call fails, and nothing of the old ones is kept`, async () => {
  const issue = { command: "issue", credit_usd: "1000", duration: "30d" };
  const { api_key } = (await (await at.ask("/admin/keys", issue)).json()) as Issued;
  const state = { done: false, calls: 0, failed: [] as string[] };
  let ended = Promise.withResolvers<void>();
  const caller = async (call: () => Promise<Response>) => {
    while (!state.done) {
      const response = await call();
      const text = await response.text();
      state.calls += 1;
      ended.resolve();
      if (response.status !== 200) state.failed.push(`${response.status} ${text.slice(0, 300)}`);
    }
  };
  const byKey = () => fetch(`${at.url}/one`, { headers: { "x-api-key": api_key } });
  const byPayment = async () => pay(await createPaymentPayload(await fetch(`${at.url}/one`), newPayer()));
  const callers = [caller(byKey), caller(byKey), caller(byPayment), caller(() => fetch(`${at.url}/openapi.json`))];
  const measure = () => {
    Bun.gc(true);
    return process.memoryUsage().heapUsed;
  };
  let before = 0;
  for (let round = 0; round < RELOADS; round += 1) {
    // The first ones warm up what is kept on purpose: compiled code, caches of a fixed size.
    if (round === RELOADS / 10) before = measure();
    at.write(priced(`0.0${1 + (round % 5)}`, `[limits]\nkey_per_minute = ${100_000 + (round % 3)}\n`));
    const reloading = reload();
    // Calls are answered before, during and after each of them.
    for (let call = 0; call < CALLS_BETWEEN; call += 1) {
      ended = Promise.withResolvers();
      await ended.promise;
    }
    await reloading;
  }
  state.done = true;
  await Promise.all(callers);
  expect(state.failed).toEqual([]);
  expect(state.calls).toBeGreaterThan(RELOADS * CALLS_BETWEEN);
  expect(measure() - before).toBeLessThan(GROWTH_MAX);
  expect((await at.node.audit()).ok).toBe(true);
  if (FULL) console.log(`${RELOADS} reloads, ${state.calls} calls, ${measure() - before} bytes more`);
});
