import type { SimulatedWorld } from "../../../catalog/simulator.ts";
import { createLaunchIndex } from "./launch-index.ts";
import type { SimulatedTokenFacts } from "./types.ts";
import { HONEST, inventAddress } from "./zoo.ts";

/** A token is launched on the simulated launchpad this often. */
const LAUNCH_EVERY_MS = 120_000;
const MINUTE_MS = 60_000;
const DAY_LAUNCHES = 720;

/** The launchpad's curve: 30 SOL and 1,073,000,000 tokens to start with, 793,100,000 of them for sale. */
const CURVE = { sol: 30, tokens: 1_073_000_000, sold: 793_100_000 };

export interface SimulatedLaunch {
  readonly index: number;
  readonly at_ms: number;
  readonly creator: string;
  readonly token: SimulatedTokenFacts;
  /** Tokens the creator bought at once. */
  readonly initial_buy: number;
  readonly v_sol: number;
  readonly v_tokens: number;
  readonly is_graduated: boolean;
}

const addressOf = (index: number): string => inventAddress("solana", `launch ${index}`);
const findIndex = createLaunchIndex(addressOf, DAY_LAUNCHES);

/** How a launch went on is drawn once; how far it is depends on the time. */
function describeLaunch(world: SimulatedWorld, index: number): SimulatedLaunch {
  const draw = (what: string) => world.noise(`launch ${index} ${what}`);
  const at_ms = index * LAUNCH_EVERY_MS + Math.floor(draw("second") * 60_000);
  const age_min = Math.max(0, (world.now() - at_ms) / MINUTE_MS);
  const appetite = draw("appetite") ** 2;
  const dev_share = 0.002 + 0.12 * draw("dev") ** 2;
  const progress = Math.min(1.05, dev_share / 0.7931 + appetite * (1 - Math.exp(-age_min / 40)) * 1.25);
  const is_graduated = progress >= 1;
  const v_tokens = CURVE.tokens - Math.min(1, progress) * CURVE.sold;
  const v_sol = (CURVE.sol * CURVE.tokens) / v_tokens;
  const sol_usd = world.price("SOL");
  const is_clean = appetite > 0.35 && draw("clean") > 0.4;
  const liquidity_usd = is_graduated ? 2 * v_sol * sol_usd * (1 + appetite * 3) : (v_sol - CURVE.sol) * sol_usd;
  const serial = draw("serial");
  const buys_h1 = Math.round(20 + 600 * appetite);
  const id = `launch-${index}`;
  const creator = inventAddress("solana", `creator ${index % 97}`);
  const token: SimulatedTokenFacts = {
    ...HONEST,
    id,
    creator,
    chain: "solana",
    address: addressOf(index),
    truth: is_clean ? "caution" : "trap",
    name: `Simulated coin ${index % 10_000}`,
    symbol: `SIM${index % 10_000}`,
    decimals: 6,
    price_usd: (v_sol / v_tokens) * sol_usd,
    age_min,
    venue: is_graduated ? "amm" : "curve",
    liquidity_usd,
    lp_locked_pct: is_graduated ? 100 : null,
    volume_h1_usd: liquidity_usd * (0.2 + appetite),
    volume_h24_usd: liquidity_usd * (0.4 + 2 * appetite),
    buys_h1,
    sells_h1: Math.round(buys_h1 * (is_clean ? 0.6 : 0.15 + 0.3 * draw("sells"))),
    holders: HONEST.holders.map((pct) => pct * (is_clean ? 1 : 1 + 2 * draw("crowd"))),
    holder_count: Math.round(30 + 900 * appetite),
    creator_pct: dev_share * 100 * 0.6,
    prior_launches: serial > 0.6 ? Math.round((serial - 0.6) * 60) : 0,
    prior_rug: serial > 0.93,
    insider_pct: is_clean ? 1 : 18 * draw("insider"),
    bundle_pct: is_clean ? 0.5 : 20 * draw("bundle"),
    creator_sold: is_clean ? 0 : draw("sold"),
    verified: false,
    has_link: draw("link") > 0.5,
    alarm: is_clean ? 5 : Math.round(60 * draw("alarm")),
    freeze_authority: draw("freeze") > 0.96,
    metadata_mutable: draw("mutable") > 0.8,
  };
  const initial_buy = dev_share * 1e9;
  return {
    index,
    at_ms,
    creator,
    token,
    initial_buy,
    v_sol,
    v_tokens,
    is_graduated,
  };
}

const newestIndex = (world: SimulatedWorld): number => Math.floor((world.now() - 60_000) / LAUNCH_EVERY_MS);

/** The newest launches, newest first. */
export function listSimulatedLaunches(world: SimulatedWorld, limit: number): readonly SimulatedLaunch[] {
  const newest = newestIndex(world);
  return Array.from({ length: Math.min(limit, DAY_LAUNCHES) }, (_, back) => describeLaunch(world, newest - back));
}

/** The launch of a mint of the last day. */
export function findSimulatedLaunch(world: SimulatedWorld, mint: string): SimulatedLaunch | undefined {
  const index = findIndex(mint, newestIndex(world));
  return index === null ? undefined : describeLaunch(world, index);
}
