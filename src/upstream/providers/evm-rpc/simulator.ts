import { defineSimulator, type SimulatedWorld } from "../../../catalog/simulator.ts";
import { sha256Hex } from "../../../core/hash.ts";
import { requireChainId } from "../../../networks/find.ts";
import { getSimulatedEuro } from "../simulated-fx.ts";
import { getSimulatedMetal } from "../simulated-metals.ts";
import { readCall } from "../simulated-rpc.ts";
import { getSimulatedShare } from "../simulated-shares.ts";
import { GENESIS_MS } from "../simulated-tokens/evm-launches.ts";
import { listSimulatedLogs } from "../simulated-tokens/evm-logs.ts";
import { findSimulatedPayment, hasPayments, listSimulatedPayments } from "../simulated-tokens/evm-payments.ts";
import { callToken, playTokenMethod } from "../simulated-tokens/evm-state.ts";
import { getSimulatedTransaction } from "../simulated-tokens/evm-swaps.ts";
import { callYield } from "../simulated-tokens/evm-yields.ts";
import { PYTH_FEEDS } from "../solana-rpc/pyth-feeds.ts";
import {
  CHAINLINK_CURRENCIES,
  CHAINLINK_FEEDS,
  CHAINLINK_METALS,
  CHAINLINK_SHARES,
  CHAINLINK_TOKENS,
  DECIMALS,
  DESCRIPTION,
  LATEST_ROUND_DATA,
} from "./chainlink-feeds.ts";
import { GET_PRICE_UNSAFE, PYTH_CONTRACTS } from "./pyth-contract.ts";
import { answerAccount, callWalletView } from "./simulated-accounts.ts";
import { callView } from "./simulated-views.ts";

interface SimulatedChain {
  readonly id: number;
  readonly block_ms: number;
  /** Usual base fee and tip, wei. */
  readonly base_fee: number;
  readonly tip: number;
}

const CHAINS: Readonly<Record<string, SimulatedChain>> = {
  ethereum: { id: requireChainId("ethereum"), block_ms: 12_000, base_fee: 800_000_000, tip: 100_000_000 },
  base: { id: requireChainId("base"), block_ms: 2_000, base_fee: 5_000_000, tip: 1_000_000 },
  arbitrum: { id: requireChainId("arbitrum"), block_ms: 250, base_fee: 10_000_000, tip: 1 },
  optimism: { id: requireChainId("optimism"), block_ms: 2_000, base_fee: 1_000_000, tip: 1_000_000 },
  polygon: { id: requireChainId("polygon"), block_ms: 2_000, base_fee: 30_000_000_000, tip: 30_000_000_000 },
  base_sepolia: { id: requireChainId("base_sepolia"), block_ms: 2_000, base_fee: 1_000_000, tip: 1_000_000 },
};

const CHAINLINK_EVERY_S = 120;
const PYTH_EVERY_S = 600;
const DECIMALS_OF_FEEDS = 8;
const UNITS = 10 ** DECIMALS_OF_FEEDS;
const CONF_RATIO = 0.0005;
const FEE_BLOCKS_MAX = 1_024;

const hex = (value: number | bigint): string => `0x${BigInt(value).toString(16)}`;

/** ABI words; negative values in two's complement. */
const encodeWords = (...values: readonly bigint[]): string =>
  `0x${values.map((value) => BigInt.asUintN(256, value).toString(16).padStart(64, "0")).join("")}`;

const toUnits = (price: number): bigint => BigInt(Math.round(price * UNITS));

const getUpdateTime = (world: SimulatedWorld, every_s: number): number =>
  Math.floor((world.now() / 1000 - 1) / every_s) * every_s;

function getRound(world: SimulatedWorld, priceAt: (at_ms: number) => number): string {
  const time_s = getUpdateTime(world, CHAINLINK_EVERY_S);
  const round = (1n << 64n) + BigInt(Math.floor(time_s / CHAINLINK_EVERY_S));
  const time = BigInt(time_s);
  return encodeWords(round, toUnits(priceAt(time_s * 1000)), time, time, round);
}

const isSame = (address: string, to: string): boolean => address.toLowerCase() === to.toLowerCase();

/** Dollars that the market has no walk of follow DAI's, staked ether ether's. */
function priceToken(world: SimulatedWorld, token: string, at_ms: number): number {
  if (token === "stETH") return 0.9996 * world.price("ETH", at_ms);
  return world.price(token.startsWith("USD") && !["USDC", "USDT"].includes(token) ? "DAI" : token, at_ms);
}

const findCurrency = (to: string): string | undefined =>
  Object.entries(CHAINLINK_CURRENCIES).find(([, address]) => isSame(address, to))?.[0];
const priceCurrency = (world: SimulatedWorld, code: string, at_ms: number): number =>
  getSimulatedEuro(world, "USD", at_ms) / getSimulatedEuro(world, code, at_ms);

/** A text of up to 32 characters as the ABI returns it. */
const encodeText = (text: string): string =>
  encodeWords(32n, BigInt(text.length)) + Buffer.from(text, "latin1").toString("hex").padEnd(64, "0");

/** What the feed at an address prices: a coin, a token, a metal, or a share. */
function findFeed(world: SimulatedWorld, chain: string, to: string): ((at_ms: number) => number) | undefined {
  const feeds = Object.entries<Readonly<Record<string, string>>>(CHAINLINK_FEEDS).find(([name]) => name === chain)?.[1];
  const coin = Object.entries(feeds ?? {}).find(([, address]) => isSame(address, to))?.[0];
  if (coin !== undefined) return (at_ms) => world.price(coin, at_ms);
  const token = Object.entries(CHAINLINK_TOKENS[chain] ?? {}).find(([, address]) => isSame(address, to))?.[0];
  if (token !== undefined) return (at_ms) => priceToken(world, token, at_ms);
  const currency = chain === "ethereum" ? findCurrency(to) : undefined;
  if (currency !== undefined) return (at_ms) => priceCurrency(world, currency, at_ms);
  const metals = chain === "ethereum" ? CHAINLINK_METALS : {};
  const metal = Object.entries(metals).find(([, address]) => isSame(address, to))?.[0];
  if (metal !== undefined) return (at_ms) => getSimulatedMetal(world, metal, at_ms);
  const shares = chain === "arbitrum" ? CHAINLINK_SHARES : {};
  const share = Object.entries(shares).find(([, address]) => isSame(address, to))?.[0];
  return share === undefined ? undefined : (at_ms) => getSimulatedShare(world, share, { at_ms });
}

function getPythPrice(world: SimulatedWorld, symbol: string): string {
  const time_s = getUpdateTime(world, PYTH_EVERY_S);
  const price = world.price(symbol, time_s * 1000);
  return encodeWords(toUnits(price), toUnits(price * CONF_RATIO), BigInt(-DECIMALS_OF_FEEDS), BigInt(time_s));
}

/** What a price contract returns, or undefined when there is none at that address or it has no such function. */
function callContract(world: SimulatedWorld, chain: string, { to, data }: { to: string; data: string }) {
  const priceAt = findFeed(world, chain, to);
  if (priceAt && data === DECIMALS) return encodeWords(BigInt(DECIMALS_OF_FEEDS));
  const currency = chain === "ethereum" ? findCurrency(to) : undefined;
  if (currency !== undefined && data === DESCRIPTION) return encodeText(`${currency} / USD`);
  if (priceAt && data === LATEST_ROUND_DATA) return getRound(world, priceAt);
  const contract = Object.entries<string>(PYTH_CONTRACTS).find(([name]) => name === chain)?.[1];
  if (contract?.toLowerCase() !== to.toLowerCase() || !data.startsWith(GET_PRICE_UNSAFE)) return undefined;
  const feed_id = data.slice(GET_PRICE_UNSAFE.length);
  const feed = Object.entries(PYTH_FEEDS).find(([, one]) => one.feed_id === feed_id)?.[0];
  return feed === undefined ? undefined : getPythPrice(world, feed);
}

const getHeight = (world: SimulatedWorld, chain: SimulatedChain): number =>
  Math.max(1, Math.floor((world.now() - GENESIS_MS) / chain.block_ms));

/** Base fee of a block: within half and twice the chain's usual one, drifting over an hour. */
function getBaseFee(world: SimulatedWorld, chain: SimulatedChain, block: number): number {
  const hour = (block * chain.block_ms) / 3_600_000;
  const wave = Math.sin(hour * 2 * Math.PI) * 0.3 + (world.noise(`base fee ${chain.id} ${block}`) - 0.5) * 0.1;
  return Math.max(1, Math.round(chain.base_fee * (1 + wave)));
}

function getFeeHistory(world: SimulatedWorld, chain: SimulatedChain, params: readonly unknown[]) {
  const [count_param, , percentiles_param] = params;
  const count = Math.min(FEE_BLOCKS_MAX, Math.max(1, Number(count_param) || 1));
  const percentiles = Array.isArray(percentiles_param) ? percentiles_param.map(Number) : [];
  const oldest = Math.max(1, getHeight(world, chain) - count + 1);
  const blocks = Array.from({ length: count }, (_, index) => oldest + index);
  return {
    oldestBlock: hex(oldest),
    baseFeePerGas: [...blocks, oldest + count].map((block) => hex(getBaseFee(world, chain, block))),
    gasUsedRatio: blocks.map((block) => 0.2 + 0.6 * world.noise(`gas used ${chain.id} ${block}`)),
    baseFeePerBlobGas: [...blocks, oldest + count].map(() => "0x1"),
    blobGasUsedRatio: blocks.map(() => 0),
    ...(percentiles.length === 0
      ? {}
      : {
          reward: blocks.map((block) => {
            const level = 0.5 + world.noise(`tip ${chain.id} ${block}`);
            return percentiles.map((percent) => hex(Math.round(chain.tip * level * (0.5 + percent / 100))));
          }),
        }),
  };
}

const hashOf = (name: string, block: number): string => `0x${sha256Hex(`block ${name} ${block}`)}`;

/** A block's transactions, as far as they carry anything. */
const listTransactions = (world: SimulatedWorld, name: string, block: number): readonly object[] =>
  hasPayments(name)
    ? listSimulatedPayments(world, name, block).map(({ hash, from, to, value }) => ({
        hash,
        from,
        to,
        value: hex(value),
        input: "0x",
        type: "0x2",
      }))
    : [];

function getReceipt(name: string, asked: unknown) {
  const payment = findSimulatedPayment(asked);
  if (!payment) return null;
  const { hash, block, is_ok } = payment;
  return { transactionHash: hash, blockHash: hashOf(name, block), status: is_ok ? "0x1" : "0x0" };
}

/** A block's head, with `whole` its transactions too; null for one not there yet. The newest one's time is now. */
function getBlock(
  world: SimulatedWorld,
  chain: SimulatedChain,
  { name, asked, whole }: { readonly name: string; readonly asked: unknown; readonly whole: boolean },
) {
  const newest = getHeight(world, chain);
  const number = typeof asked === "string" && /^0x[0-9a-f]{1,12}$/.test(asked) ? Number(asked) : newest;
  if (number > newest) return null;
  const timestamp = Math.floor((world.now() - (newest - number) * chain.block_ms) / 1000);
  const head = { number: hex(number), hash: hashOf(name, number), timestamp: hex(timestamp) };
  if (!whole) return head;
  return { ...head, parentHash: hashOf(name, number - 1), transactions: listTransactions(world, name, number) };
}

export const simulator = defineSimulator({
  provider: "evm_rpc",
  respond({ body, chain: name = "" }, world) {
    return readCall(body, ({ method, params, answer, fail }) => {
      const chain = CHAINS[name];
      if (!chain) return fail(-32000, "unknown chain");
      if (method === "eth_chainId") return answer(hex(chain.id));
      if (method === "eth_blockNumber") return answer(hex(getHeight(world, chain)));
      if (method === "eth_feeHistory") return answer(getFeeHistory(world, chain, params));
      if (method === "eth_maxPriorityFeePerGas") return answer(hex(chain.tip));
      if (method === "eth_gasPrice") {
        return answer(hex(getBaseFee(world, chain, getHeight(world, chain)) + chain.tip));
      }
      if (method === "eth_getBlockByNumber") {
        return answer(getBlock(world, chain, { name, asked: params[0], whole: params[1] === true }));
      }
      if (method === "eth_getTransactionReceipt") return answer(getReceipt(name, params[0]));
      if (method === "eth_getLogs") {
        const logs = listSimulatedLogs(world, name, Object(params[0]));
        return logs ? answer(logs) : fail(-32005, "query exceeds max block range");
      }
      if (method === "eth_getTransactionByHash") return answer(getSimulatedTransaction(params[0]));
      const played = playTokenMethod(world, name, { method, params });
      if (played !== undefined) return answer(played);
      const account = answerAccount(world, { chain: name, method, params });
      if (account !== undefined) return answer(account);
      if (method !== "eth_call") return fail(-32601, `the method ${method} does not exist/is not available`);
      const [call] = params;
      const { to, data, input }: Record<string, unknown> = typeof call === "object" && call !== null ? { ...call } : {};
      const sent = data ?? input;
      if (typeof to !== "string" || typeof sent !== "string") return fail(-32602, "invalid argument 0");
      const callOther = (one: { to: string; data: string }) =>
        callToken(world, name, one) ??
        callYield(world, name, one) ??
        callContract(world, name, one) ??
        callWalletView(world, name, one);
      // An address without code answers with nothing at all.
      const view = { to, data: sent };
      return answer(callView(world, name, { view, callOther }) ?? "0x");
    });
  },
});
