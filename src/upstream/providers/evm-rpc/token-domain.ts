import type { FetchContext } from "../../../catalog/context.ts";
import { fetchViews } from "./multicall.ts";

/** What an EIP-3009 token's contract calls itself: its EIP-712 domain. */
export interface TokenDomain {
  readonly name: string | null;
  readonly version: string | null;
}

/** name() and version(). */
export const NAME = "0x06fdde03";
export const VERSION = "0x54fd4d50";
const TTL_MS = 3_600_000;
const CHARS_MAX = 64;

/** A string as the ABI returns it: offset, length, bytes. Null when it is none, or longer than names are. */
export function readString(words: readonly string[] | null | undefined): string | null {
  const [offset = "", length = "", ...rest] = words ?? [];
  const chars = Number(BigInt(`0x${length || "ff"}`));
  if (BigInt(`0x${offset || "0"}`) !== 32n || chars > CHARS_MAX) return null;
  return Buffer.from(rest.join("").slice(0, chars * 2), "hex").toString("utf8");
}

/**
 * The name and version a token signs with.
 * @throws UpstreamError
 */
export async function fetchTokenDomain(
  context: Pick<FetchContext, "get" | "now_ms">,
  { chain, token }: { readonly chain: string; readonly token: string },
): Promise<TokenDomain> {
  const views = [NAME, VERSION].map((data) => ({ to: token, data }));
  const { results } = await fetchViews(context, { chain, views, ttl_ms: TTL_MS, age_max_ms: null });
  return { name: readString(results[0]), version: readString(results[1]) };
}
