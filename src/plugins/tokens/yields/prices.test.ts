import { expect, test } from "bun:test";
import { CHAINLINK_TOKENS } from "intel-node/providers/evm-rpc/chainlink-feeds";
import { encodeFunctionResult, parseAbi } from "viem";
import { isAddress } from "../../../core/eth-address.ts";
import { readFeed } from "./prices.ts";

const NOW_MS = 1_790_000_000_000;
/** As in smartcontractkit/chainlink, AggregatorV3Interface.sol. */
const abi = parseAbi([
  "function latestRoundData() view returns (uint80 id, int256 answer, uint256 start, uint256 updatedAt, uint80 last)",
  "function decimals() view returns (uint8)",
]);
const wordsOf = (hex: string) => hex.slice(2).match(/.{64}/g);
const read = (symbol: string, answer: bigint, { age_s = 0, places = 8 } = {}) => {
  const at = BigInt(NOW_MS / 1000 - age_s);
  const result = [7n, answer, at, at, 7n] as const;
  const round = wordsOf(encodeFunctionResult({ abi, functionName: "latestRoundData", result }));
  const decimals = wordsOf(encodeFunctionResult({ abi, functionName: "decimals", result: places }));
  return readFeed(symbol, { round, decimals }, NOW_MS);
};

test("a feed's answer in its own decimals, with the time it was written", () => {
  expect(read("USDC", 99_987_654n)).toEqual({ price_usd: 0.99987654, updated_at_ms: NOW_MS });
  expect(read("COMP", 54_170_000_000_000_000_000n, { places: 18 })?.price_usd).toBeCloseTo(54.17, 12);
});

test("an answer of zero, below zero, too old for its feed or of tomorrow is not a price", () => {
  for (const answer of [0n, -1n]) expect(read("USDC", answer)).toBeNull();
  expect(read("USDC", 1n, { age_s: 24 * 3_600 })).not.toBeNull();
  expect(read("USDC", 1n, { age_s: 26 * 3_600 })).toBeNull();
  expect(read("ETH", 1n, { age_s: 3_600 })).not.toBeNull();
  expect(read("ETH", 1n, { age_s: 3 * 3_600 })).toBeNull();
  expect(read("USDC", 1n, { age_s: -600 })).toBeNull();
  expect(readFeed("USDC", { round: null, decimals: null }, NOW_MS)).toBeNull();
});

test("feeds have addresses, each once", () => {
  const feeds = Object.values(CHAINLINK_TOKENS).flatMap((tokens) => Object.values(tokens));
  expect(feeds.filter((feed) => !isAddress(feed))).toEqual([]);
  expect(new Set(feeds).size).toBe(feeds.length);
});
