import { describe, expect, test } from "bun:test";
import { NodeError } from "../core/errors.ts";
import { chainParam } from "./chain.ts";
import { pairParam } from "./pair.ts";
import type { StandardParam } from "./parameter.ts";
import { symbolParam, toTicker } from "./symbol.ts";

const ALIASES = { XBT: "BTC", WBTC: "BTC" };
/** The refusal of a text, or null when it is taken. */
function refusal(param: StandardParam<unknown>, text: string | undefined): NodeError | null {
  try {
    param.parse(text);
    return null;
  } catch (error) {
    if (error instanceof NodeError) return error;
    throw error;
  }
}

describe("a symbol", () => {
  const coins = symbolParam({
    description: "Coin.",
    allowed: ["BTC", "ETH", "PYUSD"],
    default: "ETH",
    aliases: ALIASES,
  });

  test.each(["btc", " $BTC ", "XBT", "BTC/USD", "btc-usdt", "BTC_USDC", "BTCUSDT", "BTCUSD", "xbtusd"])(
    "%p is BTC",
    (text) => expect(coins.parse(text)).toBe("BTC"),
  );

  test("nothing given is the default, and a stablecoin's own ticker stays whole", () => {
    expect([coins.parse(undefined), coins.parse("pyusd")]).toEqual(["ETH", "PYUSD"]);
    expect(coins.schema.default).toBe("ETH");
  });

  test.each(["DOGE", "BTC/EUR", "BTC/USD/USD", "/USD", "  ", "B".repeat(21)])(
    "%p is refused with what is taken",
    (text) => {
      const error = refusal(coins, text);
      expect(error?.code).toBe("invalid_parameter");
      expect(error?.options.details).toMatchObject({ parameter: "symbol", allowed: ["BTC", "ETH", "PYUSD"] });
    },
  );

  test("without a list any ticker is taken, and nothing else", () => {
    const open = symbolParam({ description: "Stock.", name: "ticker" });
    expect([open.parse("aapl"), open.parse("brk.b")]).toEqual(["AAPL", "BRK.B"]);
    expect(refusal(open, "a b")?.options.param).toBe("ticker");
    expect(refusal(open, undefined)).not.toBeNull();
  });

  test("a ticker may be had of a pair without asking whether it exists", () => {
    expect(["doge/usd", "DOGEUSDT", "FDUSD"].map((text) => toTicker(text))).toEqual(["DOGE", "DOGE", "FDUSD"]);
  });
});

describe("a pair", () => {
  const pairs = pairParam({ description: "Pair.", bases: ["BTC", "ETH"], quotes: ["USD", "USDT"], aliases: ALIASES });

  test.each([
    ["btc", "BTC", "USD"],
    ["$XBT-USD", "BTC", "USD"],
    ["BTC_USDT", "BTC", "USDT"],
    ["ethusdt", "ETH", "USDT"],
    ["eth/usd", "ETH", "USD"],
  ])("%p is %s/%s", (text, base, quote) => expect(pairs.parse(text)).toEqual({ base, quote } as never));

  test.each(["BTC/EUR", "USD", "BTC/USD/USD", "USD/BTC"])("%p is refused with the pairs there are", (text) => {
    expect(refusal(pairs, text)?.message).toBe('Parameter "pair" must be one of BTC/USD, BTC/USDT, ETH/USD, ETH/USDT.');
  });
});

describe("a chain", () => {
  const chains = chainParam({ description: "Chain.", allowed: ["ethereum", "bsc", "solana"], default: "ethereum" });

  test.each([
    ["ETH", "ethereum"],
    ["eip155:56", "bsc"],
    ["Binance Smart_Chain", "bsc"],
    ["solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp", "solana"],
  ])("%p is %s", (text, chain) => expect(chains.parse(text)).toBe(chain as "ethereum"));

  test("that is not offered is refused, known or not", () => {
    for (const text of ["base", "moon"]) expect(refusal(chains, text)?.message).toContain("ethereum, bsc, solana");
  });
});
