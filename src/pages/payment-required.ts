import { docsPath } from "../surfaces/docs-path.ts";
import type { SurfaceModel, SurfaceProduct } from "../surfaces/types.ts";
import { type Html, html } from "./html.ts";
import { renderPage } from "./layout.ts";
import { previewPath, renderWays, showPrice } from "./parts.ts";

/** Why a payment that was sent is not taken. */
export interface PaymentFault {
  readonly code: string;
  readonly message: string;
}

export interface PaymentPageOptions {
  readonly model: SurfaceModel;
  readonly product: SurfaceProduct;
  readonly request_id: string;
  /** Null for a call that brought nothing to pay with. */
  readonly fault: PaymentFault | null;
  /** Of the product's free preview, where it draws some. */
  readonly charts?: Html | "";
}

/** The 402 for people: what the path sells, for how much, where to pay, what it looks like for nothing. */
export function renderPaymentPage(options: PaymentPageOptions): string {
  const { model, product, request_id, fault, charts = "" } = options;
  const { title, description, price_usd, path } = product;
  const titles = new Map(model.networks.map((one) => [one.network, one.title]));
  const body = html`<div class="hero" data-host><p class="soft">402 · Payment required</p><h1>${title}</h1>
<p class="lead">${description}</p>
<dl class="facts num"><div><dt>${product.plan ? "once" : "a call"}</dt><dd>${showPrice(price_usd)}</dd></div>
<div><dt>path</dt><dd><code>${path}</code></dd></div></dl>
${fault ? renderFault(fault) : ""}
<p class="acts"><a href="${previewPath(product)}" data-preview>Live preview, free</a></p>
<p><a href="${docsPath(product)}">Reference</a> · <a href="/">All products</a></p></div>
${charts}
<section aria-labelledby="networks"><h2 id="networks">Where it can be paid</h2>
<ul class="list num">${product.challenge.accepts.map(
    ({ network, payTo }) => html`<li><span>${titles.get(network) ?? network}</span><span class="soft">USDC</span>
<span class="sub"><span>to <code>${payTo}</code></span><code>${network}</code></span></li>`,
  )}</ul></section>
<section aria-labelledby="pay"><h2 id="pay">How to pay</h2>${renderWays(model, product)}</section>
<p class="small soft">Request <code>${request_id}</code>. Nothing was charged.</p>`;
  return renderPage({ model, title, description, path: null, body });
}

const renderFault = ({ code, message }: PaymentFault): Html =>
  html`<section aria-labelledby="fault"><h2 id="fault">The payment was not taken</h2>
<p>${message}</p>
<p class="small"><a href="/errors#${code}"><code>${code}</code></a></p></section>`;
