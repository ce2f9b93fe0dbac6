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

export type ChainlinkChain = keyof typeof CHAINLINK_FEEDS;

export const LATEST_ROUND_DATA = "0xfeaf968c";
export const DECIMALS = "0x313ce567";
