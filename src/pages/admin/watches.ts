import type { WatchesAnswer } from "../../admin/answers.ts";
import { type Html, html } from "../html.ts";
import { type ListView, longTable } from "./list.ts";
import { facts, mark, showTime } from "./parts.ts";

/** The choices of watches to show. */
export const WATCHES_SHOWN = ["failing", "living"] as const;

type Item = WatchesAnswer["items"][number];

const isFailing = ({ failed_in_a_row, webhook }: Item): boolean =>
  failed_in_a_row > 0 || webhook?.parked === true || (webhook?.attempts ?? 0) > 0;

const isShown = (item: Item, show: string | undefined): boolean =>
  show === "failing" ? isFailing(item) : show !== "living" || item.state !== "ended";

function renderDelivery(webhook: Item["webhook"]): string {
  if (webhook === null) return "-";
  const { host, delivered_seq, attempts, parked, last_error } = webhook;
  const trouble = parked ? ", given up" : attempts > 0 ? `, ${attempts} in vain` : "";
  return `${host}: ${delivered_seq} delivered${trouble}${last_error === null ? "" : `: ${last_error}`}`;
}

export const renderWatches = (answer: WatchesAnswer, view: ListView): Html =>
  html`${answer.enabled ? "" : html`<p class="soft">No new ones are taken: <code>[watch] enabled</code> is off.</p>`}
${facts([
  ["Active", answer.active],
  ["Paused", answer.paused],
  ["Events told", answer.told],
  ["Webhooks", answer.webhooks.all],
  ["Webhooks given up", answer.webhooks.parked],
])}${longTable(
  {
    name: "Watches",
    head: ["Watch", "Key", "Product", "State", "Next", "Looked", "Told", "Spent, USD", "Webhook", "Last error"],
    rows: answer.items
      .filter((item) => isShown(item, view.asked.show))
      .map((item) => [
        mark(!isFailing(item), html`<code>${item.watch}</code>${item.label === null ? "" : ` ${item.label}`}`),
        html`<a href="/admin/keys?key=${item.key_id}">${item.key_id}</a>`,
        item.product,
        item.ended === null ? item.state : `${item.state}: ${item.ended}`,
        item.next_at === null ? "-" : showTime(item.next_at),
        item.evaluations,
        item.told,
        `${item.spent_usd} of ${item.budget_usd}`,
        renderDelivery(item.webhook),
        item.last_error ?? "-",
      ]),
  },
  view,
)}`;
