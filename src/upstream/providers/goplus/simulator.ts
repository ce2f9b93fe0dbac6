import { defineSimulator, type SimulatedWorld } from "../../../catalog/simulator.ts";
import { unknownPath } from "../simulated-market.ts";
import {
  creatorOf,
  findTokenFacts,
  holderOf,
  ownerOf,
  poolAddressOf,
  poolPctOf,
} from "../simulated-tokens/find-token.ts";
import type { SimulatedTokenFacts } from "../simulated-tokens/types.ts";
import { answerAddressSecurity } from "./simulated-addresses.ts";
import { GOPLUS_CHAINS } from "./token-security.ts";

const PATH = /^\/(solana\/token_security|token_security\/(\d{1,6}))$/;
const DAY_MS = 86_400_000;
const ZERO = "0x0000000000000000000000000000000000000000";

const flag = (value: boolean): string => (value ? "1" : "0");
const percent = (pct: number): string => (pct / 100).toFixed(12);

/** It names ten, pools and burn addresses among them. */
const HOLDERS_LISTED = 10;

/** The pool and the holders, the largest first. */
function rankHolders(token: SimulatedTokenFacts) {
  const rows = [
    { owner: poolAddressOf(token), is_pool: true, percent: percent(poolPctOf(token)) },
    ...token.holders.map((pct, rank) => ({ owner: holderOf(token, rank), is_pool: false, percent: percent(pct) })),
  ];
  return rows.sort((a, b) => Number(b.percent) - Number(a.percent)).slice(0, HOLDERS_LISTED);
}

const renderEVMHolders = (token: SimulatedTokenFacts) =>
  rankHolders(token).map(({ owner, is_pool, percent }) => ({
    address: owner,
    tag: is_pool ? "UniswapV2" : "",
    is_contract: is_pool ? 1 : 0,
    percent,
    is_locked: 0,
  }));

const renderSolanaHolders = (token: SimulatedTokenFacts) =>
  rankHolders(token).map(({ owner, percent }) => ({ account: owner, percent, is_locked: 0 }));

function renderLPHolders(world: SimulatedWorld, token: SimulatedTokenFacts) {
  if (token.lp_locked_pct === null) return [];
  const ends = token.lp_unlocks_days === null ? undefined : new Date(world.now() + token.lp_unlocks_days * DAY_MS);
  const locked = {
    address: ZERO,
    tag: "Null Address",
    is_contract: 0,
    percent: percent(token.lp_locked_pct),
    is_locked: 1,
  };
  const detail = ends
    ? [{ amount: "1", end_time: ends.toISOString(), opt_time: "2026-01-01T00:00:00+00:00" }]
    : undefined;
  const free = {
    address: creatorOf(token),
    tag: "",
    is_contract: 0,
    percent: percent(100 - token.lp_locked_pct),
    is_locked: 0,
  };
  return [{ ...locked, ...(detail ? { address: ownerOf(token), tag: "UNCX", locked_detail: detail } : {}) }, free];
}

function renderEVM(world: SimulatedWorld, token: SimulatedTokenFacts) {
  const opinion = token.opinions ?? { sell_tax: token.sell_tax, is_honeypot: token.sells === "reverts" };
  return {
    token_name: token.name,
    token_symbol: token.symbol,
    total_supply: String(token.supply),
    holder_count: String(token.holder_count),
    is_honeypot: flag(opinion.is_honeypot),
    buy_tax: String(token.buy_tax),
    sell_tax: String(opinion.sell_tax),
    cannot_buy: "0",
    is_open_source: flag(token.open_source),
    is_proxy: flag(token.proxy !== "none"),
    is_mintable: flag(token.mint_authority),
    hidden_owner: flag(token.hidden_owner),
    owner_address:
      token.owner === "active" ? ownerOf(token) : token.owner === "renounced" && !token.owner_unseen ? ZERO : "",
    can_take_back_ownership: "0",
    owner_change_balance: flag(token.owner_changes_balance),
    selfdestruct: flag(token.selfdestruct),
    transfer_pausable: flag(token.paused),
    is_blacklisted: flag(token.freeze_authority),
    slippage_modifiable: flag(token.metadata_mutable),
    personal_slippage_modifiable: "0",
    trading_cooldown: "0",
    cannot_sell_all: flag(token.cannot_sell_all),
    honeypot_with_same_creator: token.prior_rug ? String(Math.max(1, token.prior_launches)) : "0",
    is_in_dex: "1",
    trust_list: flag(token.verified),
    ...(token.counterfeit ? { fake_token: { value: 1, true_token_address: ZERO } } : {}),
    creator_address: creatorOf(token),
    creator_percent: percent(token.creator_pct),
    holders: renderEVMHolders(token),
    lp_holders: renderLPHolders(world, token),
  };
}

function renderSolana(world: SimulatedWorld, token: SimulatedTokenFacts) {
  const power = (is_on: boolean) => ({
    status: flag(is_on),
    authority: is_on ? [{ address: ownerOf(token), malicious_address: token.malicious_creator ? 1 : 0 }] : [],
  });
  return {
    mintable: power(token.mint_authority),
    freezable: power(token.freeze_authority),
    closable: power(false),
    balance_mutable_authority: power(token.permanent_delegate),
    metadata_mutable: { status: flag(token.metadata_mutable), metadata_upgrade_authority: [] },
    transfer_fee: token.fee_bps === 0 ? {} : { current_fee_rate: { fee_rate: String(token.fee_bps / 10_000) } },
    transfer_hook: token.transfer_hook ? [{ address: ownerOf(token), malicious_address: 0 }] : [],
    non_transferable: flag(token.non_transferable),
    default_account_state: token.frozen_by_default ? "2" : "1",
    trusted_token: token.verified ? 1 : 0,
    creators: [{ address: creatorOf(token), malicious_address: token.malicious_creator ? 1 : 0 }],
    holder_count: String(token.holder_count),
    total_supply: String(token.supply),
    holders: renderSolanaHolders(token),
    lp_holders: renderLPHolders(world, token),
    dex: [
      {
        dex_name: "raydium",
        type: "Standard",
        tvl: String(token.liquidity_usd),
        burn_percent: token.lp_locked_pct ?? 0,
      },
    ],
  };
}

export const simulator = defineSimulator({
  provider: "goplus",
  respond({ path, query }, world) {
    const opinion = answerAddressSecurity(world, path);
    if (opinion) return opinion;
    const [, kind, id] = PATH.exec(path) ?? [];
    if (kind === undefined) return unknownPath();
    const chain = id === undefined ? "solana" : Object.entries(GOPLUS_CHAINS).find(([, one]) => one === id)?.[0];
    const address = query.get("contract_addresses") ?? "";
    const token = chain && findTokenFacts(world, chain, address);
    const row = token && (chain === "solana" ? renderSolana(world, token) : renderEVM(world, token));
    return {
      json: {
        code: 1,
        message: "OK",
        result: row ? { [chain === "solana" ? address : address.toLowerCase()]: row } : {},
      },
    };
  },
});
