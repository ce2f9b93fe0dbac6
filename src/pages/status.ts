import { renderUSD } from "../core/money.ts";
import type { SurfaceModel } from "../surfaces/types.ts";
import { type Html, html } from "./html.ts";
import { fillPlaces, linkTo, renderFirst, renderMoment } from "./parts.ts";
import { inLanguage, showDollars, type Words } from "./words.ts";

/** The state of the node; the same figures as in /live. */
export interface HealthFacts {
  readonly ok: boolean;
  /** The faults, in words. */
  readonly reasons: readonly string[];
  readonly started_at_ms: number;
  /** Paid calls of the last 24 hours. */
  readonly paid_24h: number;
  /** Median of paid calls, ms; null before the first. */
  readonly latency_ms: { readonly key: number | null; readonly x402: number | null };
  readonly networks: readonly { readonly title: string; readonly ok: boolean }[];
  readonly upstreams: readonly { readonly provider: string; readonly ok: boolean }[];
}

/** One settled payment. */
export interface ReceiptFacts {
  readonly id: string;
  readonly product: string;
  readonly amount_atomic: bigint;
  readonly network_title: string;
  readonly settled_at_ms: number;
  readonly transaction: string;
  /** Null for a network without an explorer. */
  readonly explorer_url: string | null;
  readonly label: "organic" | "operator-test";
  readonly on_chain: "pending" | "confirmed" | "missing" | null;
}

const line = (ok: boolean, name: string, told: string | Html): Html =>
  html`<li><span><span class="dot${ok ? "" : " bad"}"></span>${name}</span><span class="soft">${told}</span></li>`;

/** The most failing sources that are named. */
const FAILING_SHOWN = 5;

/** Numbers of answering networks and sources, and the speed of calls. */
export function renderHealth(model: SurfaceModel, facts: HealthFacts, words: Words): Html {
  const { ok, networks, upstreams, latency_ms } = facts;
  const { say, number } = words;
  const failing = upstreams.filter((one) => !one.ok);
  const names = failing.slice(0, FAILING_SHOWN).map(({ provider }) => provider);
  const count = say("{0} of {1} answering", upstreams.length - failing.length, upstreams.length);
  const answering = names.length === 0 ? count : `${count} · ${say("not: {0}", names.join(", "))}`;
  const since = renderMoment(facts.started_at_ms, words);
  const latency = (ms: number | null) => (ms === null ? say("no calls yet") : `${number(Math.round(ms))} ms`);
  return html`<section aria-labelledby="health"><h2 id="health">${say("Health")}</h2><ul class="list num">
${line(ok, say("Node"), fillPlaces(say(ok ? "up since {0}" : "failing since {0}"), since))}
${facts.reasons.map((reason) => line(false, say("Note"), inLanguage(reason, words)))}
${networks.map((one) => line(one.ok, one.title, say(one.ok ? "takes payments" : "facilitator does not answer")))}
${upstreams.length === 0 ? "" : line(failing.length === 0, say("Data sources"), answering)}
<li><span>${say("Median call, x402")}</span><span class="soft">${latency(latency_ms.x402)}</span></li>
<li><span>${say("Median call, key")}</span><span class="soft">${latency(latency_ms.key)}</span></li></ul>
<p class="small"><a href="/live">${say("All figures")}</a>${linkTo(model, "/status", say("90 days"))}</p></section>`;
}

const ON_CHAIN = { pending: "not yet seen on chain", confirmed: "on chain", missing: "not on chain" } as const;
const LABELS = { organic: "organic", "operator-test": "operator test" } as const;

const SIMULATED = "Simulated chains: explorers do not know these.";
const OPERATOR = "“Operator test”: paid by the operator.";

export interface ReceiptListOptions {
  readonly model: SurfaceModel;
  readonly words: Words;
  readonly title: string;
  /** A product's id, for the link to all of its receipts. */
  readonly more?: string;
}

/** One settlement: product, amount, time, network, payer, and a link to check it. */
function renderReceipt(one: ReceiptFacts, words: Words): Html {
  const { say } = words;
  const short = one.transaction.length > 16 ? `${one.transaction.slice(0, 14)}…` : one.transaction;
  const link =
    one.explorer_url === null
      ? html`<code>${short}</code>`
      : html`<a href="${one.explorer_url}" rel="noopener noreferrer nofollow"
aria-label="${say("Transaction {0} in the explorer", short)}"><code>${short}</code></a>`;
  return html`<li><a href="/receipts/${one.id}"
aria-label="${say("Receipt of {0}, {1}", `/${one.product}`, words.time(one.settled_at_ms))}"
>/${one.product}</a><span>${showDollars(renderUSD(one.amount_atomic), words)}</span>
<span class="sub"><span>${renderMoment(one.settled_at_ms, words)}</span><span>${one.network_title}</span>${link}
<span class="tag">${say(LABELS[one.label])}</span>
${one.on_chain === null ? "" : html`<span>${say(ON_CHAIN[one.on_chain])}</span>`}
</span></li>`;
}

/** Receipts visible on a phone without opening a fold, on pages with another main subject. */
const RECEIPTS_SEEN = 2;

export const renderReceiptItems = (receipts: readonly ReceiptFacts[], words: Words): Html =>
  html`<ol class="list num">${receipts.map((one) => renderReceipt(one, words))}</ol>`;

/** Sales that anyone can check. */
export function renderReceiptList(receipts: readonly ReceiptFacts[], options: ReceiptListOptions): Html {
  const { words, title, more, model } = options;
  const { say } = words;
  const all = more === undefined ? "/receipts" : `/receipts?product=${encodeURIComponent(more)}`;
  const is_any = receipts.length > 0;
  return html`<section aria-labelledby="receipts"><h2 id="receipts">${title}</h2>
${
  is_any
    ? renderFirst(receipts, { seen: RECEIPTS_SEEN, words, render: (some) => renderReceiptItems(some, words) })
    : html`<p class="soft">${say("Nothing was sold yet.")}</p>`
}
<p class="small"><a href="${all}">${say("All receipts")}</a></p>
${is_any ? html`<p class="small soft">${say(model.sandbox ? SIMULATED : OPERATOR)}</p>` : ""}
</section>`;
}
