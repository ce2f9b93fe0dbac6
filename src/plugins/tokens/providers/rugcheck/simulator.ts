import { defineSimulator } from "intel-node";
import { unknownPath } from "intel-node/providers/simulated-market";
import {
  creatorOf,
  findTokenFacts,
  holderOf,
  ownerOf,
  poolAddressOf,
  poolPctOf,
} from "intel-node/providers/simulated-tokens/find-token";
import type { SimulatedTokenFacts } from "intel-node/providers/simulated-tokens/types";

const PATH = /^\/tokens\/([1-9A-HJ-NP-Za-km-z]{32,44})\/report$/;

const raw = (token: SimulatedTokenFacts, pct: number): number => (token.supply * 10 ** token.decimals * pct) / 100;

function renderReport(token: SimulatedTokenFacts) {
  const pool = poolAddressOf(token);
  const holder = (owner: string, pct: number) => ({
    address: `acct${owner.slice(4)}`,
    owner,
    pct,
    insider: false,
    amount: raw(token, pct),
  });
  const lp = {
    lpLockedPct: token.lp_locked_pct ?? 0,
    lpLockedUSD: 0,
    baseUSD: token.liquidity_usd / 2,
    quoteUSD: token.liquidity_usd / 2,
  };
  const market_type = token.venue === "curve" ? "pump_fun" : token.venue === "amm" ? "pump_fun_amm" : "orca_whirlpool";
  const locks = token.venue === "amm" ? lp : { ...lp, lpLockedPct: null };
  return {
    mint: token.address,
    tokenProgram: "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
    creator: creatorOf(token),
    creatorBalance: raw(token, token.creator_pct),
    token: {
      mintAuthority: token.mint_authority ? ownerOf(token) : null,
      freezeAuthority: token.freeze_authority ? ownerOf(token) : null,
      supply: raw(token, 100),
      decimals: token.decimals,
    },
    tokenMeta: {
      name: token.name,
      symbol: token.symbol,
      uri: "",
      mutable: token.metadata_mutable,
      updateAuthority: "",
    },
    topHolders: [
      holder(pool, poolPctOf(token)),
      ...token.holders.map((pct, rank) => holder(holderOf(token, rank), pct)),
    ],
    risks: token.prior_rug ? [{ name: "Creator history of rugged tokens", level: "danger", score: 10_000 }] : [],
    score: token.alarm * 300,
    score_normalised: token.alarm,
    rugged: token.rugged,
    markets: [
      {
        pubkey: pool,
        marketType: market_type,
        liquidityA: `${pool.slice(0, 30)}A`,
        liquidityB: `${pool.slice(0, 30)}B`,
        lp: locks,
      },
    ],
    knownAccounts: { [pool]: { name: "Pool", type: "AMM" } },
    totalMarketLiquidity: token.liquidity_usd,
    totalHolders: token.holder_count,
    graphInsidersDetected: Math.round(token.insider_pct),
    insiderNetworks:
      token.insider_pct > 0
        ? [{ id: "net", size: 4, type: "transfer", tokenAmount: raw(token, token.insider_pct), activeAccounts: 3 }]
        : [],
    creatorTokens: Array.from({ length: token.prior_launches }, (_, n) => ({ mint: `mint${n}`, marketCap: 0 })),
  };
}

export const simulator = defineSimulator({
  provider: "rugcheck",
  respond({ path }, world) {
    const [, mint] = PATH.exec(path) ?? [];
    if (mint === undefined) return unknownPath();
    const token = findTokenFacts(world, "solana", mint);
    return token ? { json: renderReport(token) } : { status: 400, json: { error: "unable to generate report" } };
  },
});
