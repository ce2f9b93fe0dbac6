import type { SumsAnswer } from "../../admin/answers.ts";
import { type Html, html } from "../html.ts";
import { table } from "./parts.ts";

const PERIODS = ["today", "week", "month", "year"] as const;
const GROUPS = ["product", "network", "payer", "door", "access", "label", "day"] as const;
/** The most rows shown; the API and `intel-node sales --by` have all. */
const ROWS_MAX = 50;

export interface SumsView {
  readonly period: string;
  readonly by: string;
}

const link = (name: string, { period, by }: SumsView, here: string): Html =>
  name === here
    ? html`<strong>${name}</strong> `
    : html`<a href="/admin/sales?${new URLSearchParams({ period, by }).toString()}">${name}</a> `;

/** Links to the sums of every current period, for each way of grouping. */
export const renderSumLinks = ({ period, by }: SumsView): Html => html`<p>Sums:
${PERIODS.map((name) => link(name, { period: name, by: by || "product" }, period))} · by
${GROUPS.map((name) => link(name, { period: period || "month", by: name }, by))}</p>`;

const CALLED_NOTE = html`<p class="small soft">Calls by key were paid for when their credit was: they are in no other
column.</p>`;

/** Grouped sums of payments. */
export function renderSums({ from, until, by, sums, total }: SumsAnswer): Html {
  const rows = [...sums.slice(0, ROWS_MAX), { ...total, name: "all" }];
  const more = sums.length - ROWS_MAX;
  const has_calls = total.called !== undefined;
  return html`<section aria-labelledby="sums"><h2 id="sums">Sums by ${by}</h2>
<p class="small soft">From ${from.slice(0, 10)} until before ${until.slice(0, 10)}</p>${table(
    "Sums",
    [
      by,
      "Payments",
      "Settled",
      "Never landed",
      "Received",
      "Given back",
      ...(has_calls ? ["Calls by key", "Called for"] : []),
    ],
    rows.map((one) => [
      one.name,
      one.settled.count,
      `$${one.settled.amount_usd}`,
      one.never_landed.count === 0 ? "-" : `$${one.never_landed.amount_usd}`,
      `$${one.received.amount_usd}`,
      one.given_back.count === 0 ? "-" : `$${one.given_back.amount_usd}`,
      ...(one.called === undefined ? [] : [one.called.count, `$${one.called.amount_usd}`]),
    ]),
  )}${has_calls ? CALLED_NOTE : ""}
${more > 0 ? html`<p class="soft">${more} more are in the API.</p>` : ""}</section><h2>Payments</h2>`;
}
