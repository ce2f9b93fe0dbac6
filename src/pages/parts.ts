import { renderTime } from "../core/clock.ts";
import { describeParams } from "../core/describe-params.ts";
import { renderUSD } from "../core/money.ts";
import { docsPath } from "../surfaces/docs-path.ts";
import type { SurfaceModel, SurfaceProduct } from "../surfaces/types.ts";
import { type Html, type HtmlValue, html } from "./html.ts";
import { productTexts } from "./product/texts.ts";
import { type Phrase, showAge, showDollars, type Words } from "./words.ts";

/** Products by category, in order of the names; plans are separate. */
export interface ProductGroups {
  readonly categories: readonly {
    readonly name: string;
    readonly anchor: string;
    readonly products: SurfaceProduct[];
  }[];
  readonly plans: readonly SurfaceProduct[];
}

export function groupProducts(products: readonly SurfaceProduct[]): ProductGroups {
  const by_name = new Map<string, SurfaceProduct[]>();
  for (const product of products) {
    if (product.plan !== null) continue;
    const group = by_name.get(product.category);
    if (group) group.push(product);
    else by_name.set(product.category, [product]);
  }
  const categories = [...by_name]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, own]) => ({ name, anchor: `in-${slug(name)}`, products: own }));
  const plans = products.filter(({ plan }) => plan !== null);
  return { categories, plans: [...plans].sort((a, b) => Number(BigInt(a.price_atomic) - BigInt(b.price_atomic))) };
}

const slug = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");

/** "crypto-market" in ordinary spelling: "Crypto market". */
export const nameCategory = (category: string): string => {
  const words = category.replaceAll(/[-_]+/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** The product for an example call: the first of the largest category; null if nothing is on sale. */
export function exampleProduct(products: readonly SurfaceProduct[]): SurfaceProduct | null {
  const { categories } = groupProducts(products);
  const sizes = categories.map((category) => category.products.length);
  return categories[sizes.indexOf(Math.max(...sizes))]?.products[0] ?? null;
}

/** The lowest and the highest price of single calls, decimal USD strings; null if nothing is on sale. */
export function priceRange(products: readonly SurfaceProduct[]): { low: string; high: string } | null {
  const prices = products
    .filter(({ plan }) => plan === null)
    .map(({ price_atomic }) => BigInt(price_atomic))
    .sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const [low] = prices;
  const high = prices.at(-1);
  return low === undefined || high === undefined ? null : { low: renderUSD(low), high: renderUSD(high) };
}

/** "1 day", "6 hours", "15 minutes". */
export function showDelay(seconds: number, { say }: Words): string {
  const told = (number: number, one: Phrase, many: Phrase) => `${number} ${say(number === 1 ? one : many)}`;
  if (seconds >= 86_400 && seconds % 86_400 === 0) return told(seconds / 86_400, "day", "days");
  if (seconds >= 3_600) return told(Math.round(seconds / 3_600), "hour", "hours");
  return told(Math.max(1, Math.round(seconds / 60)), "minute", "minutes");
}

/** A time in UTC without a line break in its day. The pages' script adds it in the reader's zone. */
export function renderMoment(ms: number, words: Words): Html {
  const day = words.day(ms);
  const time = words.time(ms).slice(day.length);
  return html`<time datetime="${renderTime(ms)}"><span class="whole">${day}</span>${time}</time>`;
}

/**
 * An age, which the script lets grow. Text after the age belongs into `told`, with the age at "{0}", because text
 * outside of it would move when the age gets longer.
 */
export const renderAge = (seconds: number, told = "{0}"): Html =>
  html`<time datetime="PT${Math.max(0, Math.round(seconds))}S"${
    told === "{0}" ? "" : html` data-age="${told}"`
  }>${told.replace("{0}", showAge(seconds))}</time>`;

/** Fills markup into the placeholders "{0}", "{1}" … of a text, which `words.say` leaves when called without values. */
export const fillPlaces = (text: string, ...values: readonly Html[]): Html =>
  html`${text
    .split(/(\{\d\})/)
    .map((part): HtmlValue => (/^\{\d\}$/.test(part) ? (values[Number(part[1])] ?? part) : part))}`;

/** "a", "a and b", "a, b and c". */
export const listWords = (words: readonly string[], last = "and"): string =>
  words.length < 2 ? (words[0] ?? "") : `${words.slice(0, -1).join(", ")} ${last} ${words.at(-1)}`;

/** Names of the payable networks, each once. */
export const networkTitles = ({ networks }: SurfaceModel): readonly string[] => [
  ...new Set(networks.map(({ title }) => title)),
];

/**
 * A part that a phone folds under a line with its title. A desktop, which has the room, and paper, which cannot be
 * opened, show it unfolded: see `.more` in the style.
 */
export const renderMore = (title: string, content: HtmlValue): Html =>
  html`<details class="more"><summary>${title}</summary>${content}</details>`;

/** The first entries of a list, and the further ones folded on a phone; `render` makes a list of some entries. */
export function renderFirst<T>(
  items: readonly T[],
  {
    seen,
    words,
    render,
  }: { readonly seen: number; readonly words: Words; readonly render: (some: readonly T[]) => Html },
): Html {
  // A fold of one entry would save no room.
  if (items.length <= seen + 1) return render(items);
  const all = words.say("Show all {0}", words.number(items.length));
  return html`${render(items.slice(0, seen))}${renderMore(all, render(items.slice(seen)))}`;
}

/** A link to a page of this node, after a dot; nothing if the node does not serve that page. */
export const linkTo = ({ free }: SurfaceModel, path: string, text: string): Html =>
  free.some((one) => one.path === path && one.methods.includes("GET"))
    ? html` · <a href="${path}">${text}</a>`
    : html``;

/** Three ways to pay, each as a line to copy. The lines buy `product`. */
export function renderWays(model: SurfaceModel, product: SurfaceProduct, words: Words): Html {
  const { say } = words;
  const { node, products, free } = model;
  const plan = products.find((one) => one.plan?.credit_usd != null && one.method === "GET");
  const served = free.some(({ path }) => path === "/mcp");
  const mcp = JSON.stringify({ mcpServers: { [node.name]: { url: `${node.public_url}/mcp` } } });
  const call = callOf(product);
  return html`<div class="ways"><div><h3>${say("From a wallet, with x402")}</h3>
<pre tabindex="0"><code>curl -i ${call}</code></pre>
<p>${say("The answer is 402 with the price. Any x402 client signs it and sends the call again.")}
${say("No account is needed.")}</p></div>
${
  plan
    ? html`<div><h3>${say("With a prepaid key")}</h3>
<pre tabindex="0"><code>curl -H "X-API-Key: &lt;key&gt;" ${call}</code></pre>
<p><a href="${docsPath(plan)}">${productTexts(plan, words).shown.title}</a>
${say("costs {0} and answers with a key.", showDollars(plan.price_usd, words))}</p></div>`
    : ""
}
${
  served
    ? html`<div><h3>${say("As an MCP server")}</h3><pre tabindex="0"><code>${mcp}</code></pre>
<p>${say("Every product is a tool; its price is in its description, previews are free.")}</p></div>`
    : ""
}</div>`;
}

/** A call with the product's example parameters, as an argument of curl. */
export function callOf(product: SurfaceProduct, base = product.url): string {
  const { params } = product.example;
  if (product.method === "POST") {
    const body = JSON.stringify(params).replaceAll("'", "'\\''");
    return `-X POST -H "Content-Type: application/json" -d '${body}' ${base}`;
  }
  const given = Object.entries(params).map(([name, value]): [string, string] => [name, String(value)]);
  const query = new URLSearchParams(given).toString();
  return query === "" ? base : `"${base}?${query}"`;
}

/** The subject of a free sample, shown before it; nothing for a sample without parameters. */
export const renderPreviewOf = (preview_of: Readonly<Record<string, unknown>> | undefined, { say }: Words): Html =>
  !preview_of || Object.keys(preview_of).length === 0
    ? html``
    : html`${say("Sample of")} <code>${describeParams(preview_of)}</code>. `;

/** Address of a product's free preview, with the first parameters for which one is kept. */
export const previewPath = (product: SurfaceProduct): string => `${product.path}?preview=1`;
