import { afterEach, describe, expect, test } from "bun:test";
import { networkById } from "../../src/payments/networks/table.ts";
import { EFFORT } from "../helpers/effort.ts";
import { until } from "../helpers/hang-limit.ts";
import { type MoneyNode, startMoneyNode } from "../helpers/money-node.ts";
import { PAYERS, payFor } from "../helpers/payers.ts";
import { noteSecret } from "../helpers/secrets.ts";

const SAMPLE = 3;
const FEW = `never_landed_sample = ${SAMPLE}`;
/** Long enough for any signature to be dead on any chain. */
const DEAD_MS = 600_000;

let money: MoneyNode | null = null;
afterEach(async () => {
  await money?.stop();
  money = null;
});

interface Share {
  readonly settled: number;
  readonly confirmed: number;
  readonly pending: number;
  readonly missing: number;
  readonly disbelieved: number;
  readonly never_landed: number | null;
}
interface Live extends Share {
  readonly network: string;
  readonly landing: string;
  readonly waits_for_chain: boolean;
  readonly doubted: number;
  readonly last_24h: Share;
}

async function steer({ sandbox }: MoneyNode, path: string, body: unknown): Promise<void> {
  const init = { method: "POST", body: JSON.stringify(body) };
  const response = await sandbox.handleControl(new Request(`http://localhost/__sandbox${path}`, init));
  if (response.status !== 200) throw new Error(await response.text());
}

/** What /live says of every facilitator on one network; it is rendered at most twice a second. */
async function livesOf({ url, clock }: MoneyNode, network: string): Promise<Live[]> {
  clock.advance(1_000);
  const { networks } = (await (await fetch(`${url}/live`)).json()) as { networks: Live[] };
  return networks.filter((one) => one.network === network);
}
async function liveOf(node: MoneyNode, network: string): Promise<Live> {
  const [found] = await livesOf(node, network);
  if (!found) throw new Error(`${network} is not in /live`);
  return found;
}

const adminOf = async ({ url, node }: MoneyNode) =>
  (await (
    await fetch(`${url}/admin/status`, { headers: { authorization: `Bearer ${node.operator_token}` } })
  ).json()) as { landings: Live[]; never_landed: { receipt_id: string; chain_transaction: string }[] };

const share = (of: Partial<Share>) => ({ confirmed: 0, pending: 0, missing: 0, disbelieved: 0, ...of });

/** Looks settlements up, some time later. */
async function lookUpAfter({ node, clock }: MoneyNode, ms: number): Promise<void> {
  clock.advance(ms);
  await node.checkSettlements();
}

for (const [nth, { network, newPayer }] of PAYERS.entries()) {
  /**
   * What follows from a look at a chain is the same code for every network: with quick counts the first one shows it,
   * and the others that each chain is read right.
   */
  const testOnce = test.skipIf(EFFORT === "quick" && nth > 0);
  const buy = async (node: MoneyNode, headers?: Record<string, string>): Promise<Response> => {
    const url = `${node.url}/one`;
    return fetch(url, { headers: headers ?? (await payFor(url, await newPayer(node.url), 2)) });
  };
  /** Sales by a facilitator that settles nothing, until the chain has its word on them. */
  const sellLies = async (node: MoneyNode, count = SAMPLE): Promise<void> => {
    await steer(node, "/facilitator", { settle: "lie" });
    for (let n = 0; n < count; n++) expect((await buy(node)).status).toBe(200);
  };
  /** Lets every signature die and looks twice; then the clock is back where clients can sign by it. */
  const decide = async (node: MoneyNode): Promise<void> => {
    await lookUpAfter(node, DEAD_MS);
    node.clock.advance(-DEAD_MS);
  };

  describe(`settlements on ${network}`, () => {
    test("that landed are confirmed, and the share that never did is 0", async () => {
      money = await startMoneyNode();
      expect((await buy(money)).status).toBe(200);
      expect(await liveOf(money, network)).toMatchObject({
        landing: "checked",
        waits_for_chain: false,
        settled: 1,
        ...share({ pending: 1 }),
        never_landed: null,
      });
      await lookUpAfter(money, 6_000);
      const confirmed = { settled: 1, ...share({ confirmed: 1 }), never_landed: 0 };
      expect(await liveOf(money, network)).toMatchObject({ ...confirmed, last_24h: confirmed });
      // A day later only the whole history knows of it.
      money.clock.advance(25 * 3_600_000);
      expect(await liveOf(money, network)).toMatchObject({
        ...confirmed,
        last_24h: { settled: 0, never_landed: null },
      });
    });

    test("that never landed are missing; then a facilitator's word is not enough: the next buyer waits", async () => {
      money = await startMoneyNode(FEW);
      await sellLies(money);
      await lookUpAfter(money, 6_000);
      // The signatures live: it may still land.
      expect(await liveOf(money, network)).toMatchObject({ ...share({ pending: SAMPLE }), never_landed: null });
      await decide(money);
      expect(await liveOf(money, network)).toMatchObject({
        settled: SAMPLE,
        ...share({ missing: SAMPLE }),
        never_landed: 1,
        waits_for_chain: true,
      });
      const { landings, never_landed } = await adminOf(money);
      expect(landings).toHaveLength(1);
      expect(never_landed).toHaveLength(SAMPLE);
      const pattern = networkById(network)?.transaction_pattern ?? /never/;
      for (const { chain_transaction } of never_landed) expect(chain_transaction).toMatch(pattern);

      const headers = await payFor(`${money.url}/one`, await newPayer(money.url), 2);
      const answer = await buy(money, headers);
      expect(answer.status).toBe(503);
      const body = (await answer.json()) as Record<string, unknown>;
      expect(body).toMatchObject({ code: "settlement_unknown", charged: "unknown" });
      expect(body.data).toBeUndefined();
      expect(await money.node.audit()).toMatchObject({ ok: true, receipts: SAMPLE });

      // Nothing was ever taken from him, and the report counts against the facilitator all the same.
      await decide(money);
      const found = { ...share({ missing: SAMPLE, disbelieved: 1 }), never_landed: 1, waits_for_chain: true };
      expect(await liveOf(money, network)).toMatchObject(found);
      expect(await money.node.audit()).toMatchObject({ ok: true, receipts: SAMPLE, payments: { settle_failed: 1 } });
      expect(money.settlements()).toBe(0);
    });

    testOnce("that never landed suspend the key that was bought, with its children, until they are found", async () => {
      money = await startMoneyNode();
      const { url } = money;
      const plan = `${url}/buy-credits`;
      const bought = await fetch(plan, { headers: await payFor(plan, await newPayer(url), 2) });
      const { api_key } = (await bought.json()) as { api_key: string };
      noteSecret(api_key);
      const ask = (path: string, key = api_key, method = "GET") =>
        fetch(`${url}${path}`, { method, headers: { "x-api-key": key } });
      const child = (await (await ask("/keys", api_key, "POST")).json()) as { api_key: string };
      noteSecret(child.api_key);
      const codes = async () => {
        const answers = [await ask("/one"), await ask("/one", child.api_key)];
        return Promise.all(answers.map(async (one) => (one.ok ? 200 : ((await one.json()) as { code: string }).code)));
      };
      const stateOf = async () => ((await (await ask("/credits-status")).json()) as { status: string }).status;
      expect([await codes(), await stateOf()]).toEqual([[200, 200], "active"]);
      // The endpoint is wrong for a while: it denies what is there.
      await steer(money, "/chain", { network, fault: "blind" });
      await decide(money);
      expect(await liveOf(money, network)).toMatchObject(share({ missing: 1 }));
      expect([await codes(), await stateOf()]).toEqual([["api_key_suspended", "api_key_suspended"], "suspended"]);
      const refused = await fetch(plan, {
        headers: { "x-api-key": api_key, ...(await payFor(plan, await newPayer(url), 2)) },
      });
      expect(await refused.json()).toMatchObject({ code: "api_key_suspended" });
      await steer(money, "/chain", { network, fault: "none" });
      await lookUpAfter(money, 7 * 3_600_000);
      expect([await codes(), await stateOf()]).toEqual([[200, 200], "active"]);
      expect(await money.node.audit()).toMatchObject({ ok: true });
    });

    testOnce("the chain does not know in time are doubted: from the first on, the next buyer waits", async () => {
      money = await startMoneyNode();
      const doubt_ms = networkById(network)?.doubt_after_ms ?? 0;
      await sellLies(money, 1);
      await lookUpAfter(money, doubt_ms - 6_000);
      expect(await liveOf(money, network)).toMatchObject({ doubted: 0, waits_for_chain: false });
      await lookUpAfter(money, 6_000);
      expect(await liveOf(money, network)).toMatchObject({
        doubted: 1,
        waits_for_chain: true,
        ...share({ pending: 1 }),
      });
      expect((await buy(money)).status).toBe(503);
      // An honest settlement still sells, as soon as the chain shows it; the doubt stays until its cause is seen.
      await steer(money, "/facilitator", {});
      expect((await buy(money)).status).toBe(200);
      expect(await liveOf(money, network)).toMatchObject({ doubted: 1, waits_for_chain: true });
      expect(await money.node.audit()).toMatchObject({ ok: true, receipts: 2, payments: { settled: 2, unknown: 1 } });
    });

    testOnce("that an endpoint shows late are doubted only until then", async () => {
      money = await startMoneyNode();
      expect((await buy(money)).status).toBe(200);
      await steer(money, "/chain", { network, fault: "lag", lag_s: 300 });
      await lookUpAfter(money, 61_000);
      expect(await liveOf(money, network)).toMatchObject({ doubted: 1, waits_for_chain: true });
      await steer(money, "/chain", { network, fault: "none" });
      await lookUpAfter(money, 61_000);
      const seen = { doubted: 0, waits_for_chain: false, ...share({ confirmed: 1 }) };
      expect(await liveOf(money, network)).toMatchObject(seen);
    });

    testOnce("by a facilitator that is watched still sell, as soon as the chain shows them", async () => {
      money = await startMoneyNode(FEW);
      await sellLies(money);
      await decide(money);
      await steer(money, "/facilitator", {});
      expect((await buy(money)).status).toBe(200);
      expect(money.settlements()).toBe(1);
      expect(await money.node.audit()).toMatchObject({ ok: true, receipts: SAMPLE + 1 });
    });

    test("stay pending while the chain cannot be read, however late it gets, and are confirmed then", async () => {
      money = await startMoneyNode();
      expect((await buy(money)).status).toBe(200);
      for (const fault of ["http500", "http429", "garbage"]) {
        await steer(money, "/chain", { network, fault });
        await lookUpAfter(money, DEAD_MS);
        expect(await liveOf(money, network)).toMatchObject({ ...share({ pending: 1 }), never_landed: null });
      }
      await steer(money, "/chain", { network, fault: "none" });
      await lookUpAfter(money, DEAD_MS);
      expect(await liveOf(money, network)).toMatchObject({ ...share({ confirmed: 1 }), never_landed: 0 });
    });

    test("stay pending before an endpoint that lags, and are not called missing", async () => {
      money = await startMoneyNode();
      expect((await buy(money)).status).toBe(200);
      await steer(money, "/chain", { network, fault: "lag", lag_s: 120 });
      await lookUpAfter(money, 100_000);
      expect(await liveOf(money, network)).toMatchObject(share({ pending: 1 }));
      await lookUpAfter(money, 100_000);
      expect(await liveOf(money, network)).toMatchObject(share({ confirmed: 1 }));
    });

    test("denied by an endpoint that lies stay settled and sold, and are found again when it stops lying", async () => {
      money = await startMoneyNode(FEW);
      const paid = await payFor(`${money.url}/one`, await newPayer(money.url), 2);
      const headers = { ...paid, "Idempotency-Key": "8e03978e-40d5-43e8" };
      const sold = await (await buy(money, headers)).text();
      await steer(money, "/chain", { network, fault: "blind" });
      await lookUpAfter(money, DEAD_MS);
      expect(await liveOf(money, network)).toMatchObject({
        ...share({ missing: 1 }),
        never_landed: 1,
        doubted: 1,
        waits_for_chain: true,
      });
      expect(await (await buy(money, headers)).text()).toBe(sold);
      await steer(money, "/chain", { network, fault: "none" });
      await lookUpAfter(money, 7 * 3_600_000);
      expect(await liveOf(money, network)).toMatchObject({
        ...share({ confirmed: 1 }),
        never_landed: 0,
        doubted: 0,
        waits_for_chain: false,
      });
      // And what was confirmed is not denied again.
      await steer(money, "/chain", { network, fault: "blind" });
      await lookUpAfter(money, 7 * 3_600_000);
      expect(await liveOf(money, network)).toMatchObject(share({ confirmed: 1 }));
      expect(await money.node.audit()).toMatchObject({ ok: true, receipts: 1, payments: { settled: 1 } });
    });
  });

  describe(`every answer confirmed first, on ${network}`, () => {
    const ALWAYS = "confirm_always = true";

    test("sells what landed", async () => {
      money = await startMoneyNode(ALWAYS);
      expect(await liveOf(money, network)).toMatchObject({ waits_for_chain: true });
      expect((await buy(money)).status).toBe(200);
    });

    test("hands nothing over for a report that the chain does not show", async () => {
      money = await startMoneyNode(ALWAYS);
      await steer(money, "/facilitator", { settle: "lie" });
      expect((await buy(money)).status).toBe(503);
      expect(await money.node.audit()).toMatchObject({ ok: true, receipts: 0, payments: { unknown: 1 } });
    });

    testOnce("holds an answer back while the chain cannot be read, and gives it to its buyer afterwards", async () => {
      money = await startMoneyNode(ALWAYS);
      const headers = await payFor(`${money.url}/one`, await newPayer(money.url), 2);
      await steer(money, "/chain", { network, fault: "http500" });
      expect((await buy(money, headers)).status).toBe(503);
      const posted = money.facilitator.calls.settle;
      await steer(money, "/chain", { network, fault: "none" });
      await lookUpAfter(money, 3_000);
      const answer = await buy(money, headers);
      expect(answer.status).toBe(200);
      expect(money.facilitator.calls.settle).toBe(posted);
      expect(money.settlements()).toBe(1);
      // The chain itself showed it: nothing is left to look up.
      expect(await liveOf(money, network)).toMatchObject({ ...share({ confirmed: 1 }), never_landed: 0 });
    });
  });
}

test("an honest facilitator beside one that lies is believed as ever", async () => {
  const [base] = PAYERS;
  if (!base) throw new Error("no payer");
  const honest = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      // Asked for the first time before the node's own sandbox is known here.
      if (!money) return new Response("not yet", { status: 503 });
      const target = money.sandbox.facilitatorUrl("honest");
      const { pathname } = new URL(request.url);
      const init = request.method === "GET" ? {} : { method: "POST", body: await request.text() };
      return fetch(`${target}${pathname}`, { ...init, headers: { "content-type": "application/json" } });
    },
  });
  try {
    money = await startMoneyNode(
      `${FEW}\n[[facilitators]]\nkind = "remote"\nurl = "http://127.0.0.1:${honest.port}"\n`,
    );
    const { url, facilitator, node, clock } = money;
    await until(async () => money !== null && (await livesOf(money, base.network)).length === 2, "both facilitators");
    const buy = async () => fetch(`${url}/one`, { headers: await payFor(`${url}/one`, await base.newPayer(url), 2) });
    await steer(money, "/facilitator", { settle: "lie" });
    for (let n = 0; n < SAMPLE; n++) expect((await buy()).status).toBe(200);
    // The second one takes over what the first cannot even check.
    facilitator.script.verify = () => new Response("down", { status: 503 });
    for (let n = 0; n < SAMPLE; n++) expect((await buy()).status).toBe(200);
    clock.advance(DEAD_MS);
    await node.checkSettlements();
    clock.advance(-DEAD_MS);
    expect(await livesOf(money, base.network)).toMatchObject([
      { missing: SAMPLE, never_landed: 1, waits_for_chain: true },
      { confirmed: SAMPLE, never_landed: 0, waits_for_chain: false },
    ]);
    expect((await buy()).status).toBe(200);
    facilitator.script.verify = (forward) => forward();
    expect((await buy()).status).toBe(503);
    expect(await node.audit()).toMatchObject({ ok: true, receipts: 2 * SAMPLE + 1 });
  } finally {
    await honest.stop(true);
  }
});
