import { productPagePath } from "../../surfaces/docs-path.ts";
import type { PublishedRequirement, SurfaceModel, SurfaceProduct } from "../../surfaces/types.ts";
import { type Html, html, trusted } from "../html.ts";
import { groupProducts, linkTo, renderMore } from "../parts.ts";
import { renderQR } from "../qr.ts";
import { showDollars, type Words } from "../words.ts";
import { productTexts } from "./texts.ts";

/** The texts of the script, by its names for them. */
const textsOf = ({ say }: Words): Readonly<Record<string, string>> => ({
  pay_with: say("Pay with {0}"),
  pay_with_this: say("Pay with this browser's wallet"),
  amount: say("amount"),
  recipient: say("to"),
  on: say("on"),
  token: say("token"),
  buys: say("buys"),
  sign: say("Sign and pay"),
  cancel: say("Cancel"),
  again: say("Send the same payment again"),
  switch: say("Switch the wallet to {0}"),
  wrong_chain: say("The wallet is on chain {0}; this is paid on {1}, chain {2}. Nothing was signed."),
  unknown_chain: say("The wallet does not know {0} yet: add it there first."),
  no_account: say("The wallet named no account."),
  not_offered: say("This cannot be paid on {0} now."),
  refused_by_you: say("You refused in the wallet."),
  nothing_sent: say("Nothing was sent, nothing was charged."),
  sent: say("Signed and sent. Waiting for the answer."),
  lost: say("The connection was lost, and it is not known whether the payment went through. Do not sign a new one."),
  open: say("No final answer yet. The same payment can be sent again: it is never taken twice."),
  refused: say("The node refused this payment; nothing was charged."),
  paid: say("Paid: {0} USDC to {1}."),
  receipt: say("Receipt"),
  transaction: say("Transaction"),
  keep_key: say("Keep the key below: it is shown only now."),
});

/** The requirement that a browser's wallet can sign: `exact` on an EVM chain. */
const findByHand = ({ challenge }: SurfaceProduct): PublishedRequirement | undefined =>
  challenge.accepts.find(({ scheme, network }) => scheme === "exact" && network.startsWith("eip155:"));

/**
 * The form to buy without own software, from a wallet in this browser. Without a wallet the page says what works
 * instead. The script shows amount and recipient from the 402 of the call.
 */
export function renderByHand(model: SurfaceModel, product: SurfaceProduct, words: Words): Html {
  const entry = findByHand(product);
  if (!entry) return html``;
  const { say } = words;
  const title = model.networks.find(({ network }) => network === entry.network)?.title ?? entry.network;
  const prepaid = product.plan ? undefined : groupProducts(model.products).plans[0];
  const address = `${model.node.public_url}${productPagePath(product)}#by-hand`;
  return html`<section aria-labelledby="by-hand"><h2 id="by-hand">${say("Buy it by hand")}</h2>
<div data-wallet data-network="${entry.network}" data-title="${title}"${
    product.plan ? trusted(" data-plan") : ""
  } data-texts="${JSON.stringify(textsOf(words))}">
<p class="soft">${say(
    "With a wallet extension, this page pays in USDC on {0}: it shows amount and recipient first, the receipt after.",
    title,
  )}</p>
<div data-none><p>${say("A page cannot sign by itself, and it has found no wallet here. What works:")}</p>
${renderMore(
  say("Show"),
  html`<ul><li><a href="#buy">${say("The code above")}</a>, ${say("with a wallet of the software's own")}${linkTo(
    model,
    "/guide",
    say("How to pay"),
  )}</li>${
    prepaid
      ? html`<li><a href="${productPagePath(prepaid)}#by-hand"
>${productTexts(prepaid, words).shown.title}</a> (${showDollars(
          prepaid.price_usd,
          words,
        )}): ${say("bought once on any device with a wallet, used by its key anywhere")}</li>`
      : ""
  }<li>${say("A phone whose wallet has a browser: the code below opens this page in it")}</li></ul>`,
)}</div>
<p class="buttons" data-choice hidden></p>
<div class="answer" data-panel hidden role="group" aria-live="polite" aria-label="${say("Payment")}"></div></div>
<details class="qr"><summary>${say("Open it on a phone")}</summary>${renderQR(address, say("QR code of {0}", address))}
<p class="small soft"><code>${address}</code></p></details></section>`;
}
