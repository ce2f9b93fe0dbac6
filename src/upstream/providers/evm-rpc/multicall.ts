import { Type } from "@sinclair/typebox";
import type { FetchContext } from "../../../catalog/context.ts";
import { isUnusable, type Unusable, unusable } from "../../../catalog/unusable.ts";
import { CLOCK_SKEW_MAX_MS } from "../clock-skew.ts";
import { fetchRPC } from "../json-rpc.ts";
import { evmRpc } from "./provider.ts";

/** Multicall3, at the same address on every chain. */
export const MULTICALL = "0xcA11bde05977b3631167028862bE2a173976CA11";
/** aggregate3((address target, bool allowFailure, bytes callData)[]) returns ((bool success, bytes returnData)[]). */
export const AGGREGATE = "0x82ad56cb";
/** getCurrentBlockTimestamp() */
export const BLOCK_TIME = "0x0f28c97d";

const WORD_HEX = 64;
const WORDS_MAX = 1_500;
/** Public nodes cap the gas of a call; a quote takes some hundred thousand. */
const CALLS_MAX = 48;

const HexWords = Type.String({ pattern: "^0x([0-9a-fA-F]{64})+$", maxLength: 2 + WORD_HEX * WORDS_MAX });

export interface ViewCall {
  readonly to: string;
  /** Selector and arguments, 0x-prefixed. */
  readonly data: string;
}

export interface MulticallRequest {
  readonly chain: string;
  readonly views: readonly ViewCall[];
  readonly ttl_ms: number;
  /** Refuses a node whose newest block is older than this; null for what never changes. */
  readonly age_max_ms: number | null;
}

export interface MulticallResult {
  /** Time of the block all of it was read at, ms: the older one when it took two calls. */
  readonly block_at_ms: number;
  /** The words each view returned, in order; null where it reverted. */
  readonly results: readonly (readonly string[] | null)[];
}

export const encodeWord = (value: bigint): string => value.toString(16).padStart(WORD_HEX, "0");
export const encodeAddress = (address: string): string => address.slice(2).toLowerCase().padStart(WORD_HEX, "0");

function encodeView({ to, data }: ViewCall): string {
  const bytes = data.slice(2);
  const padded = bytes.padEnd(Math.ceil(bytes.length / WORD_HEX) * WORD_HEX, "0");
  return encodeAddress(to) + encodeWord(1n) + encodeWord(96n) + encodeWord(BigInt(bytes.length / 2)) + padded;
}

/** Call data of aggregate3 where every view may fail by itself. Layout: Solidity's contract ABI specification. */
export function encodeAggregate(views: readonly ViewCall[]): string {
  const tuples = views.map(encodeView);
  let offset = views.length * 32;
  const offsets = tuples.map((tuple) => {
    const word = encodeWord(BigInt(offset));
    offset += tuple.length / 2;
    return word;
  });
  return `${AGGREGATE}${encodeWord(32n)}${encodeWord(BigInt(views.length))}${offsets.join("")}${tuples.join("")}`;
}

/** What each view of an aggregate3 returned, or why the answer cannot be read. */
export function decodeAggregate(hex: string, count: number): readonly (readonly string[] | null)[] | Unusable {
  const words = hex.slice(2).match(/.{64}/g) ?? [];
  const read = (index: number): number => Number(BigInt(`0x${words[index] ?? "f".repeat(16)}`));
  if (read(0) !== 32 || read(1) !== count) return unusable(`not the results of ${count} views`);
  const results: (readonly string[] | null)[] = [];
  for (let index = 0; index < count; index += 1) {
    const start = 2 + read(2 + index) / 32;
    const bytes = read(start + 2);
    const end = start + 3 + Math.ceil(bytes / 32);
    if (!Number.isInteger(start) || !(end <= words.length) || read(start + 1) !== 64)
      return unusable("an offset leads nowhere");
    results.push(read(start) === 1 && bytes % 32 === 0 ? words.slice(start + 3, end) : null);
  }
  return results;
}

function readBlockTime(words: readonly string[] | null | undefined, now_ms: number, age_max_ms: number | null) {
  const block_at_ms = Number(BigInt(`0x${words?.[0] ?? "0"}`)) * 1000;
  if (!Number.isSafeInteger(block_at_ms) || block_at_ms <= 0) return unusable("no block time");
  if (block_at_ms > now_ms + CLOCK_SKEW_MAX_MS) return unusable("the newest block lies in the future");
  if (age_max_ms !== null && now_ms - block_at_ms > age_max_ms) {
    return unusable(`the newest block is ${Math.round((now_ms - block_at_ms) / 1000)} s old`);
  }
  return block_at_ms;
}

/**
 * Reads many view functions of a chain at its newest block, in one call per 48 of them, together with the block's own
 * time, so that a node that lags behind is refused.
 * @throws UpstreamError
 */
export async function fetchViews(
  context: Pick<FetchContext, "get" | "now_ms">,
  { chain, views, ttl_ms, age_max_ms }: MulticallRequest,
): Promise<MulticallResult> {
  const chunks: (readonly ViewCall[])[] = [];
  for (let at = 0; at < views.length; at += CALLS_MAX) chunks.push(views.slice(at, at + CALLS_MAX));
  const parts = await Promise.all(
    chunks.map((chunk) => {
      const all = [{ to: MULTICALL, data: BLOCK_TIME }, ...chunk];
      return fetchRPC(context, evmRpc, {
        chain,
        method: "eth_call",
        params: [{ to: MULTICALL, data: encodeAggregate(all) }, "latest"],
        result: HexWords,
        ttl_ms,
        read(hex) {
          const results = decodeAggregate(hex, all.length);
          if (isUnusable(results)) return results;
          const block_at_ms = readBlockTime(results[0], context.now_ms, age_max_ms);
          return isUnusable(block_at_ms) ? block_at_ms : { block_at_ms, results: results.slice(1) };
        },
      });
    }),
  );
  return {
    block_at_ms: Math.min(...parts.map((part) => part.block_at_ms)),
    results: parts.flatMap((part) => part.results),
  };
}
