import { expect, test } from "bun:test";
import { createRecordedContext } from "../../../test/helpers/product-harness.ts";
import { UpstreamError } from "../../core/errors.ts";
import { ShortHistoryError } from "../providers/bars.ts";
import { CANDLE_VENUES } from "../providers/candle-venues.ts";
import { fetchBars, hasNoHistory, yieldToEventLoop } from "./load-bars.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12);
type Said = "short" | "unlisted" | "down";

const errorOf = (id: string, why: Said): Error =>
  why === "short"
    ? new ShortHistoryError(id, { found: 60, wanted: 120 })
    : new UpstreamError(why === "unlisted" ? "upstream_not_found" : "upstream_rate_limited", id, "no");

/** A context in which Hyperliquid and Kraken refuse in their own ways, and no other venue may be called. */
const contextOf = (said: Readonly<Record<string, Said>>) =>
  createRecordedContext({
    now_ms: NOW_MS,
    bodies: Object.fromEntries(Object.entries(said).map(([id, why]) => [`${id} `, errorOf(id, why)])),
    unusable: CANDLE_VENUES.map(({ provider }) => provider.id).filter((id) => !(id in said)),
  });

test.each([
  [{ hyperliquid: "short", kraken: "down" }, true],
  [{ hyperliquid: "unlisted", kraken: "short" }, true],
  [{ hyperliquid: "unlisted", kraken: "unlisted" }, true],
  [{ hyperliquid: "down", kraken: "short" }, false],
  [{ hyperliquid: "unlisted", kraken: "down" }, false],
  [{ hyperliquid: "down", kraken: "down" }, false],
] as const)("the first venue that knows a coin says whether its history is short: %p", async (said, is_short) => {
  const request = { symbol: "BTC", interval: "1d", counts: [367, 120], reach: "usual" } as const;
  const error = await fetchBars(contextOf(said), request).catch((thrown: unknown) => thrown);
  expect(hasNoHistory(error)).toBe(is_short);
  if (!is_short) expect(error).toMatchObject({ status: 503 });
});

test("each caller that yields resumes in a separate turn of the event loop", async () => {
  let turn = 0;
  let counting = true;
  const count = () => {
    turn += 1;
    if (counting) setImmediate(count);
  };
  setImmediate(count);
  const turns: number[] = [];
  const work = async () => {
    await yieldToEventLoop();
    turns.push(turn);
  };
  await Promise.all([work(), work(), work(), work()]);
  counting = false;
  expect(new Set(turns).size).toBe(4);
});
