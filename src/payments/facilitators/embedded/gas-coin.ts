import type { Network } from "../../networks/table.ts";

/** What pays for transactions on a chain, and how much of it is sensible. */
export interface GasCoin {
  readonly symbol: string;
  readonly decimals: number;
  /** Below this the operator is warned; decimal, in the coin. */
  readonly min_gas: string;
  /** Most to be spent in an hour; decimal, in the coin. */
  readonly cap_per_hour: string;
  /** What a secret key looks like. */
  readonly key_form: string;
}

/** Measured costs of one settlement: Base about 0.000002 ETH, Solana 0.00001 SOL, Algorand 0.002 ALGO. */
const COINS: Readonly<Record<Network["wallet"], Omit<GasCoin, "symbol" | "decimals">>> = {
  base: {
    min_gas: "0.0005",
    cap_per_hour: "0.005",
    key_form: "64 hex digits, with or without 0x",
  },
  solana: {
    min_gas: "0.01",
    cap_per_hour: "0.05",
    key_form: "64 bytes in base58, or as the list of numbers that solana-keygen writes",
  },
  algorand: {
    min_gas: "0.5",
    cap_per_hour: "5",
    key_form: "the 25 words, or 64 bytes in base64",
  },
};

export const gasCoinOf = ({ wallet, coin }: Network): GasCoin => ({ ...coin, ...COINS[wallet] });

/** A decimal amount of the coin in its smallest unit; null when it is not an amount or too fine. */
export function parseGas(text: string, { decimals }: GasCoin): bigint | null {
  const match = /^(0|[1-9][0-9]{0,11})(?:\.([0-9]{1,18}))?$/.exec(text);
  const fraction = match?.[2] ?? "";
  if (!match || fraction.length > decimals) return null;
  return BigInt(`${match[1]}${fraction.padEnd(decimals, "0")}`);
}

/** An amount for people: at most six digits that count. */
export function renderGas(amount: bigint, { symbol, decimals }: GasCoin): string {
  const digits = amount.toString().padStart(decimals + 1, "0");
  const whole = digits.slice(0, -decimals);
  const fraction = digits
    .slice(-decimals)
    .replace(/^(0*[0-9]{0,6}).*$/, "$1")
    .replace(/0+$/, "");
  return `${whole}${fraction === "" ? "" : `.${fraction}`} ${symbol}`;
}

const FORMS: Readonly<Record<Network["wallet"], readonly RegExp[]>> = {
  base: [/^(0x)?[0-9a-fA-F]{64}$/],
  solana: [/^[1-9A-HJ-NP-Za-km-z]{80,90}$/, /^\[\s*[0-9]{1,3}(\s*,\s*[0-9]{1,3}){63}\s*\]$/],
  algorand: [/^[A-Za-z0-9+/]{86}==$/, /^[a-z]{3,8}(\s+[a-z]{3,8}){24}$/],
};

/** Whether a text has the form of a secret key of this network. What it is worth shows when it is first used. */
export const isGasKey = (network: Network, text: string): boolean =>
  FORMS[network.wallet].some((form) => form.test(text));
