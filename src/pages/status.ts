import type { SurfaceModel } from "../surfaces/types.ts";
import { type Html, html } from "./html.ts";
import { showTime, showUSD } from "./parts.ts";

/** How the node is doing; the same figures as /live. */
export interface HealthFacts {
  readonly ok: boolean;
  /** What is wrong, in words. */
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

const line = (ok: boolean, name: string, told: string): Html =>
  html`<li><span><span class="dot${ok ? "" : " bad"}"></span>${name}</span><span class="soft">${told}</span></li>`;

const showLatency = (ms: number | null): string => (ms === null ? "no calls yet" : `${Math.round(ms)} ms`);

/** Networks and sources that answer, and how fast calls are. */
export function renderHealth(facts: HealthFacts): Html {
  const { ok, networks, upstreams, latency_ms } = facts;
  const failing = upstreams.filter((one) => !one.ok);
  const answering = `${upstreams.length - failing.length} of ${upstreams.length} answering`;
  return html`<section aria-labelledby="health"><h2 id="health">Health</h2><ul class="list num">
${line(ok, "Node", `${ok ? "up" : "failing"} since ${showTime(facts.started_at_ms)}`)}
${facts.reasons.map((reason) => line(false, "Note", reason))}
${networks.map((one) => line(one.ok, one.title, one.ok ? "takes payments" : "facilitator does not answer"))}
${upstreams.length === 0 ? "" : line(failing.length === 0, "Data sources", answering)}
<li><span>Median call, x402</span><span class="soft">${showLatency(latency_ms.x402)}</span></li>
<li><span>Median call, key</span><span class="soft">${showLatency(latency_ms.key)}</span></li></ul>
<p class="small"><a href="/live">All figures, as JSON</a></p></section>`;
}

const ON_CHAIN = { pending: "not yet seen on chain", confirmed: "on chain", missing: "not on chain" } as const;
const LABELS = { organic: "organic", "operator-test": "operator test" } as const;

/** The newest sales, for everybody to check. */
export function renderReceipts(receipts: readonly ReceiptFacts[], { sandbox }: SurfaceModel): Html {
  const items = receipts.map((one) => {
    const short = one.transaction.length > 16 ? `${one.transaction.slice(0, 14)}…` : one.transaction;
    const link =
      one.explorer_url === null
        ? html`<code>${short}</code>`
        : html`<a href="${one.explorer_url}" rel="noopener noreferrer nofollow"
aria-label="Transaction ${short} in the explorer"><code>${short}</code></a>`;
    return html`<li><a href="/receipts/${one.id}"
aria-label="Receipt of /${one.product}, ${showTime(one.settled_at_ms)}"
>/${one.product}</a><span>${showUSD(one.amount_atomic)}</span>
<span class="sub"><span>${showTime(one.settled_at_ms)}</span><span>${one.network_title}</span>${link}
<span class="tag">${LABELS[one.label]}</span>
${one.on_chain === null ? "" : html`<span>${ON_CHAIN[one.on_chain]}</span>`}
</span></li>`;
  });
  return html`<section aria-labelledby="receipts"><h2 id="receipts">Newest receipts</h2>
${items.length === 0 ? html`<p class="soft">Nothing was sold yet.</p>` : html`<ol class="list num">${items}</ol>`}
<p class="small"><a href="/receipts">All receipts, as JSON</a></p>
${sandbox && items.length > 0 ? html`<p class="small soft">Simulated chains: explorers do not know these.</p>` : ""}
${!sandbox && items.length > 0 ? html`<p class="small soft">“Operator test”: paid by the operator.</p>` : ""}
</section>`;
}
