import { afterEach, describe, expect, test } from "bun:test";
import { createSimulatedNode, type SimulatedNode } from "../../../test/helpers/simulated-node.ts";
import { UpstreamError } from "../../core/errors.ts";
import { BOOK_VENUES } from "./book-venues.ts";
import { SPOT_VENUES } from "./spot-venues.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12, 34, 56);
const LICENSED = ["coinbase", "binance", "okx", "bybit"];

const nodes: SimulatedNode[] = [];
afterEach(() => {
  for (const node of nodes.splice(0)) node.close();
});
function createNode(now_ms = NOW_MS): SimulatedNode {
  const node = createSimulatedNode({ now_ms, licensed: LICENSED });
  nodes.push(node);
  return node;
}

describe("simulated books", () => {
  for (const { provider, fetchBook } of BOOK_VENUES) {
    test(`${provider.id} shows a book that begins at its quote and holds 50,000 USD a side`, async () => {
      const context = createNode().createContext();
      const quote = await SPOT_VENUES.find((one) => one.provider.id === provider.id)?.fetchQuote(context, "BTC");
      const { bids, asks, at_ms } = await fetchBook(context, "BTC");
      expect([bids[0]?.price, asks[0]?.price]).toEqual([quote?.bid, quote?.ask]);
      expect(at_ms === null || Math.abs(at_ms - NOW_MS) < 1_000).toBe(true);
      for (const side of [bids, asks]) {
        const worth = side.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
        expect(worth).toBeGreaterThan(50_000);
      }
    });

    test(`${provider.id} shows the same book at the same moment, and another one later`, async () => {
      const bidsAt = async (now_ms: number) => (await fetchBook(createNode(now_ms).createContext(), "ETH")).bids;
      expect(await bidsAt(NOW_MS)).toEqual(await bidsAt(NOW_MS));
      expect(await bidsAt(NOW_MS)).not.toEqual(await bidsAt(NOW_MS + 1_000));
    });

    test(`${provider.id} has no book of a symbol that is not listed`, async () => {
      const error = await fetchBook(createNode().createContext(), "NOPE").catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(UpstreamError);
    });
  }
});
