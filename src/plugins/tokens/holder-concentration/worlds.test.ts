import { expect, test } from "bun:test";
import { fc } from "../../../../test/helpers/properties.ts";
import { settled } from "../../../../test/helpers/settled.ts";
import { listHolders } from "../facts/holders.ts";
import type { TokenProfile } from "../facts/profile.ts";
import { computeHolders } from "./compute.ts";
import type { HolderInputs } from "./fetch.ts";
import type { HolderConcentrationData } from "./schema.ts";

/**
 * The holders of a token, written a second time: over whole balances of a world that knows each account's kind, in
 * integers alone, where the product adds percentages of whatever a source lists.
 */
const KINDS = ["holder", "holder", "holder", "holder", "pool", "burn", "locker"] as const;
type Kind = (typeof KINDS)[number];
interface Account {
  readonly address: string;
  readonly balance: bigint;
  readonly kind: Kind;
}
interface World {
  readonly accounts: readonly Account[];
  /** The unlisted rest. */
  readonly unseen: bigint;
  readonly chain: "ethereum" | "solana";
}

const TOKEN = { ethereum: `0x${"7".repeat(40)}`, solana: "So11111111111111111111111111111111111111112" } as const;
const BURN = {
  ethereum: "0x000000000000000000000000000000000000dEaD",
  solana: "1nc1nerator11111111111111111111111111111111",
};
const addressOf = (chain: World["chain"], index: number): string =>
  chain === "ethereum" ? `0x${(index + 1).toString(16).padStart(40, "0")}` : `Holder${"1".repeat(30)}${index + 2}`;

const world: fc.Arbitrary<World> = fc
  .record({
    chain: fc.constantFrom("ethereum" as const, "solana" as const),
    rows: fc.array(fc.tuple(fc.bigInt({ min: 10n ** 7n, max: 10n ** 12n }), fc.constantFrom(...KINDS)), {
      minLength: 1,
      maxLength: 25,
    }),
    unseen: fc.bigInt({ min: 0n, max: 10n ** 22n }),
  })
  .map(({ chain, rows, unseen }) => {
    const burnt = rows.findIndex(([, kind]) => kind === "burn");
    return {
      chain,
      unseen,
      accounts: rows.map(([balance, kind], index) => ({
        balance: balance * 10n ** 9n,
        // There is one address for what is burnt.
        kind: kind === "burn" && index !== burnt ? "holder" : kind,
        address: index === burnt ? BURN[chain] : addressOf(chain, index),
      })),
    };
  })
  .filter(({ accounts }) => accounts.some(({ kind }) => kind === "holder"));

const totalOf = (list: readonly bigint[]): bigint => list.reduce((sum, one) => sum + one, 0n);
const supplyOf = ({ accounts, unseen }: World): bigint => totalOf([...accounts.map((one) => one.balance), unseen]);

/** The world as RugCheck and GoPlus tell it on Solana, Blockscout and GoPlus on Ethereum. */
function tell(of: World): TokenProfile {
  const { chain, accounts } = of;
  const supply = supplyOf(of);
  const pctOf = (balance: bigint): number => (Number(balance) / Number(supply)) * 100;
  const pools = accounts.filter(({ kind }) => kind === "pool");
  const said = <T>(value: T) => ({ ok: true as const, value });
  const nothing = {
    mint: null,
    powers: null,
    mint_again: null,
    powers_again: null,
    rugcheck: null,
    goplus: null,
    honeypot: null,
    holders: null,
    pairs: null,
    tape: null,
    trade: null,
    round_trip: null,
  };
  const pairs = pools.map(({ address }) => ({ chain, base: { address: TOKEN[chain] }, pair_address: address }));
  const rugcheck = {
    topHolders: accounts.map(({ address, balance }) => ({
      address: `${address}x`,
      owner: address,
      pct: pctOf(balance),
    })),
    knownAccounts: Object.fromEntries(
      accounts.flatMap(({ address, kind }) => (kind === "locker" ? [[address, { type: "LOCKER" }]] : [])),
    ),
    markets: pools.map(({ address }) => ({ pubkey: address })),
  };
  const goplus = {
    holders: accounts.map(({ address, balance, kind }) => ({
      ...(chain === "solana" ? { account: address } : { address }),
      percent: (pctOf(balance) / 100).toFixed(18),
      is_locked: kind === "locker" ? 1 : 0,
      tag: "",
    })),
  };
  const blockscout = accounts.map(({ address, balance }) => ({
    address,
    is_contract: false,
    name: null,
    value: balance,
  }));
  return {
    ...nothing,
    subject: { chain, address: TOKEN[chain] },
    read_at_ms: 0,
    pairs: said(pairs),
    goplus: said(goplus),
    ...(chain === "solana"
      ? { rugcheck: said(rugcheck) }
      : { holders: said(blockscout), powers: said({ supply, owner: null, is_proxy: false, proxy_admin: null }) }),
  } as unknown as TokenProfile;
}

/** Parts of the supply in units of 1e-24, so that squares stay whole numbers. */
const UNIT = 10n ** 24n;
const toNumber = (value: bigint, unit: bigint): number => Number((value * 10n ** 18n) / unit) / 1e18;

/** The largest holders' part, by taking the largest again and again. */
function takeTop(balances: readonly bigint[], count: number): bigint {
  const left = [...balances];
  let sum = 0n;
  for (let taken = 0; taken < count && left.length > 0; taken += 1) {
    const best = left.toSorted((a, b) => (a > b ? -1 : 1))[0] ?? 0n;
    left.splice(left.indexOf(best), 1);
    sum += best;
  }
  return sum;
}

/** What is not seen, handed to one stranger after another, each as large as the smallest who is seen. */
function packUnseen(unseen: bigint, smallest: bigint): bigint {
  let [left, squares] = [unseen, 0n];
  const whole = left / smallest;
  squares += whole * smallest * smallest;
  left -= whole * smallest;
  return squares + left * left;
}

function judgeAgain(of: World, hidden: readonly Kind[]) {
  const supply = supplyOf(of);
  const held = of.accounts.filter(({ kind }) => !hidden.includes(kind)).map(({ balance }) => balance);
  const seen = totalOf(of.accounts.map(({ balance }) => balance));
  const percent = (part: bigint): number => toNumber((part * 100n * UNIT) / supply, UNIT);
  const hhi = (squares: bigint): number => toNumber((squares * 10_000n * UNIT) / (supply * supply), UNIT);
  const squares = totalOf(held.map((one) => one * one));
  const smallest = held.toSorted((a, b) => (a < b ? -1 : 1))[0] ?? 1n;
  const half = held.flatMap((a) => held.map((b) => (a > b ? a - b : b - a)));
  return {
    hhi_lower: hhi(squares),
    hhi_upper: hhi(squares + packUnseen(supply - seen, smallest)),
    top: (count: number): number => percent(takeTop(held, count)),
    holders: held.length,
    gini: Number(totalOf(half)) / (2 * held.length * Number(totalOf(held))),
    whole: percent(seen),
  };
}

/** How far percentages of eight decimals can be off in a square. */
const near = (found: number, truth: number): boolean => Math.abs(found - truth) <= 1e-5 * Math.max(1, truth);

test("top holders, HHI and Gini of invented worlds without pools, burns and lockers, computed a second time", () => {
  let bounds = 0;
  fc.assert(
    fc.property(world, (of) => {
      const profile = tell(of);
      const lists = listHolders(profile);
      expect(lists.map(({ source }) => source)).toEqual([of.chain === "solana" ? "rugcheck" : "blockscout", "goplus"]);
      for (const list of lists) {
        const facts = { insider_pct: { value: null }, creator_pct: { value: null } };
        const inputs = { profile, facts, list, is_default: false } as unknown as HolderInputs;
        const { data } = settled<HolderConcentrationData>(computeHolders(inputs));
        // Blockscout names no lockers: what is locked is a holder's there.
        const truth = judgeAgain(of, list.source === "blockscout" ? ["pool", "burn"] : ["pool", "burn", "locker"]);
        expect(data.source_depth).toBe(truth.holders);
        expect(near(data.hhi_lower, truth.hhi_lower)).toBe(true);
        expect([near(data.hhi_upper, truth.hhi_upper), data.hhi_upper, truth.hhi_upper]).toEqual([
          ...[true, data.hhi_upper, truth.hhi_upper],
        ]);
        if (data.hhi_upper > data.hhi_lower * 1.01) bounds += 1;
        for (const [count, found] of [
          [1, data.top1_pct],
          [5, data.top5_pct],
          [10, data.top10_pct],
        ] as const) {
          if (truth.holders >= count || truth.whole >= 99.6) expect(near(found ?? -1, truth.top(count))).toBe(true);
          else if (truth.whole < 99.4) expect(found).toBeNull();
        }
        expect(near(data.gini_known ?? 0, truth.gini)).toBe(true);
        // Percentages have eight decimals: of a holder of 0.00001 % that is a thousandth.
        expect(Math.abs((data.effective_holders_min * truth.hhi_upper) / 10_000 - 1)).toBeLessThan(2e-3);
        const kinds = of.accounts.filter(
          ({ kind }) => kind !== "holder" && !(kind === "locker" && list.source === "blockscout"),
        );
        const shown = data.excluded.map(({ address, reason }) => `${address} ${reason}`);
        for (const one of shown) expect(kinds.map(({ address, kind }) => `${address} ${kind}`)).toContain(one);
        expect(shown.length).toBe(Math.min(10, kinds.length));
      }
    }),
  );
  // The worlds are not all of the kind in which both bounds fall together.
  expect(bounds).toBeGreaterThan(10);
});
