/**
 * Chainlink's price feed proxies by chain, each seen in several code bases of 2026.
 * Functions: latestRoundData() and decimals() of AggregatorV3Interface.
 */
export const CHAINLINK_FEEDS = {
  base: {
    BTC: "0x64c911996D3c6aC71f9b455B1E8E7266BcbD848F",
    ETH: "0x71041dddad3595F9CEd3DcCFBe3D1F4b0a16Bb70",
    SOL: "0x975043adBb80fc32276CbF9Bbcfd4A601a12462D",
  },
  ethereum: {
    BTC: "0xF4030086522a5bEEa4988F8cA5B36dbC97BeE88c",
    ETH: "0x5f4eC3Df9cbd43714FE2740f5E3616155c5b8419",
    SOL: "0x4ffC43a60e009B551865A93d232E33Fce9f01507",
  },
} as const;

/** Feeds of one share in US dollars on Arbitrum, read on chain in September and October 2026. Heartbeat: a day. */
export const CHAINLINK_SHARES: Readonly<Record<string, string>> = {
  AAPL: "0x8d0CC5f38f9E802475f2CFf4F9fc7000C2E1557c",
  AMZN: "0xd6a77691f071E98Df7217BED98f38ae6d2313EBA",
  GOOGL: "0x1D1a83331e9D255EB1Aaf75026B60dFD00A252ba",
  META: "0xcd1bd86fDc33080DCF1b5715B6FCe04eC6F85845",
  MSFT: "0xdDe33fb9F21739602806580bdd73BAd831DcA867",
  NVDA: "0x4881A4418b5F2460B21d6F08CD5aA0678a7f262F",
  TSLA: "0x3609baAa0a9b1f0FE4d6CC01884585d0e191C3E3",
  COIN: "0x950DC95D4E537A14283059bADC2734977C454498",
  SPY: "0x46306F3795342117721D8DEd50fbcF6DF2b3cc10",
};

/** Feeds of a troy ounce in US dollars on Ethereum: what description() of the proxies says. Heartbeat: a day. */
export const CHAINLINK_METALS: Readonly<Record<string, string>> = {
  XAU: "0x214eD9Da11D2fbe465a6fc601a91E62EbEc1a0D6",
  XAG: "0x379589227b15F1a12195D3f2d90bBc9F31f95235",
};

export type ChainlinkChain = keyof typeof CHAINLINK_FEEDS;

export const LATEST_ROUND_DATA = "0xfeaf968c";
export const DECIMALS = "0x313ce567";
