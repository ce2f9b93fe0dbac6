import type { SimulatedWorld } from "../../../catalog/simulator.ts";
import { encodeAddress, encodeWord } from "../evm-rpc/multicall.ts";
import { BALANCE_OF, TRADER, TRANSFER } from "../evm-rpc/simulate-trade.ts";
import { ADMIN_SLOT, DECIMALS_OF_TOKEN, IMPLEMENTATION_SLOT, OWNER, TOTAL_SUPPLY } from "../evm-rpc/token-powers.ts";
import { findTokenFacts, ownerOf, poolPctOf } from "./find-token.ts";
import type { SimulatedTokenFacts } from "./types.ts";

const word = (value: bigint): string => `0x${encodeWord(value)}`;
const units = (token: SimulatedTokenFacts, amount: number): bigint =>
  BigInt(Math.floor(amount)) * 10n ** BigInt(token.decimals);

/** What a view of a token returns; undefined where it has no such function. */
export function callToken(world: SimulatedWorld, chain: string, { to, data }: { to: string; data: string }) {
  const token = findTokenFacts(world, chain, to);
  if (!token) return undefined;
  if (data === DECIMALS_OF_TOKEN) return word(BigInt(token.decimals));
  if (data === TOTAL_SUPPLY) return word(units(token, token.supply));
  if (data === OWNER && token.owner !== null) {
    return token.owner === "active" ? `0x${encodeAddress(ownerOf(token))}` : word(0n);
  }
  return undefined;
}

function readStorage(token: SimulatedTokenFacts, slot: unknown): string {
  const is_proxy = token.proxy !== "none";
  if (slot === IMPLEMENTATION_SLOT && is_proxy) return `0x${encodeAddress(ownerOf(token))}`;
  if (slot === ADMIN_SLOT && token.proxy === "active_admin") return `0x${encodeAddress(ownerOf(token))}`;
  return word(0n);
}

type Call = { readonly from?: string; readonly to?: string; readonly data?: string };
const done = (returnData: string) => ({ status: "0x1", returnData, gasUsed: "0xc350", logs: [] });
const reverted = {
  status: "0x0",
  returnData: "0x",
  gasUsed: "0x5208",
  error: { code: 3, message: "execution reverted" },
};

/** Runs transfers of one token, with its taxes and its refusals. */
function simulateCalls(world: SimulatedWorld, chain: string, blocks: readonly { calls: readonly Call[] }[]) {
  const balances = new Map<string, bigint>();
  return blocks.map(({ calls }, index) => ({
    timestamp: `0x${(Math.floor(world.now() / 1000) + 12 * (index + 1)).toString(16)}`,
    calls: calls.map(({ from = "", to = "", data = "" }) => {
      const token = findTokenFacts(world, chain, to);
      if (!token) return done("0x");
      const words = data.slice(10).match(/.{64}/g) ?? [];
      const other = `0x${(words[0] ?? "").slice(24)}`;
      const start = (who: string) => (who === TRADER ? 0n : units(token, (token.supply * poolPctOf(token)) / 100));
      const get = (who: string) => balances.get(who) ?? start(who);
      if (data.startsWith(BALANCE_OF)) return done(word(get(other)));
      if (!data.startsWith(TRANSFER)) return reverted;
      const is_sale = from === TRADER;
      const amount = BigInt(`0x${words[1] ?? "0"}`);
      if ((is_sale && token.sells === "reverts") || get(from.toLowerCase()) < amount) return reverted;
      const kept = BigInt(Math.round((1 - (is_sale ? token.sell_tax : token.buy_tax)) * 10_000));
      balances.set(from.toLowerCase(), get(from.toLowerCase()) - amount);
      balances.set(other, get(other) + (amount * kept) / 10_000n);
      return done(word(1n));
    }),
  }));
}

/** Methods of a node that are about tokens; undefined for all others. */
export function playTokenMethod(
  world: SimulatedWorld,
  chain: string,
  { method, params }: { readonly method: string; readonly params: readonly unknown[] },
): unknown {
  const [first, second] = params;
  const token = typeof first === "string" ? findTokenFacts(world, chain, first) : undefined;
  if (method === "eth_getCode" && token) return "0x6080604052";
  if (method === "eth_getStorageAt") return token ? readStorage(token, second) : word(0n);
  if (method !== "eth_simulateV1") return undefined;
  const { blockStateCalls = [] } = first as { blockStateCalls?: readonly { calls: readonly Call[] }[] };
  return simulateCalls(world, chain, blockStateCalls);
}
