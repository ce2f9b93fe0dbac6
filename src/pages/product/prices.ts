import { renderUSD } from "../../core/money.ts";
import { productPagePath } from "../../surfaces/docs-path.ts";
import type { SurfaceModel, SurfaceProduct } from "../../surfaces/types.ts";
import { type Html, html } from "../html.ts";
import { groupProducts, renderMore } from "../parts.ts";
import { comparePlans, type ShownPlan } from "../plan-math.ts";
import { showDollars, type Words } from "../words.ts";
import { productTexts } from "./texts.ts";

const showCall = ({ call_atomic }: ShownPlan, words: Words): string =>
  call_atomic === null ? words.say("unlimited") : showDollars(renderUSD(call_atomic), words);

const showBreakEven = ({ break_even_calls }: ShownPlan, words: Words): string =>
  break_even_calls === null ? "–" : words.say("{0} calls", words.number(Number(break_even_calls)));

/** Prices of a call: paid singly, from a prepaid key, and under each plan. */
export function renderPrices(model: SurfaceModel, product: SurfaceProduct, words: Words): Html {
  const { say } = words;
  const { plans } = groupProducts(model.products);
  // The cost of a basket under a plan depends on the basket's content.
  if (product.plan || plans.length === 0 || product.priced_by !== undefined) return html``;
  const offers = comparePlans(plans, BigInt(product.price_atomic));
  const price = showDollars(product.price_usd, words);
  const tiers = (product.tiers ?? []).filter(({ price_atomic }) => price_atomic !== product.price_atomic);
  const table = html`<div class="scroll" tabindex="0" role="group" aria-label="${say(
    "Plans",
  )}"><table class="num"><thead><tr><th scope="col">${say("Plan")}</th><th scope="col">${say(
    "Price",
  )}</th><th scope="col">${say("A call comes to")}</th><th scope="col">${say(
    "Pays off from",
  )}</th></tr></thead><tbody>${offers.map(
    (offer) =>
      html`<tr><td><a href="${productPagePath(offer.plan)}"
>${productTexts(offer.plan, words).shown.title}</a></td><td>${showDollars(
        offer.plan.price_usd,
        words,
      )}</td><td>${showCall(offer, words)}</td><td>${showBreakEven(offer, words)}</td></tr>`,
  )}</tbody></table></div>`;
  return html`<section aria-labelledby="prices"><h2 id="prices">${say("What it costs")}</h2>
<p class="soft">${say("{0} a call from a wallet, and the same from a prepaid key.", price)}${tiers.map(
    ({ param, value, price_usd }) => html` <code>${param}=${value}</code>: ${showDollars(price_usd, words)}.`,
  )}</p>
${renderMore(say("Plans"), table)}</section>`;
}
