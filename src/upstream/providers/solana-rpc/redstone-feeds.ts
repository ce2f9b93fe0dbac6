/**
 * RedStone's price accounts on Solana, updated at 0.1 % or 60 s.
 * Source: redstone-finance/redstone-docs, dapps/non-evm/solana/price-feed-account.
 */
export const REDSTONE_PROGRAM = "REDSTBDUecGjwXd6YGPzHSvEUBHQqVRfCcjUVgPiHsr";

export const REDSTONE_FEEDS = {
  SOL: "9FboGHATJTgJA7fzG3fKeV1VuLqDsV5HtCGUR2PqZor3",
  BTC: "74o5fhuMC33HgfUqvv2TdpYiKvEWfcRTS1E8zxK6ESjN",
  ETH: "HPmPoq3eUTPePsDB5U4G6msu5RpeZHhMemc5VnqxQ9Lx",
} as const satisfies Readonly<Record<string, string>>;
