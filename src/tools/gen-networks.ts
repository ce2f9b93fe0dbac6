import { createRequire } from "node:module";
import { DEFAULT_ASSETS } from "@x402/evm";
import { EVM_NETWORK_CHAIN_ID_MAP } from "@x402/evm/v1";
import { type Chain, getAddress } from "viem";
import * as chains from "viem/chains";
import { eurc, usdc } from "viem/tokens";

/**
 * Writes the official packages' facts about EVM networks into a table, because viem is too heavy to load at the start
 * of a node. viem has the chains, their coins, explorers and Circle's tokens. @x402/evm has the names of version 1, the
 * default assets of sellers and the domains these sign with. The package of version 1 has the assets of its sellers.
 */
const FILE = "src/networks/evm.gen.ts";

interface Domain {
  readonly name: string;
  readonly version: string;
}

interface NetworkRow {
  readonly name: string;
  readonly title: string;
  readonly testnet: boolean;
}

interface AssetRow {
  readonly symbol: string;
  readonly asset: string;
  readonly decimals: number;
  readonly domain: Domain | null;
  readonly is_circle: boolean;
  readonly permit2_only: boolean;
}

/** Chains that products read, although no asset of the lists is on them. */
const READ_CHAINS = [56, 100];

/** Chains with Circle's USDC that viem lacks. Source: developers.circle.com, USDC contract addresses. */
const UNKNOWN_TO_VIEM: Readonly<Record<number, Pick<NetworkRow, "name" | "title" | "testnet">>> = {
  1672: { name: "pharos", title: "Pharos", testnet: false },
  2910: { name: "morph-hoodi", title: "Morph Hoodi", testnet: true },
  3343: { name: "edge", title: "EDGE", testnet: false },
  33431: { name: "edge-testnet", title: "EDGE Testnet", testnet: true },
  688689: { name: "pharos-testnet", title: "Pharos Testnet", testnet: true },
};

/** Signing domains that no package has: the contracts' own name() and version(). */
const MORE_DOMAINS: Readonly<Record<string, Domain>> = {
  "10 USDC": { name: "USD Coin", version: "2" },
  "8453 EURC": { name: "EURC", version: "2" },
};

interface V1Asset {
  readonly usdcAddress: string;
  readonly usdcName: string;
}
/** Version 1 is a separate package, a dependency of its middleware for Express. */
const loadV1 = createRequire(require.resolve("x402-express"));
const findV1Asset: (chain_id: number) => V1Asset | undefined = loadV1("x402/shared/evm").getUsdcChainConfigForChain;
/** Every token of that list is a copy of Circle's contract in this version. */
const V1_DOMAIN_VERSION = "2";

/** Several chains of viem may share an id, for example with a local test node; the oldest name comes first. */
const CHAINS = new Map<number, readonly [name: string, chain: Chain]>();
for (const [name, chain] of Object.entries(chains as unknown as Record<string, Chain>)) {
  if (typeof chain === "object" && typeof chain.id === "number" && !CHAINS.has(chain.id)) {
    CHAINS.set(chain.id, [name, chain]);
  }
}

const V1_NAMES = new Map(Object.entries(EVM_NETWORK_CHAIN_ID_MAP).map(([name, id]) => [Number(id), name]));

/** Turns "avalancheFuji" into "avalanche-fuji", which is also the name of most networks in version 1. */
const toPlainName = (name: string): string => name.replaceAll(/([a-z])([A-Z])/g, "$1-$2").toLowerCase();

const CIRCLE = [usdc, eurc];
const addressOf = (token: (typeof CIRCLE)[number], id: number): string | undefined =>
  (token.addresses as Readonly<Record<number, string>>)[id];
const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

const isCircles = (id: number, asset: string): boolean =>
  CIRCLE.some((token) => isSame(addressOf(token, id) ?? "", asset));

/** The current package's default assets, in its order: a price in dollars means the first. */
const listOffered = (id: number): readonly AssetRow[] =>
  (DEFAULT_ASSETS[`eip155:${id}`] ?? []).map(({ symbol, asset, decimals, name, version, assetTransferMethod }) => ({
    symbol,
    asset,
    decimals,
    domain: { name, version },
    is_circle: isCircles(id, asset),
    permit2_only: assetTransferMethod === "permit2",
  }));

/** The assets of version 1's sellers; a bridged token where Circle issues none. */
function listV1(id: number): readonly AssetRow[] {
  const { usdcAddress: written, usdcName: name } = findV1Asset(id) ?? {};
  // That list also has Solana's mints, under ids that do not belong to an EVM chain.
  if (written === undefined || name === undefined || !written.startsWith("0x")) return [];
  // Some are written without their checksum.
  const asset = getAddress(written.toLowerCase());
  const is_circle = isCircles(id, asset);
  const symbol = is_circle ? "USDC" : name;
  return [{ symbol, asset, decimals: 6, domain: { name, version: V1_DOMAIN_VERSION }, is_circle, permit2_only: false }];
}

const listCircles = (id: number): readonly AssetRow[] =>
  CIRCLE.flatMap((token) => {
    const asset = addressOf(token, id);
    const { symbol, decimals } = token;
    const domain = MORE_DOMAINS[`${id} ${symbol}`] ?? null;
    return asset === undefined ? [] : [{ symbol, asset, decimals, domain, is_circle: true, permit2_only: false }];
  });

/** Every asset once, from the first list that has it. */
function listAssets(id: number): readonly AssetRow[] {
  const all = [...listOffered(id), ...listV1(id), ...listCircles(id)];
  return all.filter(({ asset }, index) => all.findIndex((one) => isSame(one.asset, asset)) === index);
}

const quote = (text: string | null): string => (text === null ? "null" : JSON.stringify(text));

const renderAsset = ({ symbol, asset, decimals, domain, is_circle, permit2_only }: AssetRow): string =>
  [
    "      {",
    `        symbol: ${quote(symbol)},`,
    `        asset: ${quote(asset)},`,
    `        decimals: ${decimals},`,
    `        domain: ${domain ? `{ name: ${quote(domain.name)}, version: ${quote(domain.version)} }` : "null"},`,
    `        is_circle: ${is_circle},`,
    ...(permit2_only ? ["        permit2_only: true,"] : []),
    "      },",
  ].join("\n");

function nameNetwork(id: number): NetworkRow {
  const [name, chain] = CHAINS.get(id) ?? [];
  const named = chain && name ? { name: toPlainName(name), title: chain.name, testnet: chain.testnet === true } : null;
  const row = named ?? UNKNOWN_TO_VIEM[id];
  // A network without a name cannot be guessed to be a main network: test money would be counted as money.
  if (row === undefined) throw new Error(`viem has no chain ${id}: say in UNKNOWN_TO_VIEM what it is called`);
  return { ...row, name: V1_NAMES.get(id) ?? row.name };
}

function renderNetwork(id: number): string {
  const { name, title, testnet } = nameNetwork(id);
  const { nativeCurrency: coin, blockExplorers } = CHAINS.get(id)?.[1] ?? {};
  const explorer = blockExplorers?.default.url.replace(/\/+$/, "") ?? null;
  const assets = listAssets(id).map(renderAsset);
  return [
    "  {",
    `    chain_id: ${id},`,
    `    name: ${quote(name)},`,
    `    title: ${quote(title)},`,
    `    v1_name: ${quote(V1_NAMES.get(id) ?? null)},`,
    `    testnet: ${testnet},`,
    `    coin: ${coin ? `{ symbol: ${quote(coin.symbol)}, decimals: ${coin.decimals} }` : "null"},`,
    `    explorer: ${quote(explorer)},`,
    ...(assets.length === 0 ? ["    assets: [],"] : ["    assets: [", ...assets, "    ],"]),
    "  },",
  ].join("\n");
}

/** The content that the table of EVM networks should have. */
export function networkFiles(): readonly { readonly path: string; readonly content: string }[] {
  const circle = CIRCLE.flatMap(({ addresses }) => Object.keys(addresses));
  const offered = Object.keys(DEFAULT_ASSETS).map((id) => id.slice("eip155:".length));
  const ids = new Set([...circle, ...offered, ...V1_NAMES.keys(), ...READ_CHAINS].map(Number));
  const rows = [...ids].toSorted((a, b) => a - b).map(renderNetwork);
  const content = [
    "// Generated by `bun run gen` from @x402/evm and viem: do not edit.",
    'import type { EvmRow } from "./types.ts";',
    "",
    `export const EVM_ROWS: readonly EvmRow[] = [\n${rows.join("\n")}\n];`,
    "",
  ].join("\n");
  return [{ path: FILE, content }];
}
