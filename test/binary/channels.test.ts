import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { decodePaymentResponseHeader } from "@x402/core/http";
import { BatchSettlementEvmScheme } from "@x402/evm/batch-settlement/client";
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import type { Address } from "viem";
import { askOperation } from "../../src/commands/ask-node.ts";
import { requireOperatorToken } from "../../src/files/identity-file.ts";
import { CONTRACT } from "../../src/payments/channels/contract.ts";
import { type Anvil, explainNoAnvil, hasAnvil, startAnvil } from "../helpers/anvil.ts";
import { startEvmFacilitator } from "../helpers/anvil-facilitator.ts";
import { newBuyer } from "../helpers/anvil-world.ts";
import { BINARY, cleanUp } from "../helpers/demo-node.ts";
import { repeat } from "../helpers/effort.ts";
import { until } from "../helpers/hang-limit.ts";
import { DEEP_PRICE, meteredPrice, PRICED, type Priced, pricedPlugin } from "../helpers/many-priced.ts";
import { newNodeFolder, startRun, stopRuns } from "../helpers/run-node.ts";

/**
 * The compiled binary sells 20 products to the official client from one channel on Anvil, settled by the official
 * facilitator or by the node itself; then every atomic unit is where it belongs.
 */
const CALLS = repeat({ quick: 24, full: 200, long: 10_000 });
/** Calls at the present price that a deposit is worth: a top-up whenever they are used up. */
const DEPOSIT_CALLS = repeat({ quick: 8, full: 20, long: 100 });
const MONEY = 200_000_000n;
const NETWORK = "eip155:8453";
const GAS_KEY = "8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba";
const MORE = `[payments.channels]
enabled = true
claim_sum = "0.000001"
[metering]
enabled = true
`;

explainNoAnvil();
afterEach(stopRuns);
afterAll(cleanUp);

async function startShop(anvil: Anvil, kind: "official" | "embedded") {
  const facilitator = kind === "official" ? await startEvmFacilitator(anvil) : null;
  const where = newNodeFolder([], MORE, pricedPlugin());
  const seller = (await anvil.newAccount()).account.address;
  const gas = join(where.folder, "gas.key");
  writeFileSync(gas, `0x${GAS_KEY}\n`, { mode: 0o600 });
  const embedded = [
    'kind = "embedded"',
    `networks = ["${NETWORK}"]`,
    `gas_key_file = ${JSON.stringify(gas)}`,
    'gas_cap_per_hour = "1"',
  ].join("\n");
  const table = facilitator ? `kind = "remote"\nurl = "${facilitator.url}"` : embedded;
  const text = (await Bun.file(where.config).text())
    .replace("testnet = true\n", "")
    .replace(/pay_to = "0x[0-9a-fA-F]+"/, `pay_to = "${seller}"`);
  writeFileSync(where.config, `[[facilitators]]\n${table}\n[chains.base]\nrpc = ["${anvil.url}"]\n${text}`);
  if (!facilitator) {
    const { privateKeyToAccount } = await import("viem/accounts");
    await anvil.fund(privateKeyToAccount(`0x${GAS_KEY}`).address, 10n ** 18n);
  }
  const node = await startRun(where);
  const url = node.url();
  const schemes = async (): Promise<readonly string[]> => {
    const response = await fetch(`${url}/p0`);
    const { accepts = [] } = (await response.json()) as { accepts?: { scheme: string }[] };
    return accepts.map(({ scheme }) => scheme);
  };
  await until(async () => (await schemes()).includes("batch-settlement"), "the offer of a channel");
  const reached = { url, operator_token: requireOperatorToken(where.data) };
  const round = () => askOperation(reached, "run_job", { job: "channels" });
  await round();
  return {
    url,
    seller,
    round,
    /** Waits until /live has these sums: it shows those of a moment ago for half a second. */
    async shows(sums: Readonly<Record<string, string>>): Promise<void> {
      const holds = async (): Promise<boolean> => {
        const { channels } = (await (await fetch(`${url}/live`)).json()) as { channels: Record<string, string>[] };
        return Object.entries(sums).every(([name, sum]) => channels[0]?.[name] === sum);
      };
      await until(holds, JSON.stringify(sums), 200);
    },
    /** Ends it, and reads its books back. */
    async audit() {
      node.signal("SIGTERM");
      expect(await node.exited()).toBe(0);
      const child = Bun.spawn([BINARY, "ledger", "audit", "--data", where.data], { stdio: ["ignore", "pipe", "pipe"] });
      const out = await new Response(child.stdout).text();
      expect([await child.exited, out]).toEqual([0, expect.stringContaining("balanced: every rule holds")]);
    },
    stop: () => facilitator?.stop(),
  };
}

interface Told {
  readonly amount: string;
  readonly extra: { readonly chargedAmount: string; readonly channelState: Readonly<Record<string, string>> };
}

describe.skipIf(!hasAnvil()).each(["official", "embedded"] as const)(
  "channels settled by the %s facilitator",
  (kind) => {
    let anvil: Anvil;
    let shop: Awaited<ReturnType<typeof startShop>>;
    beforeAll(async () => {
      anvil = await startAnvil();
      shop = await startShop(anvil, kind);
    });
    afterAll(async () => {
      await stopRuns();
      await shop.stop();
      await anvil.stop();
    });

    test(`${CALLS} calls over ${PRICED.length} products, top-ups and refunds add up to the atomic unit`, async () => {
      const account = await newBuyer(anvil, MONEY);
      const signer = { ...account, readContract: (args: never) => anvil.reader.readContract(args) };
      const scheme = new BatchSettlementEvmScheme(signer as never, {
        depositPolicy: { depositMultiplier: DEPOSIT_CALLS },
      });
      const buy = wrapFetchWithPayment(fetch, new x402Client().register("eip155:*", scheme));
      const balances = async () => {
        const of = (address: Address) => anvil.balanceOf(address);
        const [buyer, seller, contract] = await Promise.all([of(account.address), of(shop.seller), of(CONTRACT)]);
        return { buyer, seller, contract };
      };

      let spent = 0n;
      let deposited = 0n;
      let deposits = 0;
      /** Until it is answered: a slow machine lets calls run out of time, and the same request goes on from there. */
      const send = async (url: string): Promise<{ text: string; header: string }> => {
        for (;;) {
          const response = await buy(url);
          const text = await response.text();
          if (response.status === 200) return { text, header: response.headers.get("PAYMENT-RESPONSE") ?? "" };
          expect([503, 504], text).toContain(response.status);
          await Bun.sleep(500);
        }
      };
      /** One call, and what it had to cost. */
      const buyOnce = async ({ path, kind: price_kind, price }: Priced, deep: boolean): Promise<void> => {
        const { text, header } = await send(`${shop.url}${path}${deep ? "?depth=deep" : ""}`);
        const told = decodePaymentResponseHeader(header) as unknown as Told;
        const { n } = (JSON.parse(text) as { data: { n: number } }).data;
        const due = price_kind === "metered" ? meteredPrice(n) : deep ? DEEP_PRICE : price;
        spent += due;
        const { chargedAmount, channelState } = told.extra;
        expect([path, chargedAmount, channelState.chargedCumulativeAmount]).toEqual([path, `${due}`, `${spent}`]);
        const balance = BigInt(channelState.balance ?? "0");
        if (balance === deposited) return;
        expect(balance).toBeGreaterThan(deposited);
        deposited = balance;
        deposits += 1;
      };

      const began_ms = performance.now();
      for (let n = 0; n < CALLS; n += 1) {
        const product = PRICED[n % PRICED.length] as Priced;
        await buyOnce(product, product.kind === "tiers" && Math.floor(n / PRICED.length) % 2 === 0);
      }
      const seconds = (performance.now() - began_ms) / 1_000;
      expect(deposits).toBeGreaterThan(1);

      await shop.round();
      const earned = () => ({
        earned_atomic: `${spent}`,
        swept_atomic: `${spent}`,
        unclaimed_atomic: "0",
        unswept_atomic: "0",
      });
      await shop.shows(earned());
      expect(await balances()).toEqual({ buyer: MONEY - deposited, seller: spent, contract: deposited - spent });

      // A part, with an earned call that the refund claims; then the rest, after another one.
      await buyOnce(PRICED[3] as Priced, false);
      expect(await scheme.refund(`${shop.url}/p0`, { amount: "1" })).toMatchObject({ success: true, amount: "1" });
      deposited -= 1n;
      expect((await balances()).buyer).toBe(MONEY - deposited);
      await buyOnce(PRICED[15] as Priced, true);
      const rest = await scheme.refund(`${shop.url}/p0`);
      expect(rest).toMatchObject({ success: true, amount: `${deposited - spent}` });
      await shop.round();
      const last = { buyer: MONEY - spent, seller: spent, contract: 0n };
      expect(await balances()).toEqual(last);
      await shop.shows({ ...earned(), owed_atomic: "0", lost_atomic: "0" });
      if (CALLS >= 10_000) {
        const figures = { calls: CALLS + 2, seconds: Math.round(seconds), deposits, ...last };
        console.info(
          kind,
          Object.entries(figures)
            .map(([name, figure]) => `${name} ${figure}`)
            .join(", "),
        );
      }
      await shop.audit();
    });
  },
);
