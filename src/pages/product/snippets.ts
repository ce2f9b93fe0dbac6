import { renderTool } from "../../surfaces/function-tools.ts";
import { listQuickStarts } from "../../surfaces/quick-starts.ts";
import type { SurfaceModel, SurfaceProduct } from "../../surfaces/types.ts";
import { type Html, html, trusted } from "../html.ts";
import { callOf } from "../parts.ts";
import { inLanguage, type Phrase, sayKnown, type Words } from "../words.ts";

interface Tab {
  readonly id: string;
  readonly title: string;
  readonly note: string;
  readonly code: string;
}

/** The shown snippets in order, under short names. */
const TITLES: Readonly<Record<string, string>> = {
  curl: "curl",
  "x402-fetch": "JavaScript",
  mppx: "MPP",
  python: "Python",
  "mcp-config": "MCP",
  "prepaid-key": "Key",
  "x402-solana": "Solana",
  "x402-algorand": "Algorand",
};

const FUNCTIONS: Phrase = "For a model that calls functions; /tools.json has the forms of Anthropic and Gemini.";

/** The generated quick starts, which buy this product. */
function listTabs(model: SurfaceModel, product: SurfaceProduct): readonly Tab[] {
  const plans = model.products.filter(({ plan }) => plan !== null && plan !== product.plan);
  const starts = listQuickStarts({ ...model, products: [{ ...product, plan: null }, ...plans] });
  const own = Object.entries(TITLES).flatMap(([id, title]): Tab[] => {
    const found = starts.find((one) => one.id === id);
    return found ? [{ id, title, note: found.note, code: found.code }] : [];
  });
  const tabs = own.length > 0 ? own : [{ id: "curl", title: "curl", note: "", code: `curl -i ${callOf(product)}\n` }];
  const tool = JSON.stringify(renderTool(product, "openai"), null, 1);
  return [...tabs, { id: "function", title: "Function calling", note: FUNCTIONS, code: tool }];
}

/** Tabs without script: each is a radio button, and the style shows the panel of the chosen one. */
export function renderSnippets(model: SurfaceModel, product: SurfaceProduct, words: Words): Html {
  const tabs = listTabs(model, product);
  return html`<div class="tabs" role="group" aria-label="${words.say("Code")}">${tabs.map(
    ({ id, title, note, code }, index) => html`<input type="radio" name="tab" id="tab-${id}"${
      index === 0 ? trusted(" checked") : ""
    }><label for="tab-${id}">${sayKnown(title, words)}</label><div class="panel">
<p class="soft small">${inLanguage(note, words)}</p>
<pre tabindex="0"><code>${code}</code></pre></div>`,
  )}</div>`;
}
