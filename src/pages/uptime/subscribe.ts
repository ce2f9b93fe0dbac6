import type { SurfaceModel } from "../../surfaces/types.ts";
import { type Html, html } from "../html.ts";
import { fillPlaces, renderMore } from "../parts.ts";
import { renderWatchCommand } from "../product/watch-this.ts";
import type { Words } from "../words.ts";
import { FEED_PATH } from "./feed.ts";

/** Where a buyer's server would stand. */
const RECEIVER = "https://example.com/hook";

/** How to be told of failures without looking here: the node's by a feed, a product's by the webhook of a watch. */
export function renderSubscribe(model: SurfaceModel, words: Words): Html {
  const { say } = words;
  return html`<section aria-labelledby="subscribe"><h2 id="subscribe">${say("Subscribe")}</h2>
<ul class="list"><li><span><a href="${FEED_PATH}">${say("Incidents as a feed")}</a></span><span class="sub">${say(
    "Any reader of feeds (Atom) tells of each incident of this node: when it began, why, and when it was over.",
  )}</span></li>${renderWebhook(model, words)}${renderMail(model, words)}</ul></section>`;
}

/** Nothing where no watch can be set. */
function renderWebhook({ free, node, products }: SurfaceModel, words: Words): Html {
  const { say } = words;
  const serves = (path: string): boolean => free.some((one) => one.path === path);
  const watched = products.find(({ watch }) => watch);
  if (!serves("/watch") || watched === undefined) return html``;
  const guide = serves("/guide")
    ? html` <a href="/guide/watches#webhooks">${say("How webhooks of watches work")}</a>`
    : "";
  const command = renderWatchCommand(node.public_url, watched, { webhook: RECEIVER });
  const event = fillPlaces(
    say("After three evaluations in a row without data it is sent the event {0}, which says why."),
    html`<code>failing</code>`,
  );
  return html`<li><span>${say("A webhook when a product fails")}</span><span class="sub">${say(
    "Set a watch on a product you rely on, with your server as its webhook.",
  )} ${event} ${say(
    "Evaluations without data cost nothing.",
  )}${guide}</span>${renderMore(say("Such an order"), html`<pre tabindex="0"><code>${command}</code></pre>`)}</li>`;
}

/** The node sends no mail: where its operator named an address, that is where somebody writes who wants some. */
function renderMail({ node }: SurfaceModel, { say }: Words): Html {
  const { contact_email: address } = node;
  if (!address) return html``;
  return html`<li><span><a href="mailto:${address}">${say("By mail from the operator")}</a></span><span class="sub">${say(
    "The node sends no mail by itself; its operator reads this address.",
  )}</span></li>`;
}
