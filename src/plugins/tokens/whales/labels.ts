/** The label of an address. */
export interface WalletLabel {
  readonly name: string;
  readonly kind: "exchange" | "bridge";
  /** Where that was read. */
  readonly source: string;
}

const ETH_LABELS = "https://github.com/dawsbot/eth-labels";
const exchange = (name: string): WalletLabel => ({ name, kind: "exchange", source: ETH_LABELS });

const BITCOIN_BOOK = "https://github.com/DefiLlama/DefiLlama-Adapters/tree/main/projects/helper/bitcoin-book";
const reserve = (name: string): WalletLabel => ({ name, kind: "exchange", source: BITCOIN_BOOK });

/**
 * Wallets of exchanges and bridges, hexadecimal ones in lower case. An address that is not here stays unknown; nothing
 * is guessed.
 */
const LABELS: ReadonlyMap<string, WalletLabel> = new Map([
  ["0x28c6c06298d514db089934071355e5743bf21d60", exchange("Binance 14")],
  ["0x21a31ee1afc51d94c2efccaa2092ad1028285549", exchange("Binance 15")],
  ["0xdfd5293d8e347dfe59e90efd55b2956a1343963d", exchange("Binance 16")],
  ["0xf977814e90da44bfa03b6295a0616a897441acec", exchange("Binance 20")],
  ["0x71660c4005ba85c37ccec55d0c4493e66fe775d3", exchange("Coinbase 1")],
  ["0xa9d1e08c7793af67e9d92fe308d5697fb81d3e43", exchange("Coinbase 10")],
  ["0x2910543af39aba0cd09dbb2d50200b3e800a63d2", exchange("Kraken 1")],
  ["0x6cc5f688a315f3dc28a7781717a9a798a59fda7b", exchange("OKX 1")],
  ["0x77134cbc06cb00b66f4c7e623d5fdbf6777635ec", exchange("Bitfinex 2")],
  [
    "0x3154cf16ccdb4c6d922629664174b904d80f2c35",
    {
      name: "Base bridge",
      kind: "bridge",
      source: "https://docs.base.org/base-chain/network-information/base-contracts",
    },
  ],
  // Bitcoin's old addresses are case-sensitive.
  ["34xp4vRoCGJym3xR7yCVPFHoCNxv4Twseo", reserve("Binance")],
  ["3M219KR5vEneNb47ewrPfWyb5jQ2DjxRP6", reserve("Binance")],
  ["3PXBET2GrTwCamkeDzKCx8DeGDyrbuGKoc", reserve("Binance")],
  ["bc1qm34lsc65zpw79lxes69zkqmk6ee3ewf0j77s3h", reserve("Binance")],
  ["1Kr6QSydW9bFQG1mXiPNNu6WpJGmUa9i1g", reserve("Bitfinex hot")],
  ["3JZq4atUahhuA9rLhXLMhhTo133J9rF97j", reserve("Bitfinex cold")],
  ["bc1qgdjqv0av3q56jvd82tkdjpy7gdp9ut8tlqmgrpmv24sq90ecnvqqjwvw97", reserve("Bitfinex cold")],
]);

const BURNS = ["0x0000000000000000000000000000000000000000", "0x000000000000000000000000000000000000dead"];

export const findLabel = (address: string): WalletLabel | null =>
  LABELS.get(address.startsWith("0x") ? address.toLowerCase() : address) ?? null;

export const TRANSFER_CLASSES = [
  "mint",
  "burn",
  "exchange_inflow",
  "exchange_outflow",
  "exchange_internal",
  "bridge",
  "unknown",
] as const;
export type TransferClass = (typeof TRANSFER_CLASSES)[number];

/** The kind of a transfer, by its two ends; unknown where one of them is: it might be the exchange itself. */
export function classify(from: string, to: string): TransferClass {
  if (from === "" || to === "") return "unknown";
  if (from.toLowerCase() === BURNS[0]) return "mint";
  if (BURNS.includes(to.toLowerCase())) return "burn";
  const [sender, receiver] = [findLabel(from), findLabel(to)];
  if (sender?.kind === "bridge" || receiver?.kind === "bridge") return "bridge";
  if (sender && receiver) return "exchange_internal";
  if (receiver) return "exchange_inflow";
  return sender ? "exchange_outflow" : "unknown";
}
