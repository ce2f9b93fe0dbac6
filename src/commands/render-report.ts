import { renderMoney } from "../admin/render-money.ts";
import { renderTime } from "../core/clock.ts";
import { renderCSVRow } from "../core/csv.ts";
import { escapeInvisible } from "../core/foreign-text.ts";
import { renderUSD } from "../core/money.ts";
import { listFigures, type MoneySummary } from "../ledger/money.ts";
import type { LedgerReport, MoneyRow, RevenueAccess, Sum } from "../ledger/report.ts";

/** Revenue without a delivery: credit not used in time, losses of channels, corrections. */
const BESIDE: ReadonlySet<RevenueAccess> = new Set(["expiry", "channel_loss", "correction"]);
const isSold = ({ access }: MoneyRow): boolean => !BESIDE.has(access);
/** Sums of deliveries, which are `sold`, and of everything else that moved revenue. */
const splitRevenue = ({ revenue }: LedgerReport) => ({
  sold: revenue.filter(isSold),
  beside: revenue.filter((row) => !isSold(row)),
});

/** One line of a report, in a form common to all its parts. */
interface Line extends Sum {
  readonly section: string;
  readonly product?: string | null;
  readonly access?: string | null;
  readonly network?: string | null;
  readonly label?: string | null;
}

const COLUMNS = ["section", "product", "access", "network", "label", "count", "amount_atomic", "amount_usd"] as const;

function linesOf(report: LedgerReport): readonly Line[] {
  const { received, promotion, unused_gifts, liability, channels, unknown, networks } = report;
  const { sold, beside } = splitRevenue(report);
  const money = (section: string) => (row: MoneyRow) => ({ section, ...row });
  return [
    ...listFigures(report.money).map(({ name, count, amount }) => ({
      section: "total",
      access: name,
      count: count ?? 0,
      amount,
    })),
    ...sold.map(money("sold")),
    ...beside.map(money("other_revenue")),
    ...received.map(money("settled")),
    ...promotion.map(({ account, ...sum }) => ({ section: "promotion", access: account, ...sum })),
    { section: "unused_gifts", ...unused_gifts },
    { section: "liability", ...liability },
    ...channels.map(({ move, ...row }) => ({ section: `channel_${move}`, ...row })),
    ...unknown.map((row) => ({ section: "unknown", ...row })),
    ...networks.flatMap(({ network, receipts, booked, difference, landings }) => [
      { section: "receipts_to_date", network, ...receipts },
      { section: "booked_to_date", network, count: receipts.count, amount: booked },
      { section: "chain_difference", network, count: difference === 0n ? 0 : 1, amount: difference },
      ...Object.entries(landings).map(([state, sum]) => ({ section: `landing_${state}`, network, ...sum })),
    ]),
  ];
}

/** The whole report as one table with one header. */
export function renderReportCSV(report: LedgerReport): string {
  const rows = linesOf(report).map(({ section, product, access, network, label, count, amount }) =>
    renderCSVRow([section, product, access, network, label, count, String(amount), renderUSD(amount)]),
  );
  return `${[COLUMNS.join(","), ...rows].join("\n")}\n`;
}

const sumOf = (rows: readonly Sum[]): Sum => ({
  count: rows.reduce((total, row) => total + row.count, 0),
  amount: rows.reduce((total, row) => total + row.amount, 0n),
});

const renderSum = ({ count, amount }: Sum) => ({
  count,
  amount_atomic: amount.toString(),
  amount_usd: renderUSD(amount),
});
const withSum = <T extends Sum>({ count, amount, ...rest }: T) => ({ ...rest, ...renderSum({ count, amount }) });

/** The report for machines; `until` is not part of the period. */
export function renderReportJSON(report: LedgerReport): string {
  const { sold, beside } = splitRevenue(report);
  return JSON.stringify({
    from: renderTime(report.from_ms),
    until: renderTime(report.until_ms),
    money: renderMoney(report.money),
    sold: { total: renderSum(sumOf(sold)), rows: sold.map(withSum) },
    other_revenue: { total: renderSum(sumOf(beside)), rows: beside.map(withSum) },
    settled: { total: renderSum(sumOf(report.received)), rows: report.received.map(withSum) },
    promotion: { total: renderSum(sumOf(report.promotion)), rows: report.promotion.map(withSum) },
    unused_gifts: renderSum(report.unused_gifts),
    liability: renderSum(report.liability),
    channels: report.channels.map(withSum),
    unknown: { total: renderSum(sumOf(report.unknown)), rows: report.unknown.map(withSum) },
    networks: report.networks.map(({ network, receipts, booked, difference, landings }) => ({
      network,
      receipts: renderSum(receipts),
      booked_atomic: booked.toString(),
      difference_atomic: difference.toString(),
      landings: Object.fromEntries(Object.entries(landings).map(([state, sum]) => [state, renderSum(sum)])),
    })),
  });
}

const padLine = (name: string, { count, amount }: Sum): string =>
  `  ${escapeInvisible(name).padEnd(84)} ${String(count).padStart(9)} ${renderUSD(amount).padStart(18)}`;

/** The figures of a period for people, each with what it means. */
const renderFigures = (money: MoneySummary): readonly string[] =>
  listFigures(money).map(
    ({ name, meaning, count, amount }) =>
      `  ${name.replace("_", " ").padEnd(16)}${meaning.padEnd(68)} ${String(count ?? "").padStart(9)} ` +
      renderUSD(amount).padStart(18),
  );

function renderSection(title: string, rows: readonly (Sum & { readonly name: string })[]): readonly string[] {
  if (rows.length === 0) return [`${title}: none`];
  return [title, ...rows.map((row) => padLine(row.name, row)), padLine("total", sumOf(rows))];
}

const nameOf = ({ access, product, network, label }: MoneyRow): string =>
  [access, product, network, label].filter((part) => part !== null).join("  ");

/** The report for people: count and USD per line. */
export function renderReportText(report: LedgerReport): string {
  const { received, promotion, unused_gifts, liability, channels, unknown, networks } = report;
  const { sold, beside } = splitRevenue(report);
  const named = (row: MoneyRow) => ({ name: nameOf(row), count: row.count, amount: row.amount });
  const lines = [
    `${renderTime(report.from_ms)} until ${renderTime(report.until_ms)}, in USD`,
    ...renderFigures(report.money),
    ...renderSection("sold, whoever paid for it", sold.map(named)),
    ...(beside.length === 0 ? [] : renderSection("other revenue", beside.map(named))),
    ...renderSection("settled, as facilitators say", received.map(named)),
    ...renderSection(
      "given away",
      promotion.map(({ account, ...sum }) => ({ name: account, ...sum })),
    ),
    padLine("of gifts, revoked or expired unused", unused_gifts),
    "owed at the end",
    padLine("unspent credit, by keys", liability),
    // There is no sum here, because the same money is earned, claimed and swept.
    ...(channels.length === 0 ? [] : ["payment channels"]),
    ...channels.map(({ network, move, ...sum }) =>
      padLine(`${network}  ${move === "owed" ? "owed to payers" : move}`, sum),
    ),
    ...renderSection(
      "settlements whose outcome is unknown now",
      unknown.map(({ network, ...sum }) => ({ name: network, ...sum })),
    ),
    "books against receipts and chain, from the beginning",
    ...networks.flatMap(({ network, receipts, difference, landings }) => [
      padLine(`${network}  receipts`, receipts),
      padLine(`${network}  difference to the books`, { count: difference === 0n ? 0 : 1, amount: difference }),
      ...Object.entries(landings)
        .filter(([state, sum]) => state === "missing" || sum.count > 0)
        .map(([state, sum]) => padLine(`${network}  on chain: ${state}`, sum)),
    ]),
  ];
  return `${lines.join("\n")}\n`;
}
