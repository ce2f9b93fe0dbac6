import { expect, test } from "bun:test";
import { createRecordedContext } from "../../../../test/helpers/product-harness.ts";
import { createSimulatedNode } from "../../../../test/helpers/simulated-node.ts";
import { UpstreamError } from "../../../core/errors.ts";
import { fetchMetisQuote } from "./quote.ts";
import { fetchMetisRoute } from "./route.ts";

const NOW_MS = 1_790_000_010_000;
const SOL = "So11111111111111111111111111111111111111112";
const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const USDT = "Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB";
const BAD = "upstream_bad_response";
const NOT_FOUND = "upstream_not_found";
const swap = { from: USDC, to: SOL, amount: 100_000_000n };

const hop = (label: string, from: string, to: string, in_amount: string, share: number) => ({
  swapInfo: { ammKey: `pool-of-${label}`, label, inputMint: from, outputMint: to, inAmount: in_amount, outAmount: "1" },
  percent: share,
  bps: share * 100,
  usdValue: share,
});
/** The form of dev.jup.ag/api-reference/swap/order, as it is without a taker. */
const answer = (change: object = {}) => ({
  mode: "manual",
  inputMint: USDC,
  outputMint: SOL,
  inAmount: "100000000",
  outAmount: "461208958",
  inUsdValue: 99.97,
  outUsdValue: 99.95,
  swapUsdValue: 99.97,
  swapMode: "ExactIn",
  slippageBps: 26,
  otherAmountThreshold: "460024271",
  priceImpact: -0.0131,
  priceImpactPct: "-0.000131",
  routePlan: [
    hop("MeteoraDLMM", USDC, SOL, "52000000", 52),
    hop("HumidiFi", USDC, USDT, "48000000", 48),
    hop("Whirlpool", USDT, SOL, "47990000", 100),
  ],
  feeMint: SOL,
  feeBps: 2,
  platformFee: { amount: "92260", feeBps: 2, feeMint: SOL },
  signatureFeeLamports: 5000,
  prioritizationFeeLamports: 696237,
  rentFeeLamports: 0,
  router: "metis",
  transaction: null,
  gasless: false,
  requestId: "019974a8-5fbb-7395-9355-9ebf8f844884",
  totalTime: 359,
  taker: null,
  ...change,
});
const read = (body: unknown) => {
  const bodies = { "jupiter GET /swap/v2/order": body };
  return fetchMetisRoute(createRecordedContext({ now_ms: NOW_MS, bodies }), swap);
};
const kindOf = async (call: Promise<unknown>) => {
  const error = await call.catch((thrown: unknown) => thrown);
  return error instanceof UpstreamError ? error.kind : `no error: ${error}`;
};

test("the amount that comes out, its pools, the share of each first hop, and the impact as a loss", async () => {
  const { route, ...quote } = await read(answer());
  expect(quote).toEqual({
    provider: "jupiter",
    amount_out: 461_208_958n,
    gas_usd: null,
    provider_impact_pct: 0.0131,
  });
  expect(route).toEqual([
    { venue: "MeteoraDLMM", pool: "pool-of-MeteoraDLMM", share_pct: 52, token_in: USDC, token_out: SOL },
    { venue: "HumidiFi", pool: "pool-of-HumidiFi", share_pct: 48, token_in: USDC, token_out: USDT },
    { venue: "Whirlpool", pool: "pool-of-Whirlpool", share_pct: null, token_in: USDT, token_out: SOL },
  ]);
  expect((await read(answer({ priceImpact: undefined, router: "iris" }))).provider_impact_pct).toBeNull();
});

test("an answer to another question, of another router or in another form is refused", async () => {
  const { swapInfo } = hop("x", USDC, SOL, "1", 100);
  const changes = [
    ...[{ inputMint: SOL }, { outputMint: USDC }, { inAmount: "1" }, { router: "jupiterz" }, { swapMode: "ExactOut" }],
    ...[{ outAmount: "0" }, { outAmount: "1e9" }, { outAmount: null }, { priceImpact: "0.1" }, { routePlan: [] }],
    ...[{ routePlan: [{ percent: 100 }] }, { routePlan: [{ swapInfo: { ...swapInfo, label: 7 } }] }],
    ...[{ routePlan: [{ swapInfo: { ...swapInfo, inAmount: "-1" } }] }, { routePlan: Array(101).fill({ swapInfo }) }],
  ];
  for (const change of changes) expect([change, await kindOf(read(answer(change)))]).toEqual([change, BAD]);
  for (const body of [null, [], {}, "<html></html>", [null]]) expect(await kindOf(read(body))).toBe(BAD);
});

test("a token no pool has a way for is an answer, told by its status of 400", async () => {
  const options = { now_ms: NOW_MS, licensed: ["jupiter"], api_keys: { jupiter: "key" } };
  const node = createSimulatedNode(options);
  const to = "1".repeat(43);
  const asked = { input_mint: SOL, output_mint: to, amount: 1_000n };
  expect(await kindOf(fetchMetisRoute(node.createContext(), { from: SOL, to, amount: 1_000n }))).toBe(NOT_FOUND);
  expect(await kindOf(fetchMetisQuote(node.createContext(), asked))).toBe(NOT_FOUND);
  node.close();
});
