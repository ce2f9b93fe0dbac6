import { expect, test } from "bun:test";
import { getBundle, getCreatorSold } from "../facts/bundle.ts";
import { scoreInsiders } from "./score.ts";

const _NOW_MS = Date.UTC(2026, 9, 1, 12, 34, 56);

test("the published vectors: the score, its levels, and a bundle of two wallets", () => {
  const all = { network_pct: 6.2, creator_pct: 4.1, bundle_pct: 3.5, creator_sold: 0.6 };
  const { insider_score, level } = scoreInsiders(all);
  expect(insider_score).toBeCloseTo(38.8, 9);
  expect(level).toBe("elevated");
  expect(scoreInsiders({ ...all, network_pct: null })).toMatchObject({ level: "present", score_is_lower_bound: true });
  expect(scoreInsiders({ network_pct: 0, creator_pct: 0, bundle_pct: 0, creator_sold: 0 }).level).toBe("none_seen");
  expect(scoreInsiders({ network_pct: 0, creator_pct: 0, bundle_pct: null, creator_sold: 0 }).level).toBe("unknown");
  const trade = (slot: number, wallet: string, tokens: number, is_buy = true) => ({
    slot,
    at_ms: 0,
    wallet,
    is_buy,
    tokens,
  });
  const trades = [
    trade(9, "maker", 5e6),
    trade(9, "a", 20e6),
    trade(10, "b", 15e6),
    trade(11, "c", 9e6),
    trade(20, "maker", 3e6, false),
  ];
  expect(getBundle({ trades, is_whole: true })).toMatchObject({ wallets: 2, pct: 3.5, slots: 2 });
  expect(getBundle({ trades, is_whole: false })).toBeNull();
  expect(getCreatorSold({ trades, is_whole: true })).toBeCloseTo(0.6, 9);
});
