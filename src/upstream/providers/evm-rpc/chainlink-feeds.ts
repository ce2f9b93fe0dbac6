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

/**
 * Feeds of one unit of a currency in US dollars on Ethereum, whose description() is "<code> / USD". Heartbeat: a day.
 * Readers check the description: BRL, MXN and INR were seen in one code base only.
 */
export const CHAINLINK_CURRENCIES: Readonly<Record<string, string>> = {
  EUR: "0xb49f677943BC038e9857d61E7d053CaA2C1734C1",
  GBP: "0x5c0Ab2d9b5a7ed9f470386e82BB36A3613cDd4b5",
  JPY: "0xBcE206caE7f0ec07b545EddE332A47C2F75bbeb3",
  CHF: "0x449d117117838fFA61263B61dA6301AA2a88B13A",
  AUD: "0x77F9710E7d0A19669A13c055F62cd80d313dF022",
  CAD: "0xa34317DB73e77d453b1B8d04550c44D10e981C8e",
  NZD: "0x3977CFc9e4f29C184D4675f4EB8e0013236e5f3e",
  CNY: "0xeF8A4aF35cd47424672E3C590aBD37FBB7A7759a",
  KRW: "0x01435677FB11763550905594A16B645847C1d0F3",
  BRL: "0x971e8f1b779a5f1c36e1cd7ef44ba1cc2f5eee0f",
  MXN: "0xe6f5377de93a361cd5531bdcad24e88c4867bc10",
  INR: "0x605d5c2fbcedb217d7987fc0951b5753069bc360",
};

/**
 * Feeds of tokens in US dollars by chain, each seen in several code bases; COMP's in Compound's deployments.
 */
export const CHAINLINK_TOKENS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ethereum: {
    ETH: CHAINLINK_FEEDS.ethereum.ETH,
    SOL: CHAINLINK_FEEDS.ethereum.SOL,
    USDC: "0x8fFfFfd4AfB6115b954Bd326cbe7B4BA576818f6",
    USDT: "0x3E7d1eAB13ad0104d2750B8863b489D65364e32D",
    DAI: "0xAed0c38402a5d19df6E4c03F4E2DceD6e29c1ee9",
    USDS: "0xfF30586cD0F29eD462364C7e81375FC0C71219b1",
    USDe: "0xa569d910839Ae8865Da8F8e70FfFb0cBA869F961",
    stETH: "0xCfE54B5cD566aB89272946F602D76Ea879CAb4a8",
    COMP: "0xdbd020CAeF83eFd542f4De03e3cF0C28A4428bd5",
  },
  base: { WELL: "0xc15d9944dAefE2dB03e53bef8DDA25a56832C5fe" },
  arbitrum: { ARB: "0xb2A824043730FE05F3DA2efaFa1CBbe83fa548D6" },
  optimism: { OP: "0x0D276FC14719f9292D5C1eA2198673d1f4269246" },
};

export type ChainlinkChain = keyof typeof CHAINLINK_FEEDS;

export const LATEST_ROUND_DATA = "0xfeaf968c";
export const DECIMALS = "0x313ce567";
export const DESCRIPTION = "0x7284e416";
