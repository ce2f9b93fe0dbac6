import { requireAsset } from "../../networks/find.ts";
import { DEX_CHAINS, DEX_TOKENS, NATIVE, USDC } from "./dex-tokens.ts";
import { ELSEWHERE_SYMBOLS, ISSUED_ELSEWHERE } from "./issued-elsewhere.ts";

/** Chains on which tokens are judged. */
export const TOKEN_CHAINS = ["solana", "ethereum", "base"] as const;
export type TokenChain = (typeof TOKEN_CHAINS)[number];

/** A token whose issuer is known by its address: its powers over the token are told, and are no trap. */
export interface IssuerToken {
  readonly chain: TokenChain;
  readonly address: string;
  readonly symbol: string;
  readonly decimals: number;
}

type Listed = readonly [symbol: string, address: string, decimals: number];

const MORE: Readonly<Record<TokenChain, readonly Listed[]>> = {
  ethereum: [
    ["USDT", "0xdAC17F958D2ee523a2206206994597C13D831ec7", 6],
    ["DAI", "0x6B175474E89094C44Da98b954EedeAC495271d0F", 18],
    ["PYUSD", "0x6c3ea9036406852006290770BEdFcAbA0e23A0e8", 6],
    ["EURC", requireAsset("ethereum", "EURC"), 6],
    ["stETH", "0xae7ab96520DE3A18E5e111B5EaAb095312D7fE84", 18],
    ["wstETH", "0x7f39C581F595B53c5cb19bD0b3f8dA6c935E2Ca0", 18],
    ["rETH", "0xae78736Cd615f374D3085123A210448E74Fc6393", 18],
    ["cbETH", "0xBe9895146f7AF43049ca1c1AE358B0541Ea49704", 18],
  ],
  base: [
    ["EURC", requireAsset("base", "EURC"), 6],
    ["cbETH", "0x2Ae3F1Ec7F1F5012CFEab0185bfc7aa3cf0DEc22", 18],
    ["wstETH", "0xc1CBa3fCea344f92D9239c08C0568f6F2F0ee452", 18],
  ],
  solana: [
    ["USDT", requireAsset("solana", "USDT"), 6],
    ["PYUSD", requireAsset("solana", "PYUSD"), 6],
    ["EURC", requireAsset("solana", "EURC"), 6],
    ["JitoSOL", "J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn", 9],
    ["mSOL", "mSoLzYCxHdYgdzU16g5QSh3i5K3z3KZK7ytfqcJm7So", 9],
  ],
};
const NATIVE_SYMBOLS: Readonly<Record<TokenChain, string>> = { ethereum: "WETH", base: "WETH", solana: "SOL" };

/** Issuers' and foundations' own listings of their contracts; a test checks each address against its checksum. */
export const ISSUER_TOKENS: readonly IssuerToken[] = TOKEN_CHAINS.flatMap((chain) => {
  const rows: readonly Listed[] = [
    ["USDC", USDC[chain], 6],
    [NATIVE_SYMBOLS[chain], NATIVE[chain].address, NATIVE[chain].decimals],
    ...DEX_TOKENS[chain]
      .filter(({ address }) => address !== NATIVE[chain].address)
      .map(({ wrapper, address, decimals }): Listed => [wrapper, address, decimals]),
    ...MORE[chain],
  ];
  return rows.map(([symbol, address, decimals]) => ({ chain, symbol, address, decimals }));
});

/** Hex addresses are written in either case; Solana's are not. */
export const foldAddress = (chain: string, address: string): string =>
  chain === "solana" ? address : address.toLowerCase();

const BY_ADDRESS = new Map(
  ISSUER_TOKENS.map((token) => [`${token.chain} ${foldAddress(token.chain, token.address)}`, token]),
);

export const findIssuerToken = (chain: string, address: string): IssuerToken | undefined =>
  BY_ADDRESS.get(`${chain} ${foldAddress(chain, address)}`);

/** The same issuers' contracts on every chain they are traded on. */
const ISSUED = new Set([
  ...BY_ADDRESS.keys(),
  ...DEX_CHAINS.flatMap((chain) =>
    [USDC[chain], NATIVE[chain].address, ...DEX_TOKENS[chain].map(({ address }) => address)].map(
      (address) => `${chain} ${foldAddress(chain, address)}`,
    ),
  ),
  ...ISSUED_ELSEWHERE.map(({ chain, address }) => `${chain} ${foldAddress(chain, address)}`),
]);

/** Whether a contract is a known issuer's own, also on chains whose tokens are listed and not judged. */
export const isIssuerToken = (chain: string, address: string): boolean =>
  ISSUED.has(`${chain} ${foldAddress(chain, address)}`);

/** Symbols under which issuers' tokens are traded. */
export const ISSUED_SYMBOLS: readonly string[] = [
  ...new Set([...ISSUER_TOKENS.map(({ symbol }) => symbol), ...ELSEWHERE_SYMBOLS]),
];

const KNOWN_CHAINS = new Set<string>([...DEX_CHAINS, ...ISSUED_ELSEWHERE.map(({ chain }) => chain)]);
/** Whether issuers' contracts on a chain are known here: of others nobody can say what is a copy. */
export const hasKnownIssuers = (chain: string): boolean => KNOWN_CHAINS.has(chain);
