import { type Html, html } from "../html.ts";
import type { Phrase, Words } from "../words.ts";
import { hiddenFields } from "./page.ts";

export interface SignableWallet {
  readonly wallet: "base" | "solana" | "algorand";
  /** Empty until an address is filled in. */
  readonly address: string;
  readonly is_signed: boolean;
  /** The text to sign; null while the wallet's or the node's address is missing. */
  readonly statement: string | null;
}

export interface SigningOptions {
  readonly words: Words;
  readonly csrf: string;
  readonly wallets: readonly SignableWallet[];
  /** Whether the node's public address, which the wallet signs, is filled in. */
  readonly has_address: boolean;
}

const NAMES = { base: "Base", solana: "Solana", algorand: "Algorand" } as const;
const HOW: Readonly<Record<SignableWallet["wallet"], Phrase>> = {
  base: "Sign it with personal_sign of the wallet of this address, and paste the signature: 0x and 130 hex digits.",
  solana: "Sign it with signMessage of the wallet of this address, and paste the signature: base58 or base64.",
  algorand: "Sign it with signBytes (prefix MX) with the account of this address, and paste the signature: base64.",
};
/** Texts of the page's script. */
const TEXTS = {
  connect: "Connect {0} and sign",
  sign: "Sign the text in the wallet. It is no payment.",
  no_account: "The wallet gave no account.",
  refused: "You said no in the wallet.",
} as const satisfies Record<string, Phrase>;

/** The text to sign elsewhere, and the field for the signature. */
function renderPaste({ wallet, statement }: SignableWallet, { words, csrf }: SigningOptions): Html {
  const { say } = words;
  const id = `signature-${wallet}`;
  return html`<details><summary>${say("Sign elsewhere, and paste the signature")}</summary>
<pre tabindex="0"><code>${statement}</code></pre>
<form class="op" method="post" action="/setup/proof">${hiddenFields(csrf)}
<input type="hidden" name="wallet" value="${wallet}">
<div class="field"><label for="${id}">${say("Signature")} (${NAMES[wallet]})</label>
<span class="soft" id="${id}-hint">${say(HOW[wallet])}</span>
<input id="${id}" name="signature" aria-describedby="${id}-hint" autocomplete="off" spellcheck="false"></div>
<button>${say("Check the signature")}</button></form></details>`;
}

function renderWallet(one: SignableWallet, options: SigningOptions): Html {
  const { wallet, address, is_signed, statement } = one;
  const { say } = options.words;
  const state = is_signed ? say("signed by the wallet") : say("typed, not signed: check it once more");
  return html`<section aria-label="${NAMES[wallet]}"><h3>${NAMES[wallet]}</h3>${
    address === "" ? "" : html`<p><code>${address}</code> (${state})</p>`
  }<p class="buttons" data-connect="${wallet}"></p>${
    statement === null || is_signed ? "" : renderPaste(one, options)
  }</section>`;
}

/** The part below the addresses: a signature proves that a wallet is the operator's. A connection needs script. */
export function renderSigning(options: SigningOptions): Html {
  const { words, csrf, wallets, has_address } = options;
  const { say } = words;
  const texts = JSON.stringify(Object.fromEntries(Object.entries(TEXTS).map(([name, text]) => [name, say(text)])));
  if (!has_address) {
    return html`<h2>${say("Prove that they are yours")}</h2><p>${say(
      "Fill in the public address first: a wallet signs that it is paid there.",
    )}</p>`;
  }
  return html`<h2>${say("Prove that they are yours")}</h2><p>${say(
    "A wallet signs that it is paid here: buyers can check it, and a mistyped address cannot sign. It is no payment.",
  )}</p><div data-signing data-csrf="${csrf}" data-texts="${texts}"><p role="status" data-told></p>${wallets.map(
    (wallet) => renderWallet(wallet, options),
  )}</div>`;
}
