import type { SurfaceModel } from "../surfaces/types.ts";
import { html } from "./html.ts";
import { renderPage } from "./layout.ts";
import type { Words } from "./words.ts";

const COMMAND = "That the answer follows from its inputs is shown by one command, offline:";
const WORDS =
  "verified: it holds; no_claim: nobody says so; contradicted: it is not so; unverifiable: not to be checked here.";
const LIMITS =
  "The file stays on your machine. The key is the one in it: compare the node's name with the one you know.";

/** `/verify`: takes a bundle and shows what a browser can check of it. The file never leaves the reader's machine. */
export function renderVerifyPage({ model, words }: { readonly model: SurfaceModel; readonly words: Words }): string {
  const { say } = words;
  const title = say("Check an answer");
  const description = say("Drop the bundle of a sold answer: hashes, receipt and seal are checked in this browser.");
  const body = html`<div class="hero"><h1>${title}</h1><p class="lead">${description}</p></div>
<p class="soft">${say(LIMITS)}</p>
<div class="answer" data-verify-bundle hidden><p><label for="bundle">${say("Bundle")}</label>
<input id="bundle" type="file" accept=".json,application/json"></p></div>
<div role="status"><ul class="steps" data-steps lang="en"></ul>
<div data-command hidden><p class="small soft">${say(WORDS)}</p><p>${say(COMMAND)}</p>
<pre tabindex="0"><code>intel-node recompute bundle.json</code></pre></div></div>
<p class="small soft">${say("A bundle comes from")}
<code>${model.node.public_url}/receipts/{id}/bundle</code>.</p>`;
  return renderPage({ model, title, description, path: "/verify", body, words, script: "verify" });
}
