import { Type } from "@sinclair/typebox";
import type { FetchContext } from "../../../catalog/context.ts";
import { isUnusable, type Unusable, unusable } from "../../../catalog/unusable.ts";
import { matches } from "../../read-answer.ts";
import { CLOCK_SKEW_MAX_MS } from "../clock-skew.ts";
import { createBatch, RpcBatchAnswer, sortBatch } from "../json-rpc-batch.ts";
import { evmRpc } from "./provider.ts";

/** owner(), decimals(), totalSupply(). */
export const OWNER = "0x8da5cb5b";
export const DECIMALS_OF_TOKEN = "0x313ce567";
export const TOTAL_SUPPLY = "0x18160ddd";
/** Where a proxy keeps its implementation and its admin (ERC-1967). */
export const IMPLEMENTATION_SLOT = "0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc";
export const ADMIN_SLOT = "0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103";
const BLOCK_AGE_MAX_MS = 120_000;

const Word = Type.String({ pattern: "^0x[0-9a-fA-F]{64}$" });
const Code = Type.String({ pattern: "^0x([0-9a-fA-F]{2})*$", maxLength: 100_000 });
const Block = Type.Object({
  number: Type.String({ pattern: "^0x[0-9a-f]{1,12}$" }),
  timestamp: Type.String({ pattern: "^0x[0-9a-f]{1,12}$" }),
});

/** Who has power over a token's contract, as the chain says. */
export interface TokenPowers {
  readonly block: number;
  readonly block_at_ms: number;
  readonly has_code: boolean;
  /** What owner() returns, lower case; null where there is no such function. */
  readonly owner: string | null;
  readonly is_proxy: boolean;
  /** The admin of the proxy; null where none is stored. */
  readonly proxy_admin: string | null;
  readonly decimals: number | null;
  /** In the smallest unit. */
  readonly supply: bigint | null;
}

const ZERO = "0x0000000000000000000000000000000000000000";
const addressOf = (word: string): string => `0x${word.slice(-40).toLowerCase()}`;
const orNull = (address: string): string | null => (address === ZERO ? null : address);

/** Whether owner() names somebody; null where there is no such function. */
export const isOwned = ({ owner }: Pick<TokenPowers, "owner">): boolean | null =>
  owner === null ? null : owner !== ZERO;

/** Whether somebody can exchange the contract's code. */
export function isUpgradable(powers: TokenPowers): boolean {
  if (!powers.is_proxy) return false;
  // Without an admin of its own the implementation decides, and then whoever owns it does.
  return powers.proxy_admin !== null || isOwned(powers) !== false;
}

function readPowers(answers: RpcBatchAnswer, now_ms: number): TokenPowers | Unusable {
  const [block, code, owner, decimals, supply, implementation, admin] = answers.map(({ result }) => result);
  if (!matches(Block, block)) return unusable("the newest block has another shape");
  const block_at_ms = Number(block.timestamp) * 1000;
  if (block_at_ms > now_ms + CLOCK_SKEW_MAX_MS) return unusable("the newest block lies in the future");
  if (now_ms - block_at_ms > BLOCK_AGE_MAX_MS)
    return unusable(`the newest block is ${Math.round((now_ms - block_at_ms) / 1000)} s old`);
  if (!matches(Code, code)) return unusable("the code has another shape");
  if (!matches(Word, implementation) || !matches(Word, admin))
    return unusable("a slot of the storage could not be read");
  const number = (word: unknown): bigint | null => (matches(Word, word) ? BigInt(word) : null);
  const places = number(decimals);
  return {
    block: Number(block.number),
    block_at_ms,
    has_code: code.length > 2,
    owner: matches(Word, owner) ? addressOf(owner) : null,
    is_proxy: orNull(addressOf(implementation)) !== null,
    proxy_admin: orNull(addressOf(admin)),
    decimals: places !== null && places <= 77n ? Number(places) : null,
    supply: number(supply),
  };
}

/**
 * Owner, proxy and supply of a token at a node's newest block, in one batch; with `second` the chain's second address
 * is asked alone.
 * @throws UpstreamError also when that block is older than two minutes.
 */
export function fetchTokenPowers(
  context: Pick<FetchContext, "get" | "now_ms">,
  { chain, token, second = false }: { readonly chain: string; readonly token: string; readonly second?: boolean },
): Promise<TokenPowers> {
  const call = (data: string) => ({ method: "eth_call", params: [{ to: token, data }, "latest"] });
  const slot = (at: string) => ({ method: "eth_getStorageAt", params: [token, at, "latest"] });
  const calls = [
    { method: "eth_getBlockByNumber", params: ["latest", false] },
    { method: "eth_getCode", params: [token, "latest"] },
    ...[OWNER, DECIMALS_OF_TOKEN, TOTAL_SUPPLY].map(call),
    ...[IMPLEMENTATION_SLOT, ADMIN_SLOT].map(slot),
  ];
  return context.get(evmRpc, {
    path: "",
    chain,
    second,
    body: createBatch(calls),
    cost: calls.length,
    schema: RpcBatchAnswer,
    ttl_ms: 10_000,
    timeout_ms: 2_500,
    read(answers) {
      const sorted = sortBatch(answers, calls.length);
      return isUnusable(sorted) ? sorted : readPowers(sorted, context.now_ms);
    },
  });
}
