/**
 * Pyth's sponsored price accounts on Solana, kept fresh every 60 s or 0.5 %. Two generations of the programs are live;
 * both are read and the newer publish time wins. An account is the address derived from the price feed program with the
 * seeds [u16le 0, feed id] and is owned by the generation's receiver program, which checked the signatures.
 * Source: pyth-network/pyth-crosschain, pyth_solana_receiver/src/address.ts, push-feeds/data/svm/solana-mainnet.json;
 * docs.pyth.network/price-feeds/pro/pyth-core-upgrade.
 */
export const PYTH_RECEIVERS = {
  classic: "rec5EKMGg6MxZYaMdyBfgwp4d5rB9T1VQH5pJv5LtFJ",
  upgraded: "rec2HHDDnjLfj4kE7VyEtFA1HPGQLK33259532cRyHp",
} as const;

export interface PythFeed {
  readonly symbol: string;
  /** 32 bytes in hex, the same on every chain. */
  readonly feed_id: string;
  readonly classic: string;
  readonly upgraded: string;
}

export const PYTH_FEEDS = {
  SOL: {
    symbol: "SOL/USD",
    feed_id: "ef0d8b6fda2ceba41da15d4095d1da392a0d2f8ed0c6c7bc0f4cfac8c280b56d",
    classic: "7UVimffxr9ow1uXYxsr4LHAcV58mLzhmwaeKvJ1pjLiE",
    upgraded: "7AviUf9nL62mcxNbQGKm4nKDQnPjswo6c5MX4D57HmyE",
  },
  BTC: {
    symbol: "BTC/USD",
    feed_id: "e62df6c8b4a85fe1a67db44dc12de5db330f7ac66b72dc658afedf0f4a415b43",
    classic: "4cSM2e6rvbGQUFiJbqytoVMi5GgghSMr8LwVrT9VPSPo",
    upgraded: "APgzQGGdv2qCgBkX6aHVkrGePtBVDDg68GiqaM7rmtf5",
  },
  ETH: {
    symbol: "ETH/USD",
    feed_id: "ff61491a931112ddf1bd8147cd1b641375f79f5825126d665480874634fd0ace",
    classic: "42amVS4KgzR9rA28tkVYqVXjq9Qa8dcZQMbH5EYFX6XC",
    upgraded: "7odryi4WfoMFHtv2eubdMgP1pqQMmdiXSK1N2tqZ2nRH",
  },
  USDT: {
    symbol: "USDT/USD",
    feed_id: "2b89b9dc8fdf9f34709a5b106b472f0f39bb6ca9ce04b0fd7f2e971688e2e53b",
    classic: "HT2PLQBcG5EiCcNSaMHAjSgd9F98ecpATbk4Sk5oYuM",
    upgraded: "3XBYLaF9wisQLaCxTgchH6xeNJGchwDauGpot1GcRMZV",
  },
  USDC: {
    symbol: "USDC/USD",
    feed_id: "eaa020c61cc479712813461ce153894a96a6c00b21ed0cfc2798d1f9a9e9c94a",
    classic: "Dpw1EAVrSB1ibxiDQyTAW6Zip3J4Btk2x4SgApQCeFbX",
    upgraded: "6HAuqASbHEh4w4REJEUUUCginTLfj1kwCh215ZLtMkrT",
  },
} as const satisfies Readonly<Record<string, PythFeed>>;
