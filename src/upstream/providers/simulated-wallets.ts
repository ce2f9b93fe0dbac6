import type { SimulatedWorld } from "../../catalog/simulator.ts";
import { DEX_TOKENS, type DexChain, USDC } from "./dex-tokens.ts";

/** A wallet that the sandbox's sanctions lists name: whoever screens it finds it. */
export const SIMULATED_LISTED_WALLET = "0x901bb9583b24d97e995513c6778dc6888ab6870e";
export const SIMULATED_LISTED_SOLANA_WALLET = "42RLPACwZPx3vYYmxSueqsogfynBDqXK298EDsNoyoHi";

/** What the simulated chains and explorers know of a wallet: any address has a past, drawn from itself. */
export interface SimulatedWallet {
  readonly address: string;
  readonly created_at_ms: number;
  /** Outgoing transactions per chain. */
  readonly nonce: number;
  /** Who it deals with, the most frequent first. */
  readonly counterparties: readonly string[];
  readonly is_listed: boolean;
}

const EARLIEST_MS = Date.UTC(2021, 0, 1);
const SPAN_MS = 4.5 * 365 * 86_400_000;
const COUNTERPARTIES = 12;

const inventEvm = (world: SimulatedWorld, key: string): string => {
  const part = (index: number) => Math.floor(world.noise(`${key} ${index}`) * 2 ** 32).toString(16);
  return `0x${[0, 1, 2, 3, 4].map((index) => part(index).padStart(8, "0")).join("")}`;
};
const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const inventSolana = (world: SimulatedWorld, key: string): string =>
  `5${Array.from({ length: 43 }, (_, index) => ALPHABET[Math.floor(world.noise(`${key} ${index}`) * 58)]).join("")}`;

export function getSimulatedWallet(world: SimulatedWorld, text: string): SimulatedWallet {
  const is_evm = text.startsWith("0x");
  const address = is_evm ? text.toLowerCase() : text;
  const draw = (what: string): number => world.noise(`wallet ${address} ${what}`);
  const invent = is_evm ? inventEvm : inventSolana;
  return {
    address,
    created_at_ms: EARLIEST_MS + Math.floor(draw("born") * SPAN_MS),
    nonce: 20 + Math.floor(draw("nonce") * 600),
    counterparties: Array.from({ length: COUNTERPARTIES }, (_, index) =>
      invent(world, `counterparty ${address} ${index}`),
    ),
    is_listed: address === SIMULATED_LISTED_WALLET || address === SIMULATED_LISTED_SOLANA_WALLET,
  };
}

/** Of the chain's own coin, in whole coins. */
export const getSimulatedNative = (world: SimulatedWorld, chain: string, address: string): number =>
  Math.floor(world.noise(`native ${chain} ${address.toLowerCase()}`) * 4_000) / 1_000;

/** Whole tokens a wallet holds of the chain's well-known ones; mostly none. */
export function getSimulatedHoldings(world: SimulatedWorld, chain: DexChain, address: string) {
  const tokens = [
    { address: USDC[chain], symbol: "USDC", decimals: 6, unit: 20_000 },
    ...DEX_TOKENS[chain].map((token) => ({
      address: token.address,
      symbol: token.wrapper,
      decimals: token.decimals,
      unit: token.asset === "BTC" ? 0.5 : token.asset === "ETH" ? 3 : 200,
    })),
  ];
  return tokens.map((token) => {
    const draw = world.noise(`holding ${chain} ${token.symbol} ${address.toLowerCase()}`);
    const whole = draw < 0.4 ? 0 : Math.floor((draw - 0.4) * token.unit * 1e4) / 1e4;
    return { ...token, amount: BigInt(Math.round(whole * 1e4)) * 10n ** BigInt(token.decimals - 4) };
  });
}
