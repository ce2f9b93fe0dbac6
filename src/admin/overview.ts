import { renderTime } from "../core/clock.ts";
import { renderUSD } from "../core/money.ts";
import type { ChannelTotals } from "../ledger/channel-rows.ts";
import type { MoneySummary, UnlandedHour } from "../ledger/money.ts";
import type { ReceiptRow } from "../ledger/receipts.ts";
import { listLeftOut } from "../payments/facilitators/left-out.ts";
import { networkById } from "../payments/networks/table.ts";
import type { OperatedCore, OperatedParts } from "./operated-node.ts";
import { renderMoney } from "./render-money.ts";

const DAY_MS = 86_400_000;
const DAYS = 30;
const SALES_SHOWN = 10;

/** One settled payment as the operator sees it. */
export const renderSale = (row: ReceiptRow) => ({
  receipt_id: row.id,
  settled_at: renderTime(row.settled_at_ms),
  product: row.product,
  amount_usd: renderUSD(row.amount),
  amount_atomic: row.amount.toString(),
  authorized_atomic: row.authorized?.toString() ?? null,
  payer: row.payer,
  network: row.network,
  transaction: row.chain_transaction,
  explorer_url: networkById(row.network)?.explorerUrl(row.chain_transaction) ?? null,
  label: row.label,
  on_chain: row.on_chain ?? "unchecked",
});

type Totals = Awaited<ReturnType<OperatedCore["ledger"]["receipts"]["totals"]>>;

const renderTotals = ({ organic, "operator-test": own }: Totals) => ({
  organic: { count: organic.count, usd: renderUSD(organic.amount) },
  operator_test: { count: own.count, usd: renderUSD(own.amount) },
});

interface UnlandedSince {
  readonly unlanded: readonly UnlandedHour[];
  readonly start_ms: number;
}
/** What came in: what never landed is taken off. */
function lessUnlanded(totals: Totals, { unlanded, start_ms }: UnlandedSince): Totals {
  const less = (name: keyof Totals) => {
    const missing = unlanded.filter(({ label, from_ms }) => label === name && from_ms >= start_ms);
    return {
      count: totals[name].count - missing.reduce((sum, { count }) => sum + count, 0),
      amount: totals[name].amount - missing.reduce((sum, { amount }) => sum + amount, 0n),
    };
  };
  return { organic: less("organic"), "operator-test": less("operator-test") };
}

/** What payments brought since the beginning of today (UTC), of 7 and of 30 days, and of each day. */
async function readReceived({ ledger, clock }: OperatedCore) {
  const today_ms = Math.floor(clock.now() / DAY_MS) * DAY_MS;
  const starts = Array.from({ length: DAYS }, (_, age) => today_ms - age * DAY_MS);
  const unlanded = await ledger.money.listUnlanded(starts.at(-1) ?? today_ms);
  const since = await Promise.all(
    starts.map(async (start_ms) => lessUnlanded(await ledger.receipts.totals(start_ms), { unlanded, start_ms })),
  );
  const at = (age: number): Totals => since[age] as Totals;
  return {
    today: renderTotals(at(0)),
    days_7: renderTotals(at(6)),
    days_30: renderTotals(at(DAYS - 1)),
    by_day: starts
      .map((start_ms, age) => {
        const later = age === 0 ? null : at(age - 1).organic;
        const { count, amount } = at(age).organic;
        const own = { count: count - (later?.count ?? 0), amount: amount - (later?.amount ?? 0n) };
        return { day: renderTime(start_ms).slice(0, 10), payments: own.count, usd: renderUSD(own.amount) };
      })
      .toReversed(),
  };
}

const renderChannels = ({ network, channels, withdrawing, ...sums }: ChannelTotals) => ({
  network,
  open: channels,
  withdrawing,
  owed_usd: renderUSD(sums.owed),
  earned_usd: renderUSD(sums.earned),
  unclaimed_usd: renderUSD(sums.unclaimed),
  claimed_usd: renderUSD(sums.earned - sums.unclaimed),
  swept_usd: renderUSD(sums.swept),
  lost_usd: renderUSD(sums.lost),
});

function sumByCode(counts: readonly ReadonlyMap<string, number>[]): Readonly<Record<string, number>> {
  const sums = new Map<string, number>();
  for (const codes of counts) for (const [code, count] of codes) sums.set(code, (sums.get(code) ?? 0) + count);
  return Object.fromEntries([...sums].sort());
}

interface OverviewParts extends OperatedParts {
  /** What the shop made so far; asked of the books now and then. */
  readonly money_to_date: () => Promise<MoneySummary>;
}

/** How the node does, and what it earned. */
export async function readOverview(version: string, core: OperatedCore, parts: OverviewParts) {
  const { ledger, clock, stats, started_at_ms, catalog } = core;
  const { status, reasons_for_operator: reasons, unavailable } = parts.states.read();
  const { pool } = parts.money;
  const { spent, per_minute, refused } = parts.gate.prepaid.work.totals();
  const products = [...stats.totals().products.values()];
  return {
    version,
    status,
    reasons,
    now: renderTime(clock.now()),
    started_at: renderTime(started_at_ms),
    uptime_s: Math.floor((clock.now() - started_at_ms) / 1000),
    received: await readReceived(core),
    prepaid_owed_usd: renderUSD(await ledger.keys.credits()),
    money: renderMoney(await parts.money_to_date()),
    channels: (await ledger.channels.totals()).map(renderChannels),
    last_24h: stats.last24h(),
    latency_ms: { key: stats.paidLatency("key"), x402: stats.paidLatency("payment") },
    uncharged_failures: sumByCode(products.map(({ failed }) => failed)),
    refusals: sumByCode(products.map(({ refused: codes }) => codes)),
    unpaid_work: { units: Math.round(spent * 10) / 10, per_minute, refused },
    networks: pool.status().flatMap(({ id, ok, networks }) => networks.map((network) => ({ network, ok, by: id }))),
    networks_left_out: listLeftOut(pool),
    products: { sold: catalog.products.length, off_sale: unavailable.length, withheld: catalog.withheld.length },
    open_alerts: parts.alerts.list(),
    unknown_settlements: await ledger.landings.countUnknown(),
    memory_mb: Math.round(process.memoryUsage().rss / 1e6),
    sales: (await ledger.receipts.list({ limit: SALES_SHOWN })).map(renderSale),
  };
}
