import { afterEach, describe, expect, test } from "bun:test";
import { renderStartScreen } from "../../src/commands/start-screen.ts";
import { networkById } from "../../src/payments/networks/table.ts";
import type { AccountState } from "../../src/sandbox/chains/account-states.ts";
import type { Sandbox } from "../../src/sandbox/index.ts";
import { type MoneyNode, startMoneyNode, WALLETS } from "../helpers/money-node.ts";
import { PAYERS, payFor } from "../helpers/payers.ts";

const HOUR_MS = 3_600_000;
const BASE = "eip155:84532";

let money: MoneyNode | null = null;
afterEach(async () => {
  await money?.stop();
  money = null;
});

const steer = async (sandbox: Sandbox, path: string, body: unknown): Promise<void> => {
  const init = { method: "POST", body: JSON.stringify(body) };
  const answer = await sandbox.handleControl(new Request(`http://localhost/__sandbox${path}`, init));
  if (answer.status !== 200) throw new Error(await answer.text());
};
const readJSON = async (url: string): Promise<Record<string, unknown>> =>
  (await (await fetch(url)).json()) as Record<string, unknown>;

/** Networks of the 402. */
async function offeredBy({ url }: MoneyNode): Promise<readonly string[]> {
  const header = (await fetch(`${url}/one`)).headers.get("PAYMENT-REQUIRED") ?? "";
  const { accepts } = JSON.parse(atob(header)) as { accepts: { network: string }[] };
  return accepts.map(({ network }) => network);
}
/** What /live says is left out; it is rendered at most twice a second. */
async function leftOutBy({ url, clock }: MoneyNode): Promise<unknown> {
  clock.advance(1_000);
  return (await readJSON(`${url}/live`)).networks_left_out;
}

for (const { network, newPayer } of PAYERS.filter((one) => one.network !== BASE)) {
  const wallet = networkById(network)?.wallet ?? "base";
  const pay_to = WALLETS[wallet];
  const others = PAYERS.map((one) => one.network).filter((id) => id !== network);
  const all = PAYERS.map((one) => one.network);
  const setAccount = (sandbox: Sandbox, state: AccountState, address = pay_to) =>
    steer(sandbox, "/account", { network, address, state });
  const sign = async (node: MoneyNode) => payFor(`${node.url}/one`, await newPayer(node.url), 2);
  const buy = (node: MoneyNode, headers: Record<string, string>) => fetch(`${node.url}/one`, { headers });
  const checkAfter = async (node: MoneyNode, ms: number): Promise<void> => {
    node.clock.advance(ms);
    await node.node.checkSellers();
  };

  describe(`a seller who cannot be paid on ${network}`, () => {
    test("at start does not offer it and says so, until he can, without a restart", async () => {
      money = await startMoneyNode("", (sandbox) => setAccount(sandbox, "missing"));
      const why = expect.stringMatching(/does not exist|not opted in/);
      expect(await offeredBy(money)).toEqual(others);
      expect(await leftOutBy(money)).toEqual([{ network, why }]);
      const ready = await fetch(`${money.url}/readyz`);
      expect(ready.status).toBe(503);
      expect(await ready.text()).toMatch(/does not exist|not opted in/);
      const screen = () =>
        renderStartScreen({ version: "0", config_file: "", data_dir: "", node: (money as MoneyNode).node });
      expect(screen()).toMatch(/LEFT OUT: .*(does not exist|not opted in)/);

      await setAccount(money.sandbox, "open");
      await checkAfter(money, 60_000);
      expect(await offeredBy(money)).toEqual(all);
      expect(await leftOutBy(money)).toEqual([]);
      expect((await fetch(`${money.url}/readyz`)).status).toBe(200);
      expect(screen()).not.toContain("LEFT OUT");
      money.clock.set(Date.now());
      expect((await buy(money, await sign(money))).status).toBe(200);
    });

    test("any more leaves it out at the hourly look, and refuses what was signed before, uncharged", async () => {
      money = await startMoneyNode();
      expect(await offeredBy(money)).toEqual(all);
      const headers = await sign(money);
      await setAccount(money.sandbox, "missing");
      await checkAfter(money, HOUR_MS);
      money.clock.set(Date.now());
      expect(await offeredBy(money)).toEqual(others);
      const answer = await buy(money, headers);
      expect(answer.status).toBe(503);
      expect(await answer.json()).toMatchObject({ code: "facilitator_unavailable", charged: false });
      expect(money.facilitator.calls).toMatchObject({ verify: 0, settle: 0 });
    });

    test.each(["missing", "frozen"] as const)(
      "(%s) is not the buyer's fault when he finds out first",
      async (state) => {
        money = await startMoneyNode();
        const headers = await sign(money);
        const { produced } = money.work;
        await setAccount(money.sandbox, state);
        const answer = await buy(money, headers);
        expect(answer.status).toBe(503);
        expect(await answer.json()).toMatchObject({ code: "facilitator_unavailable", charged: false });
        expect(answer.headers.get("PAYMENT-REQUIRED")).toBeNull();
        expect(await offeredBy(money)).toEqual(others);
        expect(money.work.produced).toBe(produced);
        expect(money.settlements()).toBe(0);

        // The same payment is good as soon as the account is.
        await setAccount(money.sandbox, "open");
        await checkAfter(money, 60_000);
        money.clock.set(Date.now());
        expect(await offeredBy(money)).toEqual(all);
        expect((await buy(money, headers)).status).toBe(200);
        expect(money.settlements()).toBe(1);
        expect(await money.node.audit()).toMatchObject({ ok: true, receipts: 1 });
      },
    );

    test("between verify and settle gets no money and gives no data, and the buyer may pay again", async () => {
      money = await startMoneyNode();
      const { sandbox, work } = money;
      const headers = await sign(money);
      work.produce = () => setAccount(sandbox, "missing");
      const answer = await buy(money, headers);
      expect(answer.status).toBe(503);
      // Where the facilitator's words leave it open, the chain decides: uncharged as well, only later.
      const { code } = (await answer.json()) as { code: string };
      expect(code).toBeOneOf(["facilitator_unavailable", "settlement_unknown"]);
      expect(answer.headers.get("PAYMENT-REQUIRED")).toBeNull();
      expect(money.settlements()).toBe(0);
      expect(await offeredBy(money)).toEqual(others);

      work.produce = async () => undefined;
      await setAccount(sandbox, "open");
      await checkAfter(money, 60_000);
      money.clock.set(Date.now());
      expect((await buy(money, await sign(money))).status).toBe(200);
      expect(await money.node.audit()).toMatchObject({ ok: true, receipts: 1 });
    });

    test("is offered all the same while the chain cannot be asked", async () => {
      const prepare = async (sandbox: Sandbox) => {
        await setAccount(sandbox, "missing");
        await steer(sandbox, "/chain", { network, fault: "http500" });
      };
      money = await startMoneyNode("", prepare);
      expect(await offeredBy(money)).toEqual(all);
      await steer(money.sandbox, "/chain", { network, fault: "none" });
      await checkAfter(money, HOUR_MS);
      expect(await offeredBy(money)).toEqual(others);
    });
  });

  test(`a buyer without an account of his own takes ${network} from nobody`, async () => {
    money = await startMoneyNode();
    const headers = await sign(money);
    const { payer } = await payerOf(money, headers);
    await setAccount(money.sandbox, "missing", payer);
    const answer = await buy(money, headers);
    expect(answer.status).toBe(402);
    expect(await answer.json()).toMatchObject({ charged: false });
    expect(await offeredBy(money)).toEqual(all);
  });
}

/** Who signed a payment, as the node reads it. */
async function payerOf({ clock }: MoneyNode, headers: Record<string, string>) {
  const { readPayment } = await import("../../src/payments/gate/read-payment.ts");
  return readPayment(new Headers(headers), clock.now()).signed;
}
