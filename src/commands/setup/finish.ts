import { type Html, html } from "../../pages/html.ts";
import { hiddenFields, renderSetupButton, setupPath } from "../../pages/setup/page.ts";
import type { SetupCall } from "./door.ts";
import { proofName, WALLETS } from "./draft.ts";

const NAMES = { base: "Base", solana: "Solana", algorand: "Algorand" } as const;

/** The last page: what to keep, the remaining faults, and the button that writes the file. */
export async function renderFinish(
  call: SetupCall,
  { operator_token }: { readonly operator_token: string },
): Promise<Html> {
  const { desk, session, words } = call;
  const { say } = words;
  const checked = await desk.check();
  const faults = "by_field" in checked ? [...checked.by_field.values(), ...checked.other] : [];
  const wallets = WALLETS.flatMap((wallet) => {
    const address = desk.entered[`${wallet}PayTo`] ?? "";
    if (address === "") return [];
    const is_signed = (desk.entered[proofName(wallet)] ?? "") !== "";
    const how = is_signed ? say("signed by the wallet") : say("typed, not signed: check it once more");
    return [html`<li>${NAMES[wallet]}: <code>${address}</code> (${how})</li>`];
  });
  return html`<h2>${say("Keep these")}</h2>
<p>${say(
    "The node's key says who the node is: a backup is restored with it, and whoever has it can pose as your node.",
  )}</p>
${renderSetupButton("/setup/node-key.pem", session.csrf, say("Download node-key.pem"))}
<p>${say("The operator token opens your own pages, under /admin:")}</p>
<pre tabindex="0"><code>${operator_token}</code></pre>
<h2>${say("Who is paid")}</h2>
${
  wallets.length === 0
    ? html`<p>${say("Nobody yet: without an address nothing is sold. You can add one later.")}</p>`
    : html`<ul>${wallets}</ul>`
}${
  faults.length === 0
    ? ""
    : html`<h2>${say("Still wrong")}</h2><ul lang="en">${faults.map((one) => html`<li>${one}</li>`)}</ul>`
}<form class="op" method="post" action="${setupPath("finish", words)}">${hiddenFields(session.csrf)}<button>${say(
    "Write node.toml and sell",
  )}</button></form>`;
}
