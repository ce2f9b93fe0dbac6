import type { OverviewAnswer, SaleAnswer, SalesAnswer } from "../../admin/answers.ts";
import { type Html, html } from "../html.ts";
import { bars, facts, mark, renderField, showAge, showTime, table } from "./parts.ts";

const short = (text: string): string => (text.length > 18 ? `${text.slice(0, 16)}…` : text);

function saleTable(sales: readonly SaleAnswer[]): Html {
  return table(
    "Sales",
    ["Time", "Product", "USD", "Whose", "Network", "Payer", "Transaction", "On chain"],
    sales.map((sale) => [
      showTime(sale.settled_at),
      html`<a href="/receipts/${sale.receipt_id}">/${sale.product}</a>`,
      sale.amount_usd,
      sale.label,
      sale.network,
      html`<code>${short(sale.payer)}</code>`,
      sale.explorer_url === null
        ? html`<code>${short(sale.transaction)}</code>`
        : html`<a href="${sale.explorer_url}" rel="noopener noreferrer nofollow"
><code>${short(sale.transaction)}</code></a>`,
      sale.on_chain,
    ]),
  );
}

const received = ({ organic, operator_test }: OverviewAnswer["received"]["today"]): string =>
  `$${organic.usd} (${organic.count})${operator_test.count > 0 ? `, own tests $${operator_test.usd}` : ""}`;

const ms = (one: { readonly p50: number } | null): string => (one === null ? "-" : `${one.p50} ms`);

/** Shown only if there are channels, because most nodes offer none. */
const renderChannels = ({ channels }: OverviewAnswer): Html | "" =>
  channels.length === 0
    ? ""
    : table(
        "Payment channels",
        ["Channels", "Open", "Withdrawing", "Earned", "Unclaimed", "Claimed", "In the wallet", "Lost", "Their payers'"],
        channels.map((one) => [
          one.network,
          one.open,
          one.withdrawing,
          ...[one.earned_usd, one.unclaimed_usd, one.claimed_usd, one.swept_usd, one.lost_usd, one.owed_usd].map(
            (usd) => `$${usd}`,
          ),
        ]),
      );

const FIGURES = ["settled", "never_landed", "received", "given_back", "sold", "given", "earned", "unearned"] as const;

/** The four sums so far: received, sold, given and earned. docs/operator/books.md defines each. */
const renderMoney = ({ money }: OverviewAnswer): Html =>
  table(
    "Since the beginning",
    ["Since the beginning", "USD", "Payments"],
    FIGURES.flatMap((name) => {
      const figure = money[name];
      return figure === undefined ? [] : [[name.replaceAll("_", " "), `$${figure.amount_usd}`, figure.count ?? "-"]];
    }),
  );

/** The most troubles on the first page, so that the earnings stay in sight. */
const TROUBLES_MAX = 5;
const isCritical = ({ severity }: OverviewAnswer["open_alerts"][number]): number => Number(severity === "critical");

function renderTroubles({ reasons, open_alerts }: OverviewAnswer): Html | "" {
  if (reasons.length === 0 && open_alerts.length === 0) return "";
  const shown = open_alerts.toSorted((a, b) => isCritical(b) - isCritical(a)).slice(0, TROUBLES_MAX);
  const more = open_alerts.length - shown.length;
  return html`<section aria-labelledby="troubles"><h2 id="troubles">What is wrong</h2>
${reasons.length > 0 ? html`<ul>${reasons.map((reason) => html`<li>${reason}</li>`)}</ul>` : ""}
${shown.map((one) => html`<p>${mark(false, `${one.title} (since ${showTime(one.since)})`)}</p>`)}
${more > 0 ? html`<p><a href="/admin/alerts">${more} more</a></p>` : ""}</section>
`;
}

/** The state of the node and its earnings. */
export function renderOverview(at: OverviewAnswer): Html {
  const { received: sums, last_24h, products } = at;
  const asked = last_24h.challenges + last_24h.paid;
  const state = `${at.status}, up ${showAge(at.uptime_s)}`;
  return html`<section aria-label="State"><p>${mark(at.status === "ok", state)}</p></section>
<section aria-labelledby="earned"><h2 id="earned">Received</h2>${facts([
    ["Today", received(sums.today)],
    ["7 days", received(sums.days_7)],
    ["30 days", received(sums.days_30)],
    ["Prepaid, not yet called", `$${at.prepaid_owed_usd}`],
  ])}${renderMoney(at)}${bars(sums.by_day)}${renderChannels(at)}</section>
${renderTroubles(at)}<section aria-labelledby="calls"><h2 id="calls">Last 24 hours</h2>${facts([
    ["Paid calls", last_24h.paid],
    ["Asked to pay", last_24h.challenges],
    ["Paid of all asked", asked === 0 ? "-" : `${((100 * last_24h.paid) / asked).toFixed(1)} %`],
    ["Previews", last_24h.previews],
    ["Answers 5xx", last_24h.errors_5xx],
    ["Median, x402", ms(at.latency_ms.x402)],
    ["Median, key", ms(at.latency_ms.key)],
    ["Outcome unknown", at.unknown_settlements],
    ["Unpaid work, units", at.unpaid_work.units],
    ["Refused for it", Object.values(at.unpaid_work.refused).reduce((sum, count) => sum + count, 0)],
    ["On sale", `${products.sold - products.off_sale} of ${products.sold}`],
    ["Memory", `${at.memory_mb} MB`],
  ])}${table(
    "Uncharged failures since the start",
    ["Uncharged failures", "Since the start"],
    Object.entries(at.uncharged_failures).map(([code, count]) => [html`<code>${code}</code>`, count]),
  )}${table(
    "Refusals since the start",
    ["Refusals", "Since the start"],
    Object.entries(at.refusals).map(([code, count]) => [html`<code>${code}</code>`, count]),
  )}</section>
<section aria-labelledby="networks"><h2 id="networks">Networks</h2><ul class="list">${at.networks.map(
    ({ network, ok, by }) => html`<li>${mark(ok, network)}<span class="soft">${by}</span></li>`,
  )}${at.networks_left_out.map(
    ({ network, why }) => html`<li>${mark(false, network)}<span class="soft">${why}</span></li>`,
  )}
</ul></section>
<section aria-labelledby="sales"><h2 id="sales">Newest sales</h2>${saleTable(at.sales)}</section>`;
}

export interface SalesFilter {
  readonly product?: string;
  readonly network?: string;
  readonly label?: string;
  readonly before?: string;
}

const queryOf = (filter: SalesFilter): string =>
  new URLSearchParams(Object.entries(filter).filter((one): one is [string, string] => Boolean(one[1]))).toString();

export const renderSales = ({ items, next }: SalesAnswer, filter: SalesFilter): Html => html`${saleTable(items)}
<p><a href="/admin/sales.csv?${queryOf(filter)}">These as CSV</a>${
  next === null ? "" : html` · <a href="/admin/sales?${queryOf({ ...filter, before: String(next) })}">Older ones</a>`
}</p>`;

/** The form above the part that is updated by script, so that typed words stay. */
export const renderSalesFilter = ({ product = "", network = "", label = "" }: SalesFilter): Html =>
  html`<form class="op" method="get" action="/admin/sales">${[
    { name: "product", label: "Product", value: product, hint: "fear-greed" },
    { name: "network", label: "Network", value: network, hint: "eip155:8453" },
    { name: "label", label: "Whose", value: label, options: ["", "organic", "operator-test"] },
  ].map(renderField)}<button>Show</button></form>`;
