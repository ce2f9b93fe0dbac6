import { describe, expect, test } from "bun:test";
import type { WalletScreens } from "../screens/screens.ts";
import type { WalletInputs } from "../wallet-scan/compute.ts";
import type { WalletProfile } from "../wallets/wallet.ts";
import { makeProfile, makeScreens, NOW_MS } from "../wallets/wallet-fixture.ts";
import { computeWalletAudit } from "./compute.ts";

const DAY_MS = 86_400_000;
const inputsOf = (profile: Partial<WalletProfile>, screens: Partial<WalletScreens>): WalletInputs => ({
  read_at_ms: NOW_MS,
  profile: makeProfile(profile),
  screens: makeScreens(screens),
});
const judge = (profile: Partial<WalletProfile>, screens: Partial<WalletScreens>) => {
  const { verdict, risk } = computeWalletAudit(inputsOf(profile, screens)).data;
  return { verdict, risk };
};
const poison = Array.from({ length: 3 }, (_, index) => `0xabcd${String(index).repeat(32)}9876`);
const sent = {
  hash: "0x",
  at_ms: NOW_MS,
  from: makeProfile().address,
  to: `0xabcd${"f".repeat(32)}9876`,
  value_wei: 1n,
};
const poisoned = [
  sent,
  ...poison.map((from) => ({ hash: "0x", at_ms: NOW_MS, from, to: makeProfile().address, value_wei: 0n })),
];

describe("the verdict", () => {
  test("mixer 35 + three days old 15 + poisoning 10: 60, CAUTION", () => {
    const young = { first_seen_ms: NOW_MS - 3 * DAY_MS, transactions: poisoned };
    expect(judge(young, { labels: ["mixer"] })).toEqual({ verdict: "CAUTION", risk: 60 });
  });

  test("new before seven days, young before thirty: 15 points, 8, none", () => {
    const aged = (age_ms: number) => {
      const { verdict, risk, flags } = computeWalletAudit(inputsOf({ first_seen_ms: NOW_MS - age_ms }, {})).data;
      return [verdict, risk, ...flags.map(({ id }) => id)];
    };
    expect(aged(0)).toEqual(["CAUTION", 15, "new"]);
    expect(aged(7 * DAY_MS - 1)).toEqual(["CAUTION", 15, "new"]);
    expect(aged(7 * DAY_MS)).toEqual(["CLEAR", 8, "young"]);
    expect(aged(7 * DAY_MS + 1)).toEqual(["CLEAR", 8, "young"]);
    expect(aged(30 * DAY_MS - 1)).toEqual(["CLEAR", 8, "young"]);
    expect(aged(30 * DAY_MS)).toEqual(["CLEAR", 0]);
  });

  test("contracts and delegations add points, in plain words", () => {
    const flagsOf = (profile: Partial<WalletProfile>, screens: Partial<WalletScreens> = {}) =>
      computeWalletAudit(inputsOf(profile, screens)).data.flags.map(({ id, points, evidence }) => [
        id,
        points,
        evidence,
      ]);
    expect([0, 1, 2].map((malicious_contracts) => flagsOf({}, { malicious_contracts }))).toEqual([
      [],
      [["malicious_contracts", 25, "made 1"]],
      [["malicious_contracts", 25, "made 2"]],
    ]);
    expect(flagsOf({ account_type: "contract" })[0]?.slice(0, 2)).toEqual(["contract", 20]);
    expect(flagsOf({ account_type: "eip7702", delegate: "0x1" })).toEqual([["eip7702", 25, "delegates to 0x1"]]);
    // 3.125 and 10.875 days, to one decimal.
    expect(flagsOf({ first_seen_ms: NOW_MS - 3.125 * DAY_MS })).toEqual([["new", 15, "3.1 days old"]]);
    expect(flagsOf({ first_seen_ms: NOW_MS - 10.875 * DAY_MS })).toEqual([["young", 8, "10.9 days old"]]);
  });

  test("two similar senders are not poisoning, three are; a wallet that never sent is 5", () => {
    expect(judge({ transactions: poisoned.slice(0, 3) }, {})).toEqual({ verdict: "CLEAR", risk: 0 });
    expect(judge({ transactions: poisoned }, {})).toEqual({ verdict: "CLEAR", risk: 10 });
    expect(judge({ tx_count: 0 }, {})).toEqual({ verdict: "CLEAR", risk: 5 });
    expect(judge({ tx_count: 1 }, {})).toEqual({ verdict: "CLEAR", risk: 0 });
  });

  test("a clean wallet is CLEAR; with the oracle down it is 25, CAUTION", () => {
    expect(judge({}, {})).toEqual({ verdict: "CLEAR", risk: 0 });
    const flags = makeScreens().flags;
    const down = flags && { ...flags, base: flags.base && { ...flags.base, is_sanctioned: null } };
    expect(judge({}, { flags: down })).toEqual({ verdict: "CAUTION", risk: 25 });
  });

  test("a listed wallet, and one that phishes, are BLOCK 100", () => {
    expect(judge({}, { listed: ["ofac_sdn"] })).toEqual({ verdict: "BLOCK", risk: 100 });
    expect(judge({}, { labels: ["phishing_activities"] })).toEqual({ verdict: "BLOCK", risk: 100 });
  });

  test("a listed counterparty is 40 points, and blocks from a tenth of the coin that moved", () => {
    const [listed, other] = [`0x${"e".repeat(40)}`, `0x${"f".repeat(40)}`];
    const move = (to: string, value_wei: bigint) => ({ ...sent, to, value_wei });
    const near = { listed_counterparties: [{ address: listed, list: "eu" }] };
    const less = { transactions: [move(listed, 99n), move(other, 901n)] };
    expect(judge(less, near)).toEqual({ verdict: "CAUTION", risk: 40 });
    const more = { transactions: [move(listed, 100n), move(other, 900n)] };
    expect(judge(more, near)).toEqual({ verdict: "BLOCK", risk: 100 });
    expect(computeWalletAudit(inputsOf(more, near)).data.counterparties.sanctioned_share).toBe(0.1);
    expect(judge({ transactions: [move(listed, 0n)] }, near)).toEqual({ verdict: "CAUTION", risk: 40 });
  });

  test("without OFAC's list there is none, unless something blocks", () => {
    expect(() => judge({}, { is_ofac_fresh: false, listed: null })).toThrow("OFAC");
    expect(judge({}, { is_ofac_fresh: false, labels: ["sanctioned"] }).verdict).toBe("BLOCK");
  });

  test("never improves when inputs are taken away, one by one and in pairs", () => {
    const order = ["BLOCK", "CAUTION", "uncharged", "CLEAR"];
    const rank = ({ profile, screens }: WalletInputs): number => {
      try {
        return order.indexOf(computeWalletAudit({ read_at_ms: NOW_MS, profile, screens }).data.verdict);
      } catch {
        return order.indexOf("uncharged");
      }
    };
    const lessScreens = (change: Partial<WalletScreens>) => (one: WalletInputs) => ({
      ...one,
      screens: { ...one.screens, ...change },
    });
    const lessProfile = (change: Partial<WalletProfile>) => (one: WalletInputs) => ({
      ...one,
      profile: { ...one.profile, ...change },
    });
    const silent = { ethereum: null, base: null };
    const removals = [
      lessScreens({ listed: null, is_ofac_fresh: false }),
      lessScreens({ flags: silent }),
      lessScreens({ labels: null }),
      lessScreens({ malicious_contracts: null, labels: null }),
      lessScreens({ listed_counterparties: null }),
      lessProfile({ first_seen_ms: null }),
      lessProfile({ tx_count: null }),
      lessProfile({ transactions: null, first_seen_ms: null, last_active_ms: null, active_months: null }),
      lessProfile({ missing: ["base"] }),
    ];
    const cases = [
      inputsOf({}, {}),
      inputsOf({ first_seen_ms: NOW_MS - 3 * DAY_MS }, {}),
      inputsOf({ transactions: poisoned }, { labels: ["mixer"] }),
      inputsOf({}, { malicious_contracts: 2 }),
      inputsOf({}, { listed_counterparties: [{ address: "0x1", list: "eu" }] }),
      inputsOf({ account_type: "eip7702" }, {}),
    ];
    for (const one of cases) {
      for (const first of removals) {
        for (const second of removals) expect(rank(second(first(one)))).not.toBe(order.indexOf("CLEAR"));
        expect(rank(first(one)) === rank(one) || rank(first(one)) <= 2).toBe(true);
      }
    }
  });
});
