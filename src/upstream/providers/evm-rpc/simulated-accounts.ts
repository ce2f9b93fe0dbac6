import type { SimulatedWorld } from "../../../catalog/simulator.ts";
import { USDC } from "../dex-tokens.ts";
import { isDexChain } from "../simulated-dex.ts";
import { getSimulatedHoldings, getSimulatedNative, getSimulatedWallet } from "../simulated-wallets.ts";
import { encodeWord } from "./multicall.ts";
import { NAME, VERSION } from "./token-domain.ts";
import {
  AAVE_POOLS,
  ACCOUNT_DATA,
  BALANCE_OF,
  IS_BLACK_LISTED,
  IS_BLACKLISTED,
  IS_SANCTIONED,
} from "./wallet-views.ts";

const isText = (value: unknown): value is string => typeof value === "string";
const wordOf = (value: bigint): string => `0x${encodeWord(value)}`;

/** What nodes answer of accounts; undefined for other methods. */
export function answerAccount(
  world: SimulatedWorld,
  { chain, method, params }: { readonly chain: string; readonly method: string; readonly params: readonly unknown[] },
): unknown {
  const [address] = params;
  if (!isText(address)) return undefined;
  if (method === "eth_getCode") return "0x";
  const hex = (value: bigint): string => `0x${value.toString(16)}`;
  if (method === "eth_getBalance") {
    return hex(BigInt(Math.round(getSimulatedNative(world, chain, address) * 1000)) * 10n ** 15n);
  }
  return method === "eth_getTransactionCount" ? hex(BigInt(getSimulatedWallet(world, address).nonce)) : undefined;
}

const DOMAIN: Readonly<Record<string, string>> = { [NAME]: "USD Coin", [VERSION]: "2" };
const isUSDC = (chain: string, to: string): boolean =>
  isDexChain(chain) && USDC[chain].toLowerCase() === to.toLowerCase();
const encodeString = (text: string): string =>
  `0x${encodeWord(32n)}${encodeWord(BigInt(text.length))}${Buffer.from(text).toString("hex").padEnd(64, "0")}`;

/** What token, oracle and lending contracts say of a wallet; undefined when the call is none of these. */
export function callWalletView(
  world: SimulatedWorld,
  chain: string,
  { to, data }: { readonly to: string; readonly data: string },
): string | undefined {
  const text = isUSDC(chain, to) ? DOMAIN[data] : undefined;
  if (text !== undefined) return encodeString(text);
  const [selector, address] = [data.slice(0, 10), `0x${data.slice(34, 74)}`];
  if (data.length !== 74) return undefined;
  if (selector === IS_SANCTIONED) return wordOf(getSimulatedWallet(world, address).is_listed ? 1n : 0n);
  if (selector === IS_BLACKLISTED || selector === IS_BLACK_LISTED) return wordOf(0n);
  if (selector === ACCOUNT_DATA && AAVE_POOLS[chain]?.toLowerCase() === to.toLowerCase()) {
    const debt = world.noise(`debt ${address}`) < 0.5 ? 0n : 2_000n * 10n ** 8n;
    const health = debt === 0n ? 2n ** 256n - 1n : 1_620_000_000_000_000_000n;
    return `0x${[5_000n * 10n ** 8n, debt, 10n ** 8n, 8_000n, 7_500n, health].map(encodeWord).join("")}`;
  }
  if (selector !== BALANCE_OF || !isDexChain(chain)) return undefined;
  const held = getSimulatedHoldings(world, chain, address).find(
    (token) => token.address.toLowerCase() === to.toLowerCase(),
  );
  return held && wordOf(held.amount);
}
