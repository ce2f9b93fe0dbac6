import type { SurfaceModel } from "../surfaces/types.ts";
import { html } from "./html.ts";
import { renderPage } from "./layout.ts";
import type { Words } from "./words.ts";

/** The texts of the script, by its names for them. */
const textsOf = ({ say }: Words): Readonly<Record<string, string>> => ({
  with: say("Sign in with {0}"),
  with_this: say("Sign in with this browser's wallet"),
  purchases: say("Purchases"),
  statement: say("Statement"),
  keys: say("Keys"),
  sign: say("Sign the text in the wallet. It is no payment."),
  again: say("Show the answer again"),
  nothing: say("{0} has bought nothing here."),
  refused: say("You refused in the wallet."),
  no_account: say("The wallet named no account."),
  no_chain: say("No wallet of this kind can sign in here."),
});

/** `/wallet`: shows a wallet's purchases to its holder. The wallet signs; the page stores nothing. */
export function renderWalletPage({ model, words }: { readonly model: SurfaceModel; readonly words: Words }): string {
  const { say } = words;
  const title = say("Your wallet");
  const description = say("What your wallet bought here: sign in with it, without account or payment.");
  const body = html`<div class="hero"><h1>${title}</h1><p class="lead">${description}</p></div>
<div data-sign-in data-texts="${JSON.stringify(textsOf(words))}">
<p class="soft">${say("The wallet signs a text for each look; a signature is good once, for five minutes.")}</p>
<div data-none><p>${say("A page cannot sign by itself, and it has found no wallet here.")}</p></div>
<div data-choice hidden></div>
<div class="answer" data-panel hidden role="group" aria-live="polite" aria-label="${title}"></div></div>
<p class="small soft">${say("For software")}: <code>GET ${model.node.public_url}/wallet/purchases</code>,
<code>/wallet/statement</code>, <code>/wallet/keys</code></p>`;
  return renderPage({ model, title, description, path: "/wallet", body, words, script: "sign_in" });
}
