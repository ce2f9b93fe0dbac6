import type { WalletScreens } from "../screens/screens.ts";
import type { WalletProfile } from "./wallet.ts";

/** What tests of the wallet products start from: a plain wallet with nothing against it. */
export const NOW_MS = Date.UTC(2026, 9, 1, 12);
export const WALLET = "0x52908400098527886e0f7030069857d2e4169ee7";
const DAY_MS = 86_400_000;

export const makeProfile = (change: Partial<WalletProfile> = {}): WalletProfile => ({
  address: WALLET,
  kind: "evm",
  read_at_ms: NOW_MS,
  missing: [],
  account_type: "eoa",
  delegate: null,
  multisig: null,
  chains: ["ethereum", "base"],
  holdings: [],
  tx_count: 100,
  first_seen_ms: NOW_MS - 730 * DAY_MS,
  is_first_lower_bound: false,
  last_active_ms: NOW_MS - DAY_MS,
  transactions: [],
  active_months: 10,
  ...change,
});

const said = (chain: "ethereum" | "base", frozen: Readonly<Record<string, boolean | null>>) => ({
  chain,
  block_at_ms: NOW_MS,
  is_sanctioned: false,
  frozen,
});

export const makeScreens = (change: Partial<WalletScreens> = {}): WalletScreens => ({
  listed: [],
  is_ofac_fresh: true,
  labels: [],
  malicious_contracts: 0,
  listed_counterparties: [],
  flags: { ethereum: said("ethereum", { USDC: false, USDT: false }), base: said("base", { USDC: false }) },
  ...change,
});
