import { describe, expect, test } from "bun:test";
import { toTicker } from "./symbol.ts";

describe("a coin", () => {
  test.each([
    "btc",
    " $BTC ",
    "XBT",
    "wbtc",
    "BTC/USD",
    "BTC-USDT",
    "btc_usdc",
    "BTCUSDT",
    "BTCUSDC",
    "btcusd",
    "xbtusd",
  ])("%s is BTC", (text) => {
    expect(toTicker(text)).toBe("BTC");
  });

  test.each(["USDT", "USDC", "USD", "PYUSD", "FDUSD", "BTC/EUR", "BTCEUR"])("%s stays what it is", (text) => {
    expect(toTicker(text)).toBe(text);
  });
});
