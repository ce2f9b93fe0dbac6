import { type Static, Type } from "@sinclair/typebox";
import type { FetchContext } from "../../catalog/context.ts";
import type { ProviderDefinition } from "../../catalog/provider.ts";
import { Whole } from "../../catalog/rows.ts";
import { isUnusable, unusable } from "../../catalog/unusable.ts";
import { type BitcoinBlock, parseBitcoinBlock } from "./bitcoin-block.ts";
import { BlocksAnswer, readTip } from "./bitcoin-mempool.ts";
import { blockstream } from "./blockstream/provider.ts";
import { mempoolSpace } from "./mempool-space/provider.ts";

/** Explorers that list blocks and hand out their bytes, in the order they are asked. */
export const BITCOIN_EXPLORERS = [
  { provider: blockstream, blocks: "/blocks", block: (hash: string) => `/block/${hash}/raw` },
  { provider: mempoolSpace, blocks: "/api/v1/blocks", block: (hash: string) => `/api/block/${hash}/raw` },
] as const;
export type BitcoinExplorer = (typeof BITCOIN_EXPLORERS)[number];

/** The newest blocks as one explorer sees the chain. */
export interface BitcoinChain {
  readonly provider: ProviderDefinition;
  readonly height: number;
  /** By height; of the newest ten or more. */
  readonly hashes: ReadonlyMap<number, string>;
}

const Listed = Whole(
  "series",
  Type.Intersect([BlocksAnswer.items, Type.Object({ id: Type.String({ pattern: "^[0-9a-f]{64}$" }) })]),
  { minItems: 1, maxItems: 50 },
);
const Bytes = Type.Unsafe<Uint8Array>(Type.Unknown());
/** A block weighs at most 4,000,000 units, and a byte at least one (BIP 141). */
const BLOCK_BYTES_MAX = 4_100_000;

type Context = Pick<FetchContext, "get" | "now_ms">;

/** Hashes of an explorer's newest blocks; refused when the newest is older than 3 h. @throws UpstreamError */
export function fetchBitcoinChain(
  context: Context,
  { provider, blocks: path }: BitcoinExplorer,
): Promise<BitcoinChain> {
  return context.get(provider, {
    path,
    schema: Listed,
    ttl_ms: 10_000,
    read(blocks: Static<typeof Listed>) {
      const tip = readTip(blocks, context.now_ms);
      if (isUnusable(tip)) return tip;
      const hashes = new Map(blocks.map(({ height, id }) => [height, id]));
      return hashes.size === blocks.length
        ? { provider, height: tip.height, hashes }
        : unusable("two blocks of one height are listed");
    },
  });
}

/** A block read from its bytes, which hash to what was asked for. @throws UpstreamError */
export function fetchBitcoinBlock(
  context: Pick<FetchContext, "get">,
  { provider, block }: BitcoinExplorer,
  hash: string,
): Promise<BitcoinBlock> {
  return context.get(provider, {
    path: block(hash),
    format: "bytes",
    schema: Bytes,
    // Read once and stored.
    ttl_ms: 0,
    timeout_ms: 20_000,
    body_bytes_max: BLOCK_BYTES_MAX,
    read(bytes) {
      const read = parseBitcoinBlock(bytes);
      if (isUnusable(read)) return unusable(`a block that is none: ${read.why}`);
      return read.hash === hash ? read : unusable("the bytes are of another block");
    },
  });
}
