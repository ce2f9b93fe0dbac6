import { getOwn } from "../../core/own.ts";
import { KNOWN_NETWORKS } from "../../networks/rows.ts";

/** A chain, and "symbol address" of what is issued there. */
type Row = readonly [chain: string, tokens: readonly (readonly [symbol: string, address: string])[]];

/** Ethena and BitGo have one address on the chains they came to by LayerZero. */
const USDE = "0x5d3a1Ff2b6BAb83b63cd9AD0787074081a52ef34";
const WBTC = "0x0555E30da8f98308EdB960aa94C0Db47230d2B9c";

/**
 * What a symbol means on chains its issuer came to later: the issuer's own contracts, and where it has none those of
 * the chain's own bridge (Binance's on its chain, Wormhole's on Solana), which everybody there trades under it. They
 * are nobody's counterfeit; nothing more follows from standing here. Each address was found under its symbol in public
 * repositories that use it (lists of tokens, clients of Aave, Sky, Ethena, Lombard, Chainlink and others; 2026-11).
 */
const ROWS: readonly Row[] = [
  [
    "ethereum",
    [
      ["USDS", "0xdC035D45d973E3EC169d2276DDab16f1e407384F"],
      ["USDe", "0x4c9EDD5852cd905f086C759E8383e09bff1E68B3"],
      ["weETH", "0xCd5fE23C85820F7B72D0926FC9b05b43E359b7ee"],
      ["GHO", "0x40D16FC0246aD3160Ccc09B8D0D3A2cD28aE6C2f"],
      ["LBTC", "0x8236a87084f8B84306f72007F36F2618A5634494"],
    ],
  ],
  [
    "base",
    [
      ["USDS", "0x820C137fa70C8691f0e44Dc420a5e53c168921Dc"],
      ["USDe", USDE],
      ["USDT", "0xfde4C96c8593536E31F229EA8f37b2ADa2699bb2"],
      ["DAI", "0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb"],
      ["rETH", "0xB6fe221Fe9EeF5aBa221c348bA20A1Bf5e73624c"],
      ["weETH", "0x04C0599Ae5A44757c0af6F9eC3b93da8976c150A"],
      ["WBTC", WBTC],
      ["AAVE", "0x63706e401c06ac8513145b7687A14804d17f814b"],
      ["LINK", "0x88Fb150BDc53A65fe94Dea0c9BA0a6dAf8C6e196"],
      ["LBTC", "0xecAc9C5F704e954931349Da37F60E39f515c11c1"],
      ["GHO", "0x6Bb7a212910682DCFdbd5BCBb3e28FB4E8da10Ee"],
      ["SOL", "0x311935Cd80B76769bF2ecC9D8Ab7635b2139cf82"],
    ],
  ],
  [
    "arbitrum",
    [
      ["USDT", "0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9"],
      ["USDS", "0x6491c05A82219b8D1479057361ff1654749b876b"],
      ["USDe", USDE],
      ["PYUSD", "0x46850aD61C2B7d64d08c9C754F45254596696984"],
      ["DAI", "0xDA10009cBd5D07dd0CeCc66161FC93D7c9000da1"],
      ["wstETH", "0x5979D7b546E38E414F7E9822514be443A4800529"],
      ["rETH", "0xEC70Dcb4A1EFa46b8F2D97C310C9c4790ba5ffA8"],
      ["cbETH", "0x1DEBd73E752bEaF79865Fd6446b0c970EaE7732f"],
      ["weETH", "0x35751007a407ca6FEFfE80b3cB397736D2cf4dbe"],
      ["LINK", "0xf97f4df75117a78c1A5a0DBb814Af92458539FB4"],
      ["UNI", "0xFa7F8980b0f1E64A2062791cc3b0871572f1F7f0"],
      ["AAVE", "0xba5DdD1f9d7F570dc94a51479a000E3BCE967196"],
      ["GHO", "0x7dfF72693f6A4149b17e7C6314655f6A9F7c8B33"],
    ],
  ],
  [
    "polygon",
    [
      ["USDT", "0xc2132D05D31c914a87C6611C10748AEb04B58e8F"],
      ["DAI", "0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063"],
      ["wstETH", "0x03b54A6e9a984069379fae1a4fC4dBAE93B3bCCD"],
      ["rETH", "0x0266F4F08D82372CF0FcbCCc0Ff74309089c74d1"],
    ],
  ],
  [
    "bsc",
    [
      ["USDC", "0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d"],
      ["USDT", "0x55d398326f99059fF775485246999027B3197955"],
      ["DAI", "0x1AF3F329e8BE154074D8769D1FFa4eE058B1DBc3"],
      ["WBTC", WBTC],
      ["USDe", USDE],
      ["LINK", "0xF8A0BF9cF54Bb92F17374d9e9A321E6a111a51bD"],
      ["UNI", "0xBf5140A22578168FD562DCcF235E5D43A02ce9B1"],
      ["AAVE", "0xfb6115445Bff7b52FeB98650C87f44907E58f802"],
      ["SOL", "0x570A5D26f7765Ecb712C0924E4De545B89fD43dF"],
    ],
  ],
  [
    "solana",
    [
      ["USDS", "USDSwr9ApdHk5bvJKMjzff41FfuX8bSxdKcR81vTwcA"],
      ["USDe", "DEkqHyPN7GMRJ5cArtQFAWefqbZb33Hyf6s5iCwjEonT"],
      ["WBTC", "5XZw2LKTyrfvfiskJ78AMpackRjPcyCif1WhUsPDuVqQ"],
      ["WBTC", "3NZ9JMVBmGAqocybic2c7LQCJScmgsAZ6vQqTDzcqmJh"],
      ["LBTC", "LBTCgU4b3wsFKsPwBn1rRZDx5DoFutM6RPiEt1TPDsY"],
      ["wstETH", "ZScHuTtqZukUrtZS43teTKGs2VqkKL8k4QCouR2n6Uo"],
      ["LINK", "LinkhB3afbBKb2EQQu7s7umdZceV3wcvAUJhQAfQ23L"],
    ],
  ],
];

/** Networks whose name here is not what tables of pools call them. */
const SPELLED: Readonly<Record<string, string>> = {
  "zk-sync": "zksync",
  "hyper-evm": "hyperevm",
  sei: "seiv2",
  "x-layer": "xlayer",
  "plume-mainnet": "plume",
};

/** One contract of an issuer, or of a chain's own bridge. */
export interface IssuedElsewhere {
  readonly chain: string;
  readonly symbol: string;
  readonly address: string;
}

const LISTED: readonly IssuedElsewhere[] = ROWS.flatMap(([chain, tokens]) =>
  tokens.map(([symbol, address]) => ({ chain, symbol, address })),
);
/** Symbols of that list; those of networks alone ("CASH") are words that anybody may use. */
export const ELSEWHERE_SYMBOLS: readonly string[] = [...new Set(LISTED.map(({ symbol }) => symbol))];

/** With them what every network that this node knows has of issuers' own: USDC on Avalanche, Algorand, Celo ... */
export const ISSUED_ELSEWHERE: readonly IssuedElsewhere[] = [
  ...LISTED,
  ...KNOWN_NETWORKS.filter(({ testnet }) => !testnet).flatMap(({ name, assets }) =>
    assets.map(({ symbol, asset }) => ({ chain: getOwn(SPELLED, name) ?? name, symbol, address: asset })),
  ),
];
