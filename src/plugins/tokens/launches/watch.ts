import { type JobContext, outcomeOf, type RowOf } from "intel-node";
import { fetchPumpCoins, type PumpCoin } from "../providers/pump-fun/coins.ts";
import { pumpFun } from "../providers/pump-fun/provider.ts";
import { drainPumpEvents, type PumpEvent } from "../providers/pumpportal/launches.ts";
import { pumpportal } from "../providers/pumpportal/provider.ts";
import { cleanId, cleanName, cleanSymbol } from "../text/clean-text.ts";
import { launches, watches } from "./tables.ts";

type Launch = RowOf<typeof launches.columns>;

const fromCoin = (coin: PumpCoin, known: Launch | undefined, now_ms: number): Launch => ({
  chain: "solana",
  token: coin.mint,
  name: cleanName(coin.name),
  symbol: cleanSymbol(coin.symbol),
  creator: coin.creator,
  created_at_ms: coin.created_at_ms,
  source: known?.source ?? "pump_fun",
  initial_buy: known?.initial_buy ?? null,
  v_sol: coin.v_sol,
  v_tokens: coin.v_tokens,
  is_complete: coin.is_complete,
  pool: coin.pool,
  migrated_at_ms: known?.migrated_at_ms ?? (coin.is_complete ? (coin.last_trade_at_ms ?? now_ms) : null),
  last_trade_at_ms: coin.last_trade_at_ms,
  seen_at_ms: now_ms,
});

type Create = Extract<PumpEvent, { txType: "create" }>;
const fromEvent = (event: Create, known: Launch | undefined, at_ms: number): Launch => ({
  chain: "solana",
  token: event.mint,
  name: cleanName(event.name),
  symbol: cleanSymbol(event.symbol),
  creator: event.traderPublicKey,
  created_at_ms: known?.created_at_ms ?? at_ms,
  source: "pumpportal",
  initial_buy: event.initialBuy,
  v_sol: known?.v_sol ?? event.vSolInBondingCurve,
  v_tokens: known?.v_tokens ?? event.vTokensInBondingCurve,
  is_complete: known?.is_complete ?? false,
  pool: known?.pool ?? null,
  migrated_at_ms: known?.migrated_at_ms ?? null,
  last_trade_at_ms: known?.last_trade_at_ms ?? at_ms,
  seen_at_ms: at_ms,
});

async function readKnown(context: JobContext, tokens: readonly string[]): Promise<ReadonlyMap<string, Launch>> {
  if (tokens.length === 0) return new Map();
  const rows = await context.table(launches).find({ where: { chain: "solana", token: { in: tokens.slice(0, 500) } } });
  return new Map(rows.map((row) => [row.token, row]));
}

/** The stream's messages since the last run; empty where it is off or silent. */
async function drainStream(context: JobContext): Promise<number | null> {
  if (!context.usable(pumpportal)) return null;
  const drained = await outcomeOf((async () => drainPumpEvents(context))());
  if (!drained.ok) return null;
  const { messages, listening_since_ms } = drained.value;
  const known = await readKnown(
    context,
    messages.map(({ value }) => value.mint),
  );
  const rows = new Map<string, Launch>();
  for (const { at_ms, value } of messages) {
    const row = rows.get(value.mint) ?? known.get(value.mint);
    if (value.txType === "create") rows.set(value.mint, fromEvent(value, row, at_ms));
    else if (row)
      rows.set(value.mint, { ...row, is_complete: true, migrated_at_ms: at_ms, pool: cleanId(value.pool) ?? row.pool });
  }
  await context.table(launches).put([...rows.values()]);
  const gap_ms = Math.max(0, ...drained.value.gaps.map(({ to_ms }) => to_ms));
  return listening_since_ms === null ? null : Math.max(listening_since_ms, gap_ms);
}

/**
 * Writes the launchpad's newest coins and the stream's messages into the table, and notes since when nothing can have
 * been missed: a list of 50 that does not reach back to the last look leaves a gap, unless the stream was open.
 * @throws UpstreamError when neither answers.
 */
export async function watchLaunches(context: JobContext): Promise<void> {
  const { now_ms } = context;
  const streamed_since_ms = await drainStream(context);
  const [newest, traded] = await Promise.all(
    (["created_timestamp", "last_trade_timestamp"] as const).map((sort) => outcomeOf(fetchPumpCoins(context, sort))),
  );
  const coins = [newest, traded].flatMap((list) => (list?.ok ? list.value : []));
  if (coins.length === 0 && streamed_since_ms === null)
    throw newest && !newest.ok ? newest.error : new Error(`${pumpFun.id} is off`);
  const known = await readKnown(
    context,
    coins.map(({ mint }) => mint),
  );
  const rows = new Map(coins.map((coin) => [coin.mint, fromCoin(coin, known.get(coin.mint), now_ms)]));
  await context.table(launches).put([...rows.values()]);
  const listed_since_ms = newest?.ok ? Math.min(...newest.value.map(({ created_at_ms }) => created_at_ms)) : now_ms;
  const since_ms = Math.min(listed_since_ms, streamed_since_ms ?? now_ms);
  const last = await context.table(watches).first({ where: { is_gap: false }, order: ["-to_ms"] });
  const gap =
    last && last.to_ms < since_ms ? [{ from_ms: last.to_ms, to_ms: since_ms, is_gap: true, at_ms: now_ms }] : [];
  await context.table(watches).insert([...gap, { from_ms: since_ms, to_ms: now_ms, is_gap: false, at_ms: now_ms }]);
}
