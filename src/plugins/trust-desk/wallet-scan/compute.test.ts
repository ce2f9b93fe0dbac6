import { describe, expect, test } from "bun:test";
import { settled } from "../../../../test/helpers/settled.ts";
import { priceHolding, type WalletProfile } from "../wallets/wallet.ts";
import { makeProfile, makeScreens, NOW_MS, WALLET } from "../wallets/wallet-fixture.ts";
import { computeWalletScan, findPoisoning, totalOf } from "./compute.ts";
import type { WalletScanData } from "./schema.ts";

const holding = (amount: bigint, price_usd: number | null) => ({
  chain: "ethereum",
  token: null,
  symbol: "ETH",
  amount,
  decimals: 18,
  price_usd,
  is_spam: false,
});
const compute = (profile: Partial<WalletProfile> = {}) =>
  settled<WalletScanData>(
    computeWalletScan({ read_at_ms: NOW_MS, profile: makeProfile(profile), screens: makeScreens() }),
  );

describe("what a wallet holds", () => {
  test("an explorer's wallet of 2026-10-05: 5.749318262866090346 ETH at 2718.21 are 15,627.85 USD", () => {
    const { data } = compute({ holdings: [holding(5_749_318_262_866_090_346n, 2718.21)] });
    expect(data.holdings[0]?.amount).toBe("5.749318262866090346");
    expect(data.total_usd).toBeCloseTo(15_627.85, 1);
  });

  test("an asset without a price is counted, but not part of the total", () => {
    const { data, warnings } = compute({ holdings: [holding(10n ** 18n, 2000), holding(10n ** 18n, null)] });
    expect(data).toMatchObject({ total_usd: 2000, unpriced_count: 1, priced_share_of_holdings: 0.5, concentration: 1 });
    expect(warnings.some((text) => text.includes("holdings[].value_usd"))).toBe(true);
    expect(totalOf([holding(1n, null)])).toBeNull();
    expect(totalOf([])).toBe(0);
  });

  test("the largest part is shown for a wallet of cents too, but not for an empty one", () => {
    const of = (...prices: readonly (number | null)[]) =>
      compute({ holdings: prices.map((price_usd) => holding(10n ** 18n, price_usd)) }).data;
    // 0.375 + 0.125 = 0.5 US dollars; the first is three quarters of it.
    expect(of(0.375, 0.125)).toMatchObject({ total_usd: 0.5, concentration: 0.75 });
    expect(of(1)).toMatchObject({ total_usd: 1, concentration: 1 });
    expect(of(0, 0)).toMatchObject({ total_usd: 0, concentration: null, priced_share_of_holdings: 1 });
    expect(of(null)).toMatchObject({ total_usd: null, concentration: null, priced_share_of_holdings: 0 });
    expect(of()).toMatchObject({ total_usd: 0, concentration: null, priced_share_of_holdings: 1, unpriced_count: 0 });
  });

  test("the largest value comes first, what has no price last; the age is in days", () => {
    const named = (symbol: string, price_usd: number | null) => ({ ...holding(10n ** 18n, price_usd), symbol });
    const holdings = [named("none", null), named("small", 0.5), named("large", 3), named("nothing", 0)];
    // 36 hours are a day and a half; a wallet first seen later than the answer is no younger than now.
    const { data } = compute({ holdings, first_seen_ms: NOW_MS - 36 * 3_600_000 });
    expect(data.holdings.map(({ symbol }) => symbol)).toEqual(["large", "small", "nothing", "none"]);
    expect(data.age_days).toBe(1.5);
    expect(compute({ first_seen_ms: NOW_MS + 1 }).data.age_days).toBe(0);
  });

  test("twice the prices are twice the values, and the shares stay", () => {
    const holdings = [holding(3n * 10n ** 18n, 100), holding(10n ** 18n, 50)];
    const doubled = holdings.map((one) => ({ ...one, price_usd: (one.price_usd ?? 0) * 2 }));
    const [one, two] = [compute({ holdings }).data, compute({ holdings: doubled }).data];
    expect(two.total_usd).toBe((one.total_usd ?? 0) * 2);
    expect(two.concentration).toBe(one.concentration);
  });

  test("unsolicited tokens make nobody rich", () => {
    const token = { chain: "solana", token: "T".repeat(44), symbol: null, amount: 1_000_000n, decimals: 0 };
    const pool = { price: 1, liquidity_usd: 999_999 };
    expect(priceHolding(token, pool)).toMatchObject({ price_usd: null, is_spam: true });
    expect(priceHolding(token, null)).toMatchObject({ price_usd: null, is_spam: true });
    expect(priceHolding(token, { ...pool, liquidity_usd: 1_000_000 })).toMatchObject({ price_usd: 1, is_spam: false });
    // A known token keeps its price, and without a price it is unpriced, not spam.
    expect(priceHolding({ ...token, symbol: "USDC" }, pool)).toMatchObject({ price_usd: 1, is_spam: false });
    expect(priceHolding({ ...token, token: null }, null)).toMatchObject({ price_usd: null, is_spam: false });
  });

  test("a multisig is distinguished from other contracts", () => {
    const { data } = compute({ account_type: "contract", multisig: { threshold: 2, owners: 3 } });
    expect(data.multisig).toEqual({ threshold: 2, owners: 3 });
    expect(data.risk_flags[0]).toContain("2 of 3 owners sign");
    expect(compute({ account_type: "contract" }).data.risk_flags[0]).toBe("a contract, not a person's wallet");
  });
});

describe("address poisoning", () => {
  const transaction = (from: string, to: string, value_wei: bigint) => ({
    hash: "0x",
    at_ms: NOW_MS,
    from,
    to,
    value_wei,
  });
  const friend = `0xabcd${"1".repeat(32)}9876`;
  const alike = `0xabcd${"2".repeat(32)}9876`;

  test("is a sender of nothing whose address looks like one the wallet sent to", () => {
    const transactions = [transaction(WALLET, friend, 5n), transaction(alike, WALLET, 0n)];
    expect(findPoisoning(makeProfile({ transactions }))).toEqual([alike]);
    const dust = [transaction(WALLET, friend, 5n), transaction(alike, WALLET, 10n ** 12n)];
    expect(findPoisoning(makeProfile({ transactions: dust }))).toEqual([alike]);
    const paid = [transaction(WALLET, friend, 5n), transaction(alike, WALLET, 10n ** 16n)];
    expect(findPoisoning(makeProfile({ transactions: paid }))).toEqual([]);
    expect(findPoisoning(makeProfile({ transactions: [transaction(alike, WALLET, 0n)] }))).toEqual([]);
    expect(findPoisoning(makeProfile({ transactions: null }))).toBeNull();
  });
});
