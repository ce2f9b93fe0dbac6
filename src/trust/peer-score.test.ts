import { expect, test } from "bun:test";
import { scorePeer, sortPeers } from "./peer-score.ts";
import type { CountedPurchase, PurchaseEnd } from "./stand-in-book.ts";

const NOW_MS = Date.UTC(2026, 10, 28);
const DAY_MS = 86_400_000;
const bought = (node_id: string, ended: PurchaseEnd, days_ago = 0, latency_ms = 100): CountedPurchase => ({
  node_id,
  url: "https://a.example",
  product: "rate",
  amount: 1n,
  network: "eip155:8453",
  pay_to: "0x1",
  at_ms: NOW_MS - days_ago * DAY_MS,
  ended,
  is_free: false,
  latency_ms,
});
const score = (node_id: string, purchases: readonly CountedPurchase[]) =>
  scorePeer(node_id, { purchases, checks: [] }, NOW_MS);

test("a purchase counts half after a week, and another peer's never", () => {
  const purchases = [bought("a", "answered", 7), bought("a", "unusable"), bought("b", "answered")];
  expect(score("a", purchases)).toMatchObject({ bought: 1.5, answered: 0.5, unusable: 1, dropped_until_ms: null });
});

test("who answers comes before who is unknown, and he before who does not; of two alike the faster", () => {
  const purchases = [
    bought("good", "answered", 0, 900),
    bought("fast", "answered", 0, 100),
    bought("bad", "silent"),
    bought("bad", "refused"),
  ];
  const peers = ["bad", "new", "good", "fast"].map((id) => ({ score: score(id, purchases) }));
  expect(sortPeers(peers).map((one) => one.score.node_id)).toEqual(["fast", "good", "new", "bad"]);
});

test("a lie drops a peer for thirty days, however often it was right", () => {
  const at = (days_ago: number) => NOW_MS - days_ago * DAY_MS;
  const checks = [...Array.from({ length: 9 }, () => ({ node_id: "a", equal: true, at_ms: at(0) }))];
  const lie = (days_ago: number) => [...checks, { node_id: "a", equal: false, at_ms: at(days_ago) }];
  const until = (days_ago: number) => scorePeer("a", { purchases: [], checks: lie(days_ago) }, NOW_MS).dropped_until_ms;
  expect(until(29)).toBe(at(-1));
  expect(until(31)).toBeNull();
});
