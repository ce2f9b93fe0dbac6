import { defineSimulator, type SimulatedWorld } from "intel-node";
import { unknownPath } from "intel-node/providers/simulated-market";
import { creatorOf, findTokenFacts } from "intel-node/providers/simulated-tokens/find-token";
import {
  findSimulatedLaunch,
  listSimulatedLaunches,
  type SimulatedLaunch,
} from "intel-node/providers/simulated-tokens/launches";
import { inventAddress } from "intel-node/providers/simulated-tokens/zoo";

const TRADES = /^\/v2\/coins\/([1-9A-HJ-NP-Za-km-z]{32,44})\/trades$/;
const SLOT_MS = 400;
const LISTED = 50;

const renderCoin = (world: SimulatedWorld, launch: SimulatedLaunch) => ({
  mint: launch.token.address,
  name: launch.token.name,
  symbol: launch.token.symbol,
  creator: launch.creator,
  created_timestamp: launch.at_ms,
  complete: launch.is_graduated,
  virtual_sol_reserves: Math.round(launch.v_sol * 1e9),
  virtual_token_reserves: Math.round(launch.v_tokens * 1e6),
  real_sol_reserves: Math.round((launch.v_sol - 30) * 1e9),
  total_supply: 1e15,
  last_trade_timestamp: Math.max(launch.at_ms, Math.floor(world.now()) - ((launch.index * 7_919) % 3_000_000)),
  pump_swap_pool: launch.is_graduated ? inventAddress("solana", `pool of ${launch.token.id}`) : null,
});

type Tape = Pick<SimulatedLaunch, "token" | "creator" | "at_ms" | "initial_buy">;

/** A token with known truth, as if it had been launched there. */
function findKnown(world: SimulatedWorld, mint: string): Tape | undefined {
  const token = findTokenFacts(world, "solana", mint);
  if (!token) return undefined;
  const at_ms = Math.round(world.now() - token.age_min * 60_000);
  return { token, creator: creatorOf(token), at_ms, initial_buy: token.creator_pct * 1e7 + 1 };
}

/** The creator's buy, then those of the same bundle, then the public; newest first, as it is served. */
function listTrades({ token, creator, at_ms, initial_buy }: Tape) {
  const slot = 370_000_000 + Math.floor((at_ms - 1_790_000_000_000) / SLOT_MS);
  type Made = { at: number; wallet: string; type: "buy" | "sell"; tokens: number };
  const trade = (n: number, { at, wallet, type, tokens }: Made) => ({
    slotIndexId: `${String(at).padStart(12, "0")}${String(n).padStart(8, "0")}`,
    tx: `tx${token.id}x${n}`,
    timestamp: new Date(at_ms + (at - slot) * SLOT_MS).toISOString(),
    userAddress: wallet,
    type,
    program: "pump",
    amountSol: "0.5",
    baseAmount: String(tokens),
  });
  const bundle = (token.bundle_pct / 100) * 1e9;
  const wallet = (n: number) => inventAddress("solana", `buyer ${n} of ${token.id}`);
  return [
    trade(0, { at: slot, wallet: creator, type: "buy", tokens: initial_buy }),
    ...[0, 1, 2, 3].map((n) =>
      trade(1 + n, { at: slot + (n % 2), wallet: wallet(n), type: "buy", tokens: bundle / 4 }),
    ),
    ...[5, 6, 7, 8, 9, 10].map((n) =>
      trade(n, { at: slot + n * 20, wallet: wallet(n), type: n % 3 === 0 ? "sell" : "buy", tokens: 1_200_000 }),
    ),
    ...(token.creator_sold > 0
      ? [trade(20, { at: slot + 400, wallet: creator, type: "sell", tokens: initial_buy * token.creator_sold })]
      : []),
  ].reverse();
}

export const simulator = defineSimulator({
  provider: "pump_fun",
  respond({ path }, world) {
    if (path === "/coins")
      return { json: listSimulatedLaunches(world, LISTED).map((launch) => renderCoin(world, launch)) };
    const mint = TRADES.exec(path)?.[1] ?? "";
    const tape = findSimulatedLaunch(world, mint) ?? findKnown(world, mint);
    if (!tape) return unknownPath();
    return { json: { trades: listTrades(tape), pagination: { nextCursor: null, hasMore: false, limit: 100 } } };
  },
});
