import { describe, expect, test } from "bun:test";
import { createRecordedContext } from "../../../test/helpers/product-harness.ts";
import { UpstreamError } from "../../core/errors.ts";
import { fetchCCTPFees } from "./circle-cctp/fees.ts";
import { DEX_CHAINS, DEX_TOKENS, USDC } from "./dex-tokens.ts";
import { fetchPoolPrice } from "./dexscreener/pool-price.ts";
import { jupiter } from "./jupiter/provider.ts";
import { fetchMetisQuote } from "./jupiter/quote.ts";
import { fetchBridgeQuote } from "./lifi/quote.ts";
import { raydium } from "./raydium/provider.ts";
import { fetchRaydiumQuote } from "./raydium/quote.ts";
import { fetchMints, MINT_BYTES, TOKEN_PROGRAM } from "./solana-rpc/mint.ts";

const NOW_MS = 1_790_000_010_000;
const SOL = "So11111111111111111111111111111111111111112";
/** Bodies no provider's answer may look like. */
const BROKEN = [null, [], {}, "<html></html>", { error: "x" }, [null], [{}]];

const contextOf = (key: string, body: unknown) => createRecordedContext({ now_ms: NOW_MS, bodies: { [key]: body } });
const kindOf = async (call: Promise<unknown>) => {
  const error = await call.catch((thrown: unknown) => thrown);
  return error instanceof UpstreamError ? error.kind : `no error: ${JSON.stringify(error)}`;
};
const BAD = "upstream_bad_response";

describe("the table of tokens", () => {
  test("has no address twice on a chain, and does not include USDC", () => {
    for (const chain of DEX_CHAINS) {
      const addresses = [USDC[chain], ...DEX_TOKENS[chain].map(({ address }) => address)];
      expect(new Set(addresses.map((one) => one.toLowerCase())).size).toBe(addresses.length);
    }
  });
});

const swap = { input_mint: SOL, output_mint: USDC.solana, amount: 1_000_000_000n };

describe("a quote of Raydium", () => {
  const data = {
    swapType: "BaseIn",
    inputMint: SOL,
    inputAmount: "1000000000",
    outputMint: USDC.solana,
    outputAmount: "147480000",
    otherAmountThreshold: "146742600",
    slippageBps: 50,
    priceImpactPct: 0.02,
    referrerAmount: "0",
    routePlan: [{ poolId: "8sLbNZoA1cfnvMJLPfp98ZLAnFSYCFApfJKMbiXNLwxj", feeRate: 4 }],
  };
  const answer = (change: object = {}) => ({ id: "x", success: true, version: "V1", data: { ...data, ...change } });
  const quote = (body: unknown) => fetchRaydiumQuote(contextOf("raydium GET /compute/swap-base-in", body), swap);

  test("gives the amount that comes out", async () => {
    expect(await quote(answer())).toBe(147_480_000n);
  });

  test("of other tokens or another amount is refused", async () => {
    for (const change of [
      { inputMint: USDC.solana },
      { outputMint: SOL },
      { inputAmount: "1" },
      { swapType: "BaseOut" },
      { routePlan: [] },
      { outputAmount: "0" },
      { outputAmount: "1e9" },
      { outputAmount: null },
    ]) {
      expect(await kindOf(quote(answer(change)))).toBe(BAD);
    }
  });

  test("that is an error or no quote at all is refused", async () => {
    const strange = { id: "x", success: false, version: "V1", msg: "POOL_PAUSED" };
    for (const body of [strange, { ...answer(), success: false }, { success: true }, ...BROKEN]) {
      expect(await kindOf(quote(body))).toBe(BAD);
    }
  });

  test("an amount no pool has a way for is an answer", async () => {
    const no_route = { id: "x", success: false, version: "V1", msg: "ROUTE_NOT_FOUND" };
    expect(await kindOf(quote(no_route))).toBe("upstream_not_found");
  });
});

describe("a quote of Metis, where an operator has Jupiter's licence", () => {
  const answer = (change: object = {}) => ({
    mode: "manual",
    router: "iris",
    inputMint: SOL,
    inAmount: "1000000000",
    outputMint: USDC.solana,
    outAmount: "147480000",
    otherAmountThreshold: "146742600",
    swapMode: "ExactIn",
    slippageBps: 50,
    routePlan: [{ swapInfo: { label: "Meteora DLMM" }, percent: 100 }],
    transaction: null,
    ...change,
  });
  const quote = (body: unknown) => fetchMetisQuote(contextOf("jupiter GET /swap/v2/order", body), swap);

  test("gives the amount that comes out", async () => {
    expect(await quote(answer())).toBe(147_480_000n);
  });

  test("of other tokens, another amount or another router is refused", async () => {
    for (const change of [
      { inputMint: USDC.solana },
      { outputMint: SOL },
      { inAmount: "1" },
      { router: "jupiterz" },
      { swapMode: "ExactOut" },
      { routePlan: [] },
      { outAmount: "0" },
      { outAmount: null },
    ]) {
      expect(await kindOf(quote(answer(change)))).toBe(BAD);
    }
    for (const body of [{ error: "Failed to get quotes", errorCode: 2 }, ...BROKEN]) {
      expect(await kindOf(quote(body))).toBe(BAD);
    }
  });

  test("is asked for with that licence alone", () => {
    expect(jupiter.terms.class).toBe("restricted");
    expect(raydium.terms.class).toBe("unclear");
  });
});

describe("Circle's fees", () => {
  const read = (body: unknown) =>
    fetchCCTPFees(contextOf("circle_cctp GET /v2/burn/USDC/fees/6/3", body), { from: "base", to: "arbitrum" });
  const fast = { finalityThreshold: 1000, minimumFee: 1.3 };
  const standard = { finalityThreshold: 2000, minimumFee: 0 };

  test("are fractions of a basis point, by the domains of the two chains", async () => {
    expect(await read([fast, standard])).toEqual({ from: "base", to: "arbitrum", fast_bps: 1.3, standard_bps: 0 });
  });

  test("may lack the fast transfer, but not both", async () => {
    expect(await read([standard])).toMatchObject({ fast_bps: null, standard_bps: 0 });
    expect(await kindOf(read([{ finalityThreshold: 500, minimumFee: 1 }]))).toBe(BAD);
    expect(await kindOf(read([{ ...fast, minimumFee: -1 }]))).toBe(BAD);
    expect(await kindOf(read([{ ...fast, minimumFee: 9_999 }]))).toBe(BAD);
    for (const body of [{ code: 400, message: "Invalid domain" }, ...BROKEN])
      expect(await kindOf(read(body))).toBe(BAD);
  });
});

describe("a quote of LI.FI", () => {
  const estimate = (change: object = {}) => ({
    fromAmount: "10000000000",
    toAmount: "9991200000",
    toAmountMin: "9941244000",
    fromAmountUSD: "10000.0000",
    toAmountUSD: "9991.2000",
    feeCosts: [
      { name: "LIFI Fixed Fee", amountUSD: "8.8000", included: true },
      { name: "Relayer fee", amountUSD: "0.50", included: false },
    ],
    gasCosts: [{ type: "SEND", amountUSD: "0.8500" }],
    executionDuration: 4,
    ...change,
  });
  const answer = (change: object = {}) => ({
    tool: "across",
    toolDetails: { key: "across", name: "AcrossV4", logoURI: "https://example.com/x.svg" },
    estimate: estimate(change),
    transactionRequest: { to: "0x1", data: "0xdeadbeef", value: "0x0" },
  });
  const read = (body: unknown) =>
    fetchBridgeQuote(contextOf("lifi GET /quote", body), { from: "base", to: "arbitrum", usdc: 10_000 });

  test("gives amounts, fees and gas, and nothing of the transaction", async () => {
    const quote = await read(answer());
    expect(quote).toEqual({
      tool: "AcrossV4",
      amount_in: 10_000,
      amount_out: 9_991.2,
      amount_out_min: 9_941.244,
      amount_in_usd: 10_000,
      amount_out_usd: 9_991.2,
      fees_usd: 9.3,
      fees_extra_usd: 0.5,
      gas_usd: 0.85,
      duration_s: 4,
    });
    expect(JSON.stringify(quote)).not.toContain("deadbeef");
  });

  test("asks for the chains, their USDC and the amount", async () => {
    const seen: URLSearchParams[] = [];
    await read(({ path }: { path: string }) => {
      seen.push(new URL(path, "http://localhost").searchParams);
      return answer();
    });
    expect(Object.fromEntries(seen[0] ?? [])).toMatchObject({
      fromChain: "8453",
      toChain: "42161",
      fromToken: USDC.base,
      toToken: USDC.arbitrum,
      fromAmount: "10000000000",
    });
  });

  test("values may be missing, costs without a value may not", async () => {
    const { fromAmountUSD: _, toAmountUSD: __, ...bare } = estimate();
    expect(await read({ ...answer(), estimate: bare })).toMatchObject({ amount_in_usd: null, amount_out_usd: null });
    for (const change of [
      { gasCosts: [] },
      { gasCosts: [{ type: "SEND" }] },
      { feeCosts: [{ name: "x" }] },
      { fromAmount: "1" },
      { toAmount: "99912000000" },
      { toAmountMin: "9991200001" },
      { toAmount: null },
      { executionDuration: null },
    ]) {
      expect(await kindOf(read(answer(change)))).toBe(BAD);
    }
  });

  test("that is an error is refused", async () => {
    const none = { message: "No available quotes for the requested transfer", code: 1002, errors: [] };
    for (const body of [none, ...BROKEN]) expect(await kindOf(read(body))).toBe(BAD);
  });
});

describe("the table of pools", () => {
  const TOKEN = "0x4200000000000000000000000000000000000006";
  const pair = (change: object = {}) => ({
    chainId: "base",
    dexId: "uniswap",
    pairAddress: "0x1",
    labels: ["v3"],
    baseToken: { address: TOKEN, name: "Wrapped Ether", symbol: "WETH" },
    quoteToken: { address: USDC.base, name: "USD Coin", symbol: "USDC" },
    priceNative: "3000.1",
    priceUsd: "3000.10",
    txns: { h24: { buys: 912, sells: 628 } },
    volume: { h24: 121_060.89 },
    priceChange: { h24: -1.57 },
    liquidity: { usd: 900_000, base: 1, quote: 2 },
    fdv: 1,
    pairCreatedAt: 1_702_999_629_000,
    ...change,
  });
  const read = (body: unknown) =>
    fetchPoolPrice(contextOf(`dexscreener GET /token-pairs/v1/base/${TOKEN}`, body), { chain: "base", token: TOKEN });

  test("gives the price of the deepest pool, whether it is written as a number or as text", async () => {
    const deeper = pair({ priceUsd: 3_001, liquidity: { usd: 5_000_000 } });
    expect(await read([pair(), deeper])).toEqual({ price: 3_001, liquidity_usd: 5_000_000 });
    expect(await read([pair()])).toEqual({ price: 3_000.1, liquidity_usd: 900_000 });
  });

  test("thin pools, absurd changes, other chains and pools where the token is the quote do not count", async () => {
    const turned = pair({ baseToken: pair().quoteToken, quoteToken: pair().baseToken, priceUsd: "1" });
    for (const one of [
      pair({ liquidity: { usd: 249_999 } }),
      pair({ liquidity: undefined }),
      pair({ priceChange: { h24: 3.7e42 } }),
      pair({ chainId: "ethereum" }),
      pair({ priceUsd: null }),
      pair({ priceUsd: "0" }),
      turned,
    ]) {
      const body = JSON.parse(JSON.stringify([one]));
      expect(await kindOf(read(body))).toBe(BAD);
      expect(await read([...body, pair()])).toMatchObject({ price: 3_000.1 });
    }
  });

  test("an empty or wrapped list is refused", async () => {
    for (const body of [[], { pairs: [pair()] }, ...BROKEN]) expect(await kindOf(read(body))).toBe(BAD);
  });
});

describe("mints on Solana", () => {
  const account = (change: { owner?: string; bytes?: number; initialised?: number } = {}) => {
    const data = new Uint8Array(change.bytes ?? MINT_BYTES);
    data[44] = 8;
    data[45] = change.initialised ?? 1;
    return {
      data: [Buffer.from(data).toString("base64"), "base64"],
      owner: change.owner ?? TOKEN_PROGRAM,
      lamports: 1,
      executable: false,
    };
  };
  const read = (...value: unknown[]) => {
    const body = { jsonrpc: "2.0", id: 1, result: { context: { slot: 5 }, value } };
    return fetchMints(
      contextOf("solana_rpc POST solana", body),
      value.map(() => USDC.solana),
    );
  };

  test("state their decimals; an account that is not a mint has none", async () => {
    expect(await read(account(), null, account({ owner: SOL }), account({ bytes: 165 }))).toEqual({
      slot: 5,
      decimals: [8, null, null, null],
    });
    expect((await read(account({ initialised: 0 }))).decimals).toEqual([null]);
  });
});
