import type { QuickStartModel, Shop, SnippetProduct } from "./types.ts";

/** The first network of a kind of wallet that the node is paid on. */
export const findNetwork = ({ networks }: Pick<Shop, "networks">, wallet: "base" | "solana" | "algorand") =>
  networks.find((network) => network.wallet === wallet) ?? null;

export const priceNote = ({ product }: Shop): string => `${product.price_usd} USD`;

/** The address of a product's example call. */
export function renderCallURL({ url, example }: Pick<SnippetProduct, "url" | "example">): string {
  const query = Object.entries(example.params).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`,
  );
  return query.length > 0 ? `${url}?${query.join("&")}` : url;
}

const cheapestFirst = (a: SnippetProduct, b: SnippetProduct): number => {
  const difference = BigInt(a.price_atomic) - BigInt(b.price_atomic);
  return difference === 0n ? (a.path < b.path ? -1 : 1) : difference < 0n ? -1 : 1;
};

/** What snippets buy: the cheapest product that a GET fetches. Null on a node that has none or no network to pay on. */
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

export const PRIVATE_KEY: Readonly<Record<string, string>> = {
  PRIVATE_KEY: "key of a wallet with USDC on Base, 0x and 64 hex digits; it needs no ETH",
};
