import { expect, test } from "bun:test";
import { createProductRig } from "../../../../test/helpers/product-rig.ts";
import { settled } from "../../../../test/helpers/settled.ts";
import { computeCredit } from "../onchain-credit/compute.ts";
import { product as credit } from "../onchain-credit/product.ts";
import { computeWalletAudit } from "../wallet-audit/compute.ts";
import { product as audit } from "../wallet-audit/product.ts";
import { computeWalletScan } from "../wallet-scan/compute.ts";
import { product as scan } from "../wallet-scan/product.ts";
import type { WalletScanData } from "../wallet-scan/schema.ts";
import { makeProfile, makeScreens, NOW_MS } from "./wallet-fixture.ts";

const rigs = { scan: createProductRig(scan, { now_ms: NOW_MS }), audit: createProductRig(audit, { now_ms: NOW_MS }) };
const credits = createProductRig(credit, { now_ms: NOW_MS });
const WALLETS = [1, 2, 3].map((n) => `0x${String(n).repeat(40)}`);
/** The simulated market moves between two calls: what follows from a price is left out where wallets are compared. */
const PRICED = ["price_usd", "value_usd", "total_usd", "balance_usd", "concentration", "holdings"];
const SCORED = ["parts", "score", "score_ceiling", "profile"];
const unpriced = (name: string, value: unknown) => ([...PRICED, ...SCORED].includes(name) ? undefined : value);
/** The same past and the same holdings, at so many times the price. */
const profileAt = (factor: number) =>
  makeProfile({
    tx_count: 640,
    holdings: [3_000, 1_000].map((usd, index) => ({
      chain: "base",
      token: `0x${String(index).repeat(40)}`,
      symbol: "X",
      amount: 10n ** 18n,
      decimals: 18,
      price_usd: usd * factor,
      is_spam: false,
    })),
  });
const inputsAt = (factor: number) => ({ read_at_ms: NOW_MS, profile: profileAt(factor), screens: makeScreens() });

test("twice every price: values are twice as much, shares, risk and the other parts of the score stay", () => {
  const [one, two] = [1, 2].map((factor) => settled<WalletScanData>(computeWalletScan(inputsAt(factor))).data);
  expect(two?.total_usd).toBe(2 * (one?.total_usd ?? 0));
  expect(two?.holdings.map(({ value_usd }) => value_usd)).toEqual([6_000, 2_000]);
  expect({ ...two, holdings: [], total_usd: 0 }).toEqual({ ...one, holdings: [], total_usd: 0 } as never);
  expect(two?.concentration).toBe(0.75);
  const judged = [1, 2].map((factor) => computeWalletAudit(inputsAt(factor)).data);
  expect(judged.map(({ verdict, risk }) => [verdict, risk])).toEqual([
    ["CLEAR", 0],
    ["CLEAR", 0],
  ]);
  const scores = [1, 2].map((factor) => computeCredit({ wallet: inputsAt(factor), health: 1.62, settled: 12 }).data);
  const points = scores.map(({ parts }) => parts.map((part) => (part.id === "balance" ? null : part.points)));
  expect(points[1]).toEqual(points[0] ?? []);
  // 200 * ln(1 + usd / 100) / ln 1001, by hand.
  const balances = scores.map(({ parts }) => parts.find(({ id }) => id === "balance")?.points);
  expect(balances[0]).toBeCloseTo((200 * Math.log(41)) / Math.log(1_001), 9);
  expect(balances[1]).toBeCloseTo((200 * Math.log(81)) / Math.log(1_001), 9);
});

test("wallets asked side by side, in any order, get what each gets alone: nothing leaks", async () => {
  const loaded = rigs.scan.createNode();
  await loaded.takeInDatasets();
  const stores = { ...loaded, records: { ...loaded.records } };
  const askAll = async (wallets: readonly string[], together: boolean) => {
    const shared = rigs.scan.createNode({ stores });
    const answers = wallets.map(async (address) => {
      const node = together ? shared : rigs.scan.createNode({ stores });
      const [held, judged, scored] = [
        await rigs.scan.run(node, { address, rows: 20 }),
        await rigs.audit.run(node, { address }),
        await credits.run(node, { address }),
      ];
      const data = [held.data, judged.data, scored.data];
      const text = JSON.stringify(data);
      for (const other of WALLETS) expect([address, text.includes(other)]).toEqual([address, other === address]);
      const amounts = held.data.holdings.map((one) => [one.chain, one.symbol, one.amount].join(" ")).sort();
      return [address, JSON.stringify([data, amounts], unpriced)] as const;
    });
    return new Map(await Promise.all(answers));
  };
  const alone = await askAll(WALLETS, false);
  for (const order of [WALLETS, WALLETS.toReversed()]) {
    const together = await askAll(order, true);
    for (const wallet of WALLETS) expect(together.get(wallet)).toBe(alone.get(wallet) ?? "");
  }
});
