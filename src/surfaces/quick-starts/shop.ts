import type { QuickStartModel, Shop, SnippetProduct, SnippetWallet } from "./types.ts";

/** The first network of a kind of wallet that the node is paid on. */
export const findNetwork = ({ networks }: Pick<Shop, "networks">, wallet: SnippetWallet) =>
  networks.find((network) => network.wallet === wallet) ?? null;

export const priceNote = ({ product }: Shop): string => `${product.price_usd} USD`;

/** The address of a product's example call. */
function renderCallURL({ url, example }: Pick<SnippetProduct, "url" | "example">): string {
  const query = Object.entries(example.params).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`,
  );
  return query.length > 0 ? `${url}?${query.join("&")}` : url;
}

const cheapestFirst = (a: SnippetProduct, b: SnippetProduct): number => {
  const difference = BigInt(a.price_atomic) - BigInt(b.price_atomic);
  return difference === 0n ? (a.path < b.path ? -1 : 1) : difference < 0n ? -1 : 1;
};

/** What snippets buy: the cheapest product that a GET fetches. Null without such a product or a network to pay on. */
export function chooseShop({ node, sandbox, products, networks }: QuickStartModel): Shop | null {
  const cheapest = products.filter(({ method }) => method === "GET").sort(cheapestFirst);
  const product = cheapest.find(({ plan }) => plan === null);
  if (!product || networks.length === 0) return null;
  const plan = cheapest.find((one) => one.plan?.credit_usd) ?? cheapest.find((one) => one.plan !== null);
  return {
    origin: node.public_url,
    sandbox,
    product,
    call_url: renderCallURL(product),
    plan: plan ?? null,
    networks,
  };
}

/** What a program needs to know of the wallet that pays on a network. */
export function walletNote({ networks, sandbox }: Pick<Shop, "networks" | "sandbox">, wallet: SnippetWallet): string {
  const title = findNetwork({ networks }, wallet)?.title ?? wallet;
  return sandbox ? `any new one holds test USDC on ${title}` : `the account holds USDC on ${title}`;
}

/** The variable that holds the key of an EVM wallet. */
export const privateKey = (shop: Shop): Readonly<Record<string, string>> => ({
  PRIVATE_KEY: `0x and 64 hex digits; ${walletNote(shop, "base")} and needs no ETH`,
});
