import type { SurfaceModel, SurfaceProduct } from "../../surfaces/types.ts";
import { type Html, html } from "../html.ts";
import { fillPlaces, renderMore } from "../parts.ts";
import { renderWatchCommand } from "../product/watch-this.ts";
import type { Words } from "../words.ts";
import { FEED_PATH } from "./feed.ts";

/** Example address of a buyer's server. */
const RECEIVER = "https://example.com/hook";

/** Ways to be told of failures: of the node by a feed, of a product by the webhook of a watch. */
export function renderSubscribe(model: SurfaceModel, words: Words): Html {
  const { say } = words;
  const watched = model.products.find(({ watch }) => watch);
  const has_watches = watched !== undefined && isServed(model, "/watch");
  return html`<section aria-labelledby="subscribe"><h2 id="subscribe">${say("Subscribe")}</h2>
<ul class="list"><li><span><a href="${FEED_PATH}">${say("Incidents as a feed")}</a></span><span class="sub">${say(
    "Any reader of feeds (Atom) tells of each incident of this node: when it began, why, and when it was over.",
  )}</span></li>${has_watches ? renderWebhook(model, words) : ""}${renderMail(model, words)}</ul>${
    has_watches ? renderOrder(model, watched, words) : ""
  }</section>`;
}

const isServed = ({ free }: SurfaceModel, path: string): boolean => free.some((one) => one.path === path);

function renderWebhook(model: SurfaceModel, words: Words): Html {
  const { say } = words;
  const event = fillPlaces(
    say("After three evaluations in a row without data it is sent the event {0}, which says why."),
    html`<code>failing</code>`,
  );
  const guide = isServed(model, "/guide")
    ? html` <a href="/guide/watches#webhooks">${say("How webhooks of watches work")}</a>`
    : "";
  return html`<li><span>${say("A webhook when a product fails")}</span><span class="sub">${say(
    "Set a watch on a product you rely on, with your server as its webhook.",
  )} ${event} ${say("Evaluations without data cost nothing.")}${guide}</span></li>`;
}

/** An order to copy, beside the list, whose rows are as wide as their longest word. */
function renderOrder({ node }: SurfaceModel, product: SurfaceProduct, { say }: Words): Html {
  const command = renderWatchCommand(node.public_url, product, { webhook: RECEIVER });
  return renderMore(say("An order for such a watch"), html`<pre tabindex="0"><code>${command}</code></pre>`);
}

/** The node sends no mail; a reader who wants mail writes to the operator's address, if there is one. */
function renderMail({ node }: SurfaceModel, { say }: Words): Html {
  const { contact_email: address } = node;
  if (!address) return html``;
  const link = html`<a href="mailto:${address}">${say("By mail from the operator")}</a>`;
  return html`<li><span>${link}</span><span class="sub">${say(
    "The node sends no mail by itself; its operator reads this address.",
  )}</span></li>`;
}
