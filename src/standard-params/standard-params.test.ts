import { describe, expect, test } from "bun:test";
import { NodeError } from "../core/errors.ts";
import { addressParam } from "./address.ts";
import { chainParam } from "./chain.ts";
import { COUNTRIES, countryParam } from "./country.ts";
import { dateParam } from "./date.ts";
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

  test("without a list any ticker is taken, and nothing that is none", () => {
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

describe("an address", () => {
  const EVM = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
  const SOLANA = "GyGKxMyg1p9SsHfm15MkNUu1u9TN2JtTspcdmrtGUdse";
  const ALGORAND = "5VESRRRI2HBMN2XJAM4JAWMVMEUVSJZ2LRR7SNRWYFDBJLEHG7I2572N4M";
  const any = addressParam({ description: "Wallet.", kinds: ["evm", "solana", "algorand"] });

  test("has one normal form of each kind", () => {
    expect(any.parse(` ${EVM} `)).toEqual({ kind: "evm", address: EVM.toLowerCase() });
    expect(any.parse(SOLANA)).toEqual({ kind: "solana", address: SOLANA });
    expect(any.parse(ALGORAND.toLowerCase())).toEqual({ kind: "algorand", address: ALGORAND });
  });

  test("with a wrong checksum is a slip of the finger", () => {
    expect(refusal(any, EVM.replace("F7", "f7"))?.message).toContain("EIP-55");
    expect(refusal(any, `${ALGORAND.slice(0, -1)}A`)?.message).toContain("EVM or Solana or Algorand");
  });

  test("of a kind that is not asked for is refused", () => {
    const solana = addressParam({ description: "Wallet.", kinds: ["solana"] });
    expect(refusal(solana, EVM)?.message).toBe('Parameter "address" must be an address of Solana.');
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

describe("a country", () => {
  test("is one of the 249 of ISO 3166-1, each with a name", () => {
    const names = new Intl.DisplayNames(["en"], { type: "region", fallback: "none" });
    expect(new Set(COUNTRIES).size).toBe(249);
    expect(COUNTRIES.filter((code) => names.of(code) === undefined)).toEqual([]);
  });

  test("is taken in any case, and by the code reserved for it", () => {
    const all = countryParam({ description: "Country." });
    expect(["br", "GB", "uk"].map((text) => String(all.parse(text)))).toEqual(["BR", "GB", "GB"]);
    for (const text of ["XX", "EU", "BRA", ""]) expect(refusal(all, text)?.code).toBe("invalid_parameter");
    expect(refusal(countryParam({ description: "Country.", allowed: ["BR"] }), "US")?.options.details).toMatchObject({
      allowed: ["BR"],
    });
  });
});

describe("a date", () => {
  const days = dateParam({ description: "Day.", range: () => ({ first: "2000-01-01", last: "2026-11-22" }) });

  test("is a day that exists", () => {
    expect([days.parse("2024-02-29"), days.parse("20240229")]).toEqual(["2024-02-29", "2024-02-29"]);
    for (const text of ["2023-02-29", "2023-13-01", "22.11.2026", "2026-1-1", "today"]) {
      expect(refusal(days, text)?.message).toBe(
        'Parameter "date" must be a day as YYYY-MM-DD from 2000-01-01 up to 2026-11-22.',
      );
    }
  });

  test("within its range, both ends included", () => {
    expect([days.parse("2000-01-01"), days.parse("2026-11-22")]).toEqual(["2000-01-01", "2026-11-22"]);
    for (const text of ["1999-12-31", "2026-11-23"]) expect(refusal(days, text)).not.toBeNull();
  });
});
