import type { TokenChain } from "intel-node/providers/issuer-tokens";

/** How a protocol's own contract says what it pays. */
export type YieldKind = "aave_pool" | "comet" | "savings_rate" | "share_price";

export interface YieldReader {
  readonly id: string;
  readonly project: string;
  readonly chain: Exclude<TokenChain, "solana">;
  readonly symbol: string;
  readonly kind: YieldKind;
  /** The contract that is asked. */
  readonly contract: string;
  /** Call data. */
  readonly data: string;
  readonly is_stable: boolean;
}

const word = (hex: string): string => hex.replace("0x", "").toLowerCase().padStart(64, "0");
const ONE = word("de0b6b3a7640000");
/** Selectors of the contracts' own functions; a test has their names. */
export const SELECTORS = {
  reserve: "0x35ea6a75",
  ssr: "0x03607ceb",
  assets: "0x07a2d13a",
  steth: "0x035faf82",
  rocket: "0xe6aa216c",
  coinbase: "0x3ba0b9a9",
  etherfi: "0x679aefce",
  utilization: "0x7eb71131",
  supply_rate: "0xd955759d",
} as const;

const MAINNET = {
  USDC: "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
  USDT: "0xdAC17F958D2ee523a2206206994597C13D831ec7",
};
const WETH = "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2";
const BASE_USDC = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
const BASE_WETH = "0x4200000000000000000000000000000000000006";
const AAVE = "0x87870Bca3F3fD6335C3F4ce8392D69350B4fA4E2";
const AAVE_BASE = "0xA238Dd80C259a72e81d7e4664a9801593F98d1c5";
const SPARK = "0xC13e21B648A5Ee794902342038FF3aDAB66BE987";

type Row = Omit<YieldReader, "id">;
const market =
  (project: string, chain: Row["chain"], contract: string) =>
  (symbol: string, asset: string): Row => ({
    ...{
      project,
      chain,
      symbol,
      kind: "aave_pool",
      contract,
      data: SELECTORS.reserve + word(asset),
      is_stable: symbol !== "WETH",
    },
  });
const share = (
  project: string,
  symbol: string,
  call: { readonly to: string; readonly data: string; readonly is_stable?: boolean },
): Row => ({
  ...{
    project,
    chain: "ethereum",
    symbol,
    kind: "share_price",
    contract: call.to,
    data: call.data,
    is_stable: call.is_stable ?? false,
  },
});
const comet = (chain: Row["chain"], contract: string): Row => ({
  ...{
    project: "compound-v3",
    chain,
    symbol: "USDC",
    kind: "comet",
    contract,
    data: SELECTORS.utilization,
    is_stable: true,
  },
});

const on_aave = market("aave-v3", "ethereum", AAVE);
const on_base = market("aave-v3", "base", AAVE_BASE);
const on_spark = market("spark", "ethereum", SPARK);

const ROWS: readonly Row[] = [
  on_aave("USDC", MAINNET.USDC),
  on_aave("USDT", MAINNET.USDT),
  on_aave("WETH", WETH),
  on_base("USDC", BASE_USDC),
  on_base("WETH", BASE_WETH),
  on_spark("USDC", MAINNET.USDC),
  on_spark("WETH", WETH),
  comet("ethereum", "0xc3d688B66703497DAA19211EEdff47f25384cdc3"),
  comet("base", "0xb125E6687d4313864e53df431d5425969c15Eb2F"),
  {
    ...{ project: "sky-savings", chain: "ethereum", symbol: "sUSDS", kind: "savings_rate", data: SELECTORS.ssr },
    ...{ contract: "0xa3931d71877C0E7a3148CB7Eb4463524FEc27fbD", is_stable: true },
  },
  share("lido", "wstETH", { to: "0x7f39C581F595B53c5cb19bD0b3f8dA6c935E2Ca0", data: SELECTORS.steth }),
  share("rocket-pool", "rETH", { to: "0xae78736Cd615f374D3085123A210448E74Fc6393", data: SELECTORS.rocket }),
  share("coinbase-cbeth", "cbETH", { to: "0xBe9895146f7AF43049ca1c1AE358B0541Ea49704", data: SELECTORS.coinbase }),
  share("ethena", "sUSDe", {
    to: "0x9D39A5DE30e57443BfF2A8307A4256c8797A3497",
    data: SELECTORS.assets + ONE,
    is_stable: true,
  }),
  share("ether-fi", "weETH", { to: "0xCd5fE23C85820F7B72D0926FC9b05b43E359b7ee", data: SELECTORS.etherfi }),
  share("frax-ether", "sfrxETH", { to: "0xac3E018457B222d93114458476f3E3416Abbe38F", data: SELECTORS.assets + ONE }),
  share("maker-dsr", "sDAI", {
    to: "0x83F20F44975D03b1b09e64809B757c47f942BEeA",
    data: SELECTORS.assets + ONE,
    is_stable: true,
  }),
  share("morpho", "steakUSDC", {
    to: "0xBEEF01735c132Ada46AA9aA4c54623cAA92A64CB",
    data: SELECTORS.assets + ONE,
    is_stable: true,
  }),
];

/** The protocols that are read, a row each; a new one is a row more. */
export const YIELD_READERS: readonly YieldReader[] = ROWS.map((row) => ({
  ...row,
  id: `${row.project}-${row.symbol.toLowerCase()}-${row.chain}`,
}));

const RAY = 1e27;
const WAD = 1e18;
const YEAR_S = 31_536_000;

/** A yearly rate paid every second, as a yield of a year, percent. */
export const compoundRate = (apr: number): number => (Math.exp(YEAR_S * Math.log1p(apr / YEAR_S)) - 1) * 100;
/** What a share's growth over some days is in a year, percent. */
export const annualise = (now: number, then: number, days: number): number => ((now / then) ** (365 / days) - 1) * 100;

export interface YieldSample {
  /** Of a year by the rate of now, percent; null where only a share price is told. */
  readonly rate_apy_pct: number | null;
  /** What a share is worth, in what it stands for. */
  readonly share_price: number | null;
  /** Whether deposits are stopped; null where the contract does not say. */
  readonly is_paused: boolean | null;
  readonly block_at_ms: number;
}

/** Bits of Aave's reserve configuration: frozen, paused. */
const [FROZEN_BIT, PAUSED_BIT] = [57n, 60n];
const toBig = (hex: string | undefined): bigint => BigInt(`0x${hex === undefined || hex === "" ? "0" : hex}`);

/** What a contract's words say; null where they are not what was agreed. */
export function readYield(kind: YieldKind, words: readonly string[] | null): Omit<YieldSample, "block_at_ms"> | null {
  if (!words || words.length === 0) return null;
  if (kind === "aave_pool") {
    if (words.length < 9) return null;
    const [config, , rate] = words;
    const flags = toBig(config);
    const is_paused = ((flags >> PAUSED_BIT) & 1n) === 1n || ((flags >> FROZEN_BIT) & 1n) === 1n;
    return { rate_apy_pct: compoundRate(Number(toBig(rate)) / RAY), share_price: null, is_paused };
  }
  const value = Number(toBig(words[0]));
  // A rate of each second: 1.0000000015... of Sky, 0.0000000012... of Compound.
  if (kind === "savings_rate")
    return { rate_apy_pct: (Math.exp(YEAR_S * Math.log(value / RAY)) - 1) * 100, share_price: null, is_paused: null };
  if (kind === "comet")
    return { rate_apy_pct: compoundRate((value / WAD) * YEAR_S), share_price: null, is_paused: null };
  return value > 0 ? { rate_apy_pct: null, share_price: value / WAD, is_paused: null } : null;
}
