import type { EvmLog } from "intel-node/providers/evm-rpc/logs";
import { findIssuerToken } from "intel-node/providers/issuer-tokens";
import type { ScannedChain } from "../whales/chains.ts";

/** How deep factories' logs are read, and how many blocks a run goes back at most: an hour. They are few. */
export const FACTORY_PACE = {
  ethereum: { confirmations: 12, span: 300 },
  base: { confirmations: 60, span: 1_800 },
} as const satisfies Readonly<Record<ScannedChain, object>>;

/**
 * What a factory says of a pool it made, by the topic of its event. Signatures as in the contracts' own interfaces:
 * IUniswapV2Factory, IUniswapV3Factory, IPoolManager of Uniswap v4, IPoolFactory and ICLFactory of Aerodrome.
 */
export const CREATION_TOPICS = {
  /** PairCreated(address indexed token0, address indexed token1, address pair, uint256) */
  pair: "0x0d3648bd0f6ba80134a33ba9275ac585d9d315f0ad8355cddefde31afa28d0e9",
  /** PoolCreated(address indexed token0, address indexed token1, uint24 indexed fee, int24, address pool) */
  v3: "0x783cca1c0412dd0d695e784568c96da2e9c22ff989357a2e8b1d9b2b4e6b7118",
  /** Initialize(bytes32 indexed id, address indexed currency0, address indexed currency1, uint24, ...) */
  v4: "0xdd466e674ea557f56295e2d0218a125ea4b4f0f6f3307b95f85e6110838d6438",
  /** PoolCreated(address indexed token0, address indexed token1, bool indexed stable, address pool, uint256) */
  solidly: "0x2128d88d14c80cb081c1252a5acff7a264671bf199ce226b53788fb26065005e",
  /** PoolCreated(address indexed token0, address indexed token1, int24 indexed tickSpacing, address pool) */
  slipstream: "0xab0d57f0df537bb25e80245ef7748fa62353808c54d6e528a9dd20887aed9ac2",
} as const;
type Kind = keyof typeof CREATION_TOPICS;

export const FACTORY_IDS = ["uniswap_v2", "uniswap_v3", "uniswap_v4", "aerodrome", "aerodrome_slipstream"] as const;
export type FactoryId = (typeof FACTORY_IDS)[number];

export interface Factory {
  readonly id: FactoryId;
  readonly chain: ScannedChain;
  /** Lower case. */
  readonly address: string;
  readonly kind: Kind;
}

const rows = (
  chain: ScannedChain,
  list: readonly (readonly [id: FactoryId, kind: Kind, address: string])[],
): readonly Factory[] => list.map(([id, kind, address]) => ({ id, chain, kind, address: address.toLowerCase() }));

/**
 * The factories that are watched. Addresses: Uniswap's deployment pages of v2, v3 and v4, and the lists of Aerodrome's
 * deployments, whose concentrated pools come from three factories.
 */
export const FACTORIES: readonly Factory[] = [
  ...rows("ethereum", [
    ["uniswap_v2", "pair", "0x5C69bEe701ef814a2B6a3EDD4B1652CB9cc5aA6f"],
    ["uniswap_v3", "v3", "0x1F98431c8aD98523631AE4a59f267346ea31F984"],
    ["uniswap_v4", "v4", "0x000000000004444c5dc75cB358380D2e3dE08A90"],
  ]),
  ...rows("base", [
    ["uniswap_v2", "pair", "0x8909Dc15e40173Ff4699343b6eB8132c65e18eC6"],
    ["uniswap_v3", "v3", "0x33128a8fC17869897dcE68Ed026d694621f6FDfD"],
    ["uniswap_v4", "v4", "0x498581fF718922c3f8e6A244956aF099B2652b2b"],
    ["aerodrome", "solidly", "0x420DD381b31aEf6683db6B902084cB0FFECe40Da"],
    ["aerodrome_slipstream", "slipstream", "0x5e7BB104d84c7CB9B682AaC2F3d509f5F406809A"],
    ["aerodrome_slipstream", "slipstream", "0xaDe65c38CD4849aDBA595a4323a8C7DdfE89716a"],
    ["aerodrome_slipstream", "slipstream", "0xf8f2eB4940CFE7d13603DDDD87f123820Fc061Ef"],
  ]),
];

/** Factories of a chain by name, each once. */
export const factoriesOf = (chain: ScannedChain): readonly FactoryId[] => [
  ...new Set(FACTORIES.filter((one) => one.chain === chain).map(({ id }) => id)),
];

/** A pool as its factory announced it. */
export interface Creation {
  readonly factory: FactoryId;
  /** Address, or the number of a pool of Uniswap v4; lower case. */
  readonly pool: string;
  /** Lower case; null where both sides are known tokens, or neither is: then it is not known which one is launched. */
  readonly token: string | null;
  /** Symbol of the known side. */
  readonly quote: string | null;
}

const BY_ADDRESS = new Map(FACTORIES.map((one) => [`${one.chain} ${one.address}`, one]));
const NATIVE = `0x${"0".repeat(40)}`;
const WORD = /.{64}/g;
const toAddress = (word: string | undefined): string | null =>
  word !== undefined && /^(0x)?0{24}[0-9a-f]{40}$/.test(word) ? `0x${word.slice(-40)}` : null;

/** Where each kind of event has its pool and its two tokens. */
function locate(kind: Kind, [, ...topics]: readonly string[], data: string) {
  const words = data.slice(2).match(WORD) ?? [];
  const [a, b, c] = topics;
  if (kind === "v4") return words.length === 5 ? { pool: a ?? null, sides: [toAddress(b), toAddress(c)] } : null;
  const at = kind === "v3" ? 1 : 0;
  const count = kind === "slipstream" ? 1 : 2;
  return words.length === count ? { pool: toAddress(words[at]), sides: [toAddress(a), toAddress(b)] } : null;
}

/** Symbol of a token whose issuer is known, or of the chain's own coin; null for any other. */
const knownSymbol = (chain: ScannedChain, address: string): string | null =>
  address === NATIVE ? "ETH" : (findIssuerToken(chain, address)?.symbol ?? null);

/** A log as a pool that was made; null for one that is not of a watched factory, or of another shape. */
export function readCreation(chain: ScannedChain, log: EvmLog): Creation | null {
  const factory = BY_ADDRESS.get(`${chain} ${log.address}`);
  if (!factory || log.topics[0] !== CREATION_TOPICS[factory.kind]) return null;
  const found = locate(factory.kind, log.topics, log.data);
  const [first, second] = found?.sides ?? [];
  if (!found?.pool || !first || !second) return null;
  const [a, b] = [knownSymbol(chain, first), knownSymbol(chain, second)];
  const is_launch = (a === null) !== (b === null);
  return {
    factory: factory.id,
    pool: found.pool,
    token: is_launch ? (a === null ? first : second) : null,
    quote: is_launch ? (a ?? b) : null,
  };
}
