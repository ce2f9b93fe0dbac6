import { Type } from "@sinclair/typebox";
import type { FetchContext } from "../../../catalog/context.ts";
import { unusable } from "../../../catalog/unusable.ts";
import { fetchRPC } from "../json-rpc.ts";
import { evmRpc } from "./provider.ts";

const Block = Type.Object({
  number: Type.String({ pattern: "^0x[0-9a-f]{1,12}$" }),
  hash: Type.String({ pattern: "^0x[0-9a-f]{64}$" }),
});

/** The hash of the block at a height, by the chain's first address, or its `second` one. @throws UpstreamError */
export async function fetchBlockHash(
  context: Pick<FetchContext, "get">,
  { chain, block, second = false }: { readonly chain: string; readonly block: number; readonly second?: boolean },
): Promise<string> {
  const { hash } = await fetchRPC(context, evmRpc, {
    chain,
    method: "eth_getBlockByNumber",
    params: [`0x${block.toString(16)}`, false],
    result: Block,
    ttl_ms: 0,
    timeout_ms: 2_500,
    second,
    read: (read: { number: string; hash: string }) =>
      Number(read.number) === block ? read : unusable(`block ${Number(read.number)} instead of ${block}`),
  });
  return hash;
}
