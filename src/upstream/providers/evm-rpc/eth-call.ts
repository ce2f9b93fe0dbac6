import { Type } from "@sinclair/typebox";
import type { FetchContext } from "../../../catalog/context.ts";
import { type Unusable, unusable } from "../../../catalog/unusable.ts";
import { fetchRPC } from "../json-rpc.ts";
import { evmRpc } from "./provider.ts";

const WORD_HEX = 64;
const WORDS_MAX = 64;

/** The 32-byte words a contract returned. */
const HexWords = Type.String({ pattern: "^0x([0-9a-fA-F]{64})+$", maxLength: 2 + WORD_HEX * WORDS_MAX });

/** Unsigned value of a word. */
export const toUint = (word: string): bigint => BigInt(`0x${word}`);

/** Two's complement value of a word; the ABI extends the sign of shorter integers to the whole word. */
export const toInt = (word: string): bigint => BigInt.asIntN(256, toUint(word));

const splitWords = (hex: string): string[] => hex.slice(2).match(/.{64}/g) ?? [];

export interface ContractCall<T extends object> {
  readonly chain: string;
  readonly to: string;
  /** Selector and arguments, 0x-prefixed. */
  readonly data: string;
  /** How many words the function returns. */
  readonly words: number;
  readonly ttl_ms: number;
  readonly timeout_ms?: number;
  readonly read: (words: readonly string[]) => T | Unusable;
}

/**
 * Calls a view function at the newest block. No code at the address answers "0x" and is refused.
 * @throws UpstreamError
 */
export function fetchContract<T extends object>(context: Pick<FetchContext, "get">, call: ContractCall<T>): Promise<T> {
  return fetchRPC(context, evmRpc, {
    chain: call.chain,
    method: "eth_call",
    params: [{ to: call.to, data: call.data }, "latest"],
    result: HexWords,
    ttl_ms: call.ttl_ms,
    ...(call.timeout_ms === undefined ? {} : { timeout_ms: call.timeout_ms }),
    read(hex) {
      const words = splitWords(hex);
      if (words.length !== call.words) return unusable(`${words.length} words instead of ${call.words}`);
      return call.read(words);
    },
  });
}
