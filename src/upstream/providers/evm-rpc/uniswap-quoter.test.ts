import { describe, expect, test } from "bun:test";
import { decodeFunctionData, encodeFunctionData, encodeFunctionResult, type Hex, isHex, parseAbi } from "viem";
import { createRecordedContext } from "../../../../test/helpers/product-harness.ts";
import { fc } from "../../../../test/helpers/properties.ts";
import { isUnusable } from "../../../catalog/unusable.ts";
import { UpstreamError } from "../../../core/errors.ts";
import { AGGREGATE, BLOCK_TIME, decodeAggregate, encodeAggregate, MULTICALL } from "./multicall.ts";
import { encodeQuote, FEE_TIERS, fetchDecimals, fetchPoolQuotes, QUOTE_EXACT_INPUT } from "./uniswap-quoter.ts";

/** The contracts' own signatures, encoded by viem: the independent implementation of the layout. */
const ABI = parseAbi([
  "struct Call { address target; bool allowFailure; bytes callData; }",
  "struct Result { bool success; bytes returnData; }",
  "function aggregate3(Call[] calls) returns (Result[] results)",
  "function getCurrentBlockTimestamp() view returns (uint256)",
  "struct Params { address tokenIn; address tokenOut; uint256 amountIn; uint24 fee; uint160 sqrtPriceLimitX96; }",
  "function quoteExactInputSingle(Params params) returns (uint256, uint160, uint32, uint256)",
  "function decimals() view returns (uint8)",
]);

const NOW_MS = 1_790_000_010_000;
const USDC = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";
const WETH = "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2";
/** Error(string) with "Unexpected error", as a missing pool's revert looks like. */
const REVERT = `0x08c379a0${"0".repeat(62)}20${"0".repeat(64)}`;

const toHex = (text: string): Hex => {
  if (!isHex(text)) throw new Error("not hex");
  return text;
};
const encodeResults = (results: readonly { success: boolean; returnData: Hex }[]) =>
  encodeFunctionResult({ abi: ABI, functionName: "aggregate3", result: [...results] });
const ok = (returnData: Hex) => ({ success: true, returnData });
const failed = { success: false, returnData: toHex(REVERT) };
const time = (at_s: number) =>
  ok(encodeFunctionResult({ abi: ABI, functionName: "getCurrentBlockTimestamp", result: BigInt(at_s) }));
const quoted = (out: bigint, gas = 110_000n) =>
  ok(encodeFunctionResult({ abi: ABI, functionName: "quoteExactInputSingle", result: [out, 1n << 96n, 3, gas] }));
const answer = (results: readonly { success: boolean; returnData: Hex }[]) => ({
  jsonrpc: "2.0",
  id: 1,
  result: encodeResults(results),
});

const contextOf = (body: unknown) => createRecordedContext({ now_ms: NOW_MS, bodies: { "evm_rpc POST base": body } });
const swap = { token_in: USDC, token_out: WETH, amount_in: 10_000_000_000n };
const quotesOf = (body: unknown) => fetchPoolQuotes(contextOf(body), "base", [swap]);
const refusalOf = async (call: Promise<unknown>) => {
  const error = await call.catch((thrown: unknown) => thrown);
  return error instanceof UpstreamError ? `${error.kind} ${error.message}` : `no error: ${JSON.stringify(error)}`;
};

describe("call data", () => {
  test("of a quote is what viem encodes", () => {
    for (const fee of FEE_TIERS) {
      const args = [
        { tokenIn: toHex(USDC), tokenOut: toHex(WETH), amountIn: swap.amount_in, fee, sqrtPriceLimitX96: 0n },
      ] as const;
      const expected = encodeFunctionData({ abi: ABI, functionName: "quoteExactInputSingle", args });
      expect(encodeQuote(swap, fee)).toBe(expected);
    }
    expect(encodeQuote(swap, 100).slice(0, 10)).toBe(QUOTE_EXACT_INPUT);
  });

  test("of many views is what viem encodes, whatever their length", () => {
    const hex = fc.uint8Array({ maxLength: 200 }).map((bytes) => `0x${Buffer.from(bytes).toString("hex")}`);
    fc.assert(
      fc.property(fc.array(hex, { maxLength: 10 }), (datas) => {
        const args = [
          datas.map((data) => ({ target: toHex(USDC), allowFailure: true, callData: toHex(data) })),
        ] as const;
        const expected = encodeFunctionData({ abi: ABI, functionName: "aggregate3", args });
        return encodeAggregate(datas.map((data) => ({ to: USDC, data }))) === expected;
      }),
    );
    expect(encodeAggregate([]).startsWith(AGGREGATE)).toBe(true);
  });
});

describe("results of many views", () => {
  const words = fc.array(fc.bigInt({ min: 0n, max: (1n << 256n) - 1n }), { minLength: 1, maxLength: 6 });

  test("are read as viem wrote them; reverted ones are null", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), words), { maxLength: 12 }), (rows) => {
        const texts = rows.map(([, values]) => values.map((value) => value.toString(16).padStart(64, "0")));
        const hex = encodeResults(
          rows.map(([success], index) => ({ success, returnData: toHex(`0x${texts[index]?.join("")}`) })),
        );
        const expected = rows.map(([success], index) => (success ? (texts[index] ?? []) : null));
        expect(decodeAggregate(hex, rows.length)).toEqual(expected);
      }),
    );
  });

  test("that were cut, or whose offsets lead nowhere, are refused and never thrown at", () => {
    const hex = encodeResults([quoted(5n), failed]);
    for (let chars = 2; chars < hex.length; chars += 64) {
      expect(isUnusable(decodeAggregate(hex.slice(0, chars), 2))).toBe(true);
    }
    expect(isUnusable(decodeAggregate(hex, 3))).toBe(true);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 640 }), fc.nat(4), (bytes, count) => {
        const result = decodeAggregate(`0x${Buffer.from(bytes).toString("hex")}`, count);
        return isUnusable(result) || result.length === count;
      }),
    );
  });
});

describe("pool quotes", () => {
  test("the pool that pays most is kept, with its fee and gas", async () => {
    const { block_at_ms, quotes } = await quotesOf(
      answer([time(1_790_000_000), failed, quoted(3_300n, 90_000n), quoted(3_299n)]),
    );
    expect(block_at_ms).toBe(1_790_000_000_000);
    expect(quotes).toEqual([{ amount_out: 3_300n, fee_tier: 500, gas: 90_000 }]);
  });

  test("without any pool, or one that pays nothing, there is no quote", async () => {
    expect((await quotesOf(answer([time(1_790_000_000), failed, failed, quoted(0n)]))).quotes).toEqual([null]);
  });

  test("one call asks for the block's time and for three pools a swap", async () => {
    const seen: unknown[] = [];
    await quotesOf(({ body }: { body: unknown }) => {
      seen.push(body);
      return answer([time(1_790_000_000), failed, failed, failed]);
    });
    expect(seen).toMatchObject([{ method: "eth_call", params: [{ to: MULTICALL }, "latest"] }]);
    const data = JSON.parse(JSON.stringify(seen))[0].params[0].data;
    const { args } = decodeFunctionData({ abi: ABI, data });
    const calls = JSON.parse(JSON.stringify(args))[0];
    expect(calls).toHaveLength(4);
    expect(calls[0]).toMatchObject({ target: MULTICALL, callData: BLOCK_TIME });
  });

  test("a node whose newest block is old, unborn or undated is refused", async () => {
    for (const at_s of [1_789_999_919, 1_790_000_071, 0]) {
      const body = answer([time(at_s), quoted(1n), quoted(1n), quoted(1n)]);
      expect(await refusalOf(quotesOf(body))).toContain("upstream_bad_response");
    }
    expect(await refusalOf(quotesOf(answer([failed, quoted(1n), quoted(1n), quoted(1n)])))).toContain("block");
  });

  test("a revert of the whole, no code at the address, an error or HTML is refused", async () => {
    const bodies = [
      { jsonrpc: "2.0", id: 1, result: "0x" },
      { jsonrpc: "2.0", id: 1, error: { code: 3, message: "execution reverted" } },
      { jsonrpc: "2.0", id: 1, result: null },
      "<html></html>",
      null,
    ];
    for (const body of bodies) expect(await refusalOf(quotesOf(body))).toContain("upstream_bad_response");
  });

  test("more views than one call may hold are read in several, at the older block", async () => {
    const swaps = Array.from({ length: 40 }, () => swap);
    let asked = 0;
    const { block_at_ms, quotes } = await fetchPoolQuotes(
      contextOf(({ body }: { body: unknown }) => {
        asked += 1;
        const data = JSON.parse(JSON.stringify(body)).params[0].data;
        const count = JSON.parse(JSON.stringify(decodeFunctionData({ abi: ABI, data }).args))[0].length;
        return answer([time(1_790_000_000 - asked), ...Array.from({ length: count - 1 }, () => quoted(7n))]);
      }),
      "base",
      swaps,
    );
    expect(asked).toBe(3);
    expect(quotes).toHaveLength(40);
    expect(quotes.every((one) => one?.amount_out === 7n)).toBe(true);
    expect(block_at_ms).toBe(1_789_999_997_000);
  });
});

describe("decimals of tokens", () => {
  test("are as the contracts state them, null where they state none", async () => {
    const stated = ok(encodeFunctionResult({ abi: ABI, functionName: "decimals", result: 18 }));
    const absurd = quoted(1n);
    // A table of decimals may be old: it never changes.
    const body = answer([time(1_700_000_000), stated, failed, absurd]);
    expect(await fetchDecimals(contextOf(body), "base", [WETH, USDC, USDC])).toEqual([18, null, null]);
  });
});
