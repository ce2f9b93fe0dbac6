import { type Computed, type Draft, missing, renderTime } from "intel-node";
import { warnOfWatch } from "../launches/factory-watch.ts";
import { NO_SOURCE } from "../written/words.ts";
import { CURVE, readCurve } from "./curve.ts";
import { describeFactories } from "./factories.ts";
import type { LaunchRow, PumpMonitorInputs } from "./fetch.ts";
import type { PumpCoinData, PumpMonitorData } from "./schema.ts";

const MINUTE_MS = 60_000;
const STALE_MS = 30 * MINUTE_MS;
const DEV_HEAVY_PCT = 10;
const SERIAL_LAUNCHES = 5;
const GAP_RATIO_MAX = 0.1;

const NO_CURVE = "its curve is not the standard one, or not known";
const LEFT_CURVE = "it left the curve, and a pool prices it";

function describeCoin(
  row: LaunchRow,
  seen: Pick<PumpMonitorInputs, "read_at_ms" | "prior" | "sol_usd">,
): Draft<PumpCoinData> {
  const curve = row.v_sol === null || row.v_tokens === null ? null : readCurve(row.v_sol, row.v_tokens);
  // A coin that left the curve is traded in a pool: its reserves are frozen, and their price no longer counts.
  const mcap_sol = curve && !row.is_complete ? curve.mcap_sol : null;
  const unpriced = row.is_complete ? LEFT_CURVE : NO_CURVE;
  const dev_buy_pct = row.initial_buy === null ? null : (row.initial_buy / CURVE.supply) * 100;
  const prior = seen.prior.get(row.token) ?? 0;
  const flags: readonly (readonly [PumpCoinData["flags"][number], boolean])[] = [
    ["dev_heavy", (dev_buy_pct ?? 0) >= DEV_HEAVY_PCT],
    ["serial_creator", prior >= SERIAL_LAUNCHES],
    ["stale", row.last_trade_at_ms !== null && seen.read_at_ms - row.last_trade_at_ms > STALE_MS],
    ["non_standard_curve", curve !== null && !curve.is_standard],
  ];
  return {
    mint: row.token,
    source: row.source,
    symbol: row.symbol,
    name: row.name,
    progress_pct: curve?.progress_pct ?? missing(NO_CURVE),
    sol_raised: curve?.sol_raised ?? missing(NO_CURVE),
    mcap_sol: mcap_sol ?? missing(unpriced),
    mcap_usd:
      mcap_sol === null
        ? missing(unpriced)
        : seen.sol_usd === null
          ? missing("no price of SOL")
          : mcap_sol * seen.sol_usd,
    age_min: Math.max(0, seen.read_at_ms - row.created_at_ms) / MINUTE_MS,
    creator: row.creator ?? missing(NO_SOURCE),
    dev_buy_pct: dev_buy_pct ?? missing("the stream did not tell"),
    creator_prior_launches: prior,
    last_trade_at: row.last_trade_at_ms === null ? missing(NO_SOURCE) : renderTime(row.last_trade_at_ms),
    flags: flags.flatMap(([flag, holds]) => (holds ? [flag] : [])),
  };
}

export function computePumpMonitor(inputs: PumpMonitorInputs): Computed<Draft<PumpMonitorData>> {
  const { from_ms, to_ms, gap_ms, creates, migrations, near, newest } = inputs;
  const is_watched = gap_ms <= GAP_RATIO_MAX * (to_ms - from_ms);
  const minutes = Math.max(1, Math.min(10, (to_ms - from_ms) / MINUTE_MS));
  const rate = is_watched && creates.hours_24 > 0 ? migrations.hours_24 / creates.hours_24 : null;
  return {
    as_of_ms: to_ms,
    data: {
      window: { from: renderTime(from_ms), to: renderTime(to_ms), gap_seconds: gap_ms / 1000 },
      launches_per_min: creates.minutes_10 / minutes,
      creates_1h: creates.hour_1,
      creates_24h: creates.hours_24,
      migrations_1h: migrations.hour_1,
      migrations_24h: migrations.hours_24,
      graduation_rate_24h: rate ?? missing("more than a tenth of the window was not watched, or nothing was launched"),
      near_graduation: near.map((row) => describeCoin(row, inputs)),
      newest: newest.map((row) => describeCoin(row, inputs)),
      recent_migrations: migrations.newest.map(({ token, pool, migrated_at_ms }) => ({
        mint: token,
        pool: pool ?? missing(NO_SOURCE),
        at: renderTime(migrated_at_ms ?? to_ms),
      })),
      factories: inputs.factories.map(describeFactories),
    },
    warnings: [
      ...inputs.factories.flatMap(({ watch }) => warnOfWatch("factories", watch, inputs.read_at_ms)),
      "near_graduation, newest, recent_migrations: what the launchpad's list and stream " +
        "showed; coins nobody listed are missing",
      ...[...inputs.disputed].map(
        ([mint, sources]) => `creator: ${sources} do not name the same creator of ${mint}; /rugcheck shows both`,
      ),
    ],
  };
}
