import { expect, test } from "bun:test";
import { SELECTORS } from "../aave-market.ts";
import { encodeArgument } from "../protocol.ts";
import { readers } from "./spark.ts";

// Addresses as in sparkdotfi/spark-address-registry, SparkLend.sol: POOL and INCENTIVES. The contracts are Aave's.
test("Spark: Aave's words, of Spark's pool and controller", () => {
  const [usdc] = readers;
  const reserve = Array<string>(15).fill("0".repeat(64));
  reserve[8] = encodeArgument("0xa7");
  reserve[10] = encodeArgument("0xde");
  expect(usdc?.views.map(({ to }) => to)).toEqual(["0xC13e21B648A5Ee794902342038FF3aDAB66BE987"]);
  const [, , rewards] = usdc?.more?.([[reserve]]) ?? [];
  expect(rewards).toEqual({
    to: "0x4370D3b6C9588E02ce9D22e684387859c7Ff5b34",
    data: SELECTORS.rewards + encodeArgument("0xa7"),
  });
  expect(readers.map(({ symbol, is_stable }) => `${symbol} ${is_stable}`)).toEqual(["USDC true", "WETH false"]);
});
