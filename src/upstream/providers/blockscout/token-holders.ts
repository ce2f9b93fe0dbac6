import { Type } from "@sinclair/typebox";
import type { FetchContext } from "../../../catalog/context.ts";
import { Whole } from "../../../catalog/rows.ts";
import { unusable } from "../../../catalog/unusable.ts";
import { cutForeign } from "../../../core/foreign-text.ts";
import { blockscout } from "./provider.ts";

const Holders = Type.Object({
  items: Whole(
    "sum",
    Type.Object({
      address: Type.Object({
        hash: Type.String({ pattern: "^0x[0-9a-fA-F]{40}$" }),
        is_contract: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
        name: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      }),
      value: Type.String({ pattern: "^[0-9]{1,78}$" }),
    }),
    { maxItems: 200 },
  ),
});

export interface ExplorerHolder {
  readonly address: string;
  readonly is_contract: boolean;
  /** As its source was verified under; attacker's text. */
  readonly name: string | null;
  /** In the token's smallest unit. */
  readonly value: bigint;
}

/**
 * The largest holders of a token, at most 50, largest first. The explorer states no time: it is as new as the call.
 * @throws UpstreamError
 */
export function fetchTokenHolders(
  context: Pick<FetchContext, "get">,
  { chain, token }: { readonly chain: "ethereum" | "base"; readonly token: string },
): Promise<readonly ExplorerHolder[]> {
  return context.get(blockscout, {
    path: `/tokens/${token}/holders`,
    host: chain,
    schema: Holders,
    ttl_ms: 120_000,
    read({ items }) {
      if (items.length === 0) return unusable("no holder of this token");
      return items.map(({ address, value }) => ({
        address: address.hash,
        is_contract: address.is_contract ?? false,
        name: address.name == null ? null : cutForeign(address.name),
        value: BigInt(value),
      }));
    },
  });
}
