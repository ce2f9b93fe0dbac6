import { Type } from "@sinclair/typebox";
import type { FetchContext } from "../../../catalog/context.ts";
import { Whole } from "../../../catalog/rows.ts";
import { unusable } from "../../../catalog/unusable.ts";
import { fetchRPC } from "../json-rpc.ts";
import { encodeAddress, encodeWord } from "./multicall.ts";
import { evmRpc } from "./provider.ts";

/** balanceOf(address), transfer(address,uint256). */
export const BALANCE_OF = "0x70a08231";
export const TRANSFER = "0xa9059cbb";
/** Somebody who never held anything: what a buyer is to a token. */
export const TRADER = "0x00000000000000000000000000000000b0ffe712";

const Call = Type.Object({
  status: Type.String({ pattern: "^0x[01]$" }),
  returnData: Type.String({ pattern: "^0x([0-9a-fA-F]{2})*$", maxLength: 20_000 }),
});
const Result = Whole(
  "parts",
  Type.Object({
    timestamp: Type.String({ pattern: "^0x[0-9a-f]{1,12}$" }),
    calls: Whole("parts", Call, { minItems: 3, maxItems: 3 }),
  }),
  { minItems: 2, maxItems: 2 },
);

/** What became of a purchase and a sale that never were. */
export interface TradeSimulation {
  readonly can_buy: boolean;
  /** Null where it could not be tried, because nothing was bought. */
  readonly can_sell: boolean | null;
  /** Part of the amount that did not arrive, 0 to 1; null where the transfer failed. */
  readonly buy_tax: number | null;
  readonly sell_tax: number | null;
}

const isDone = (call: { status: string; returnData: string }): boolean =>
  // Some old tokens return nothing; one that returns false has refused.
  call.status === "0x1" && (call.returnData === "0x" || BigInt(call.returnData) !== 0n);
const amountOf = ({ returnData }: { returnData: string }): bigint | null =>
  returnData.length === 66 ? BigInt(returnData) : null;

function taxOf(before: bigint | null, after: bigint | null, sent: bigint): number | null {
  if (before === null || after === null) return null;
  // More than was sent: a token that gives something on top takes nothing.
  return Math.max(0, 1 - Number(after - before) / Number(sent));
}

/**
 * Buys a token out of its pool and sells half of it into the pool in the block after, on the node's own copy of
 * the newest block (eth_simulateV1, execution-apis): the transfers a swap would make, without the exchange.
 * @param amount in the token's smallest unit, less than the pool holds.
 * @throws UpstreamError also where the node cannot simulate.
 */
export function simulateTrade(
  context: Pick<FetchContext, "get">,
  {
    chain,
    token,
    pool,
    amount,
  }: { readonly chain: string; readonly token: string; readonly pool: string; readonly amount: bigint },
): Promise<TradeSimulation> {
  const half = amount / 2n;
  const call = (from: string, data: string) => ({ from, to: token, data });
  const balance = (of: string) => call(TRADER, BALANCE_OF + encodeAddress(of));
  const send = (from: string, to: string, value: bigint) =>
    call(from, TRANSFER + encodeAddress(to) + encodeWord(value));
  const blocks = [
    { calls: [balance(TRADER), send(pool, TRADER, amount), balance(TRADER)] },
    { calls: [balance(pool), send(TRADER, pool, half), balance(pool)] },
  ];
  return fetchRPC(context, evmRpc, {
    chain,
    method: "eth_simulateV1",
    params: [{ blockStateCalls: blocks, validation: false }, "latest"],
    result: Result,
    ttl_ms: 30_000,
    timeout_ms: 2_500,
    read([bought, sold]) {
      const [had, buy, has] = bought?.calls ?? [];
      const [pool_had, sale, pool_has] = sold?.calls ?? [];
      if (!had || !buy || !has || !pool_had || !sale || !pool_has) return unusable("a call is missing");
      const can_buy = isDone(buy);
      const buy_tax = can_buy ? taxOf(amountOf(had), amountOf(has), amount) : null;
      // With more than half of it gone there is not enough to sell: then the sale says nothing.
      const was_tried = can_buy && buy_tax !== null && buy_tax <= 0.5;
      const can_sell = was_tried ? isDone(sale) : null;
      return {
        can_buy,
        can_sell,
        buy_tax,
        sell_tax: can_sell ? taxOf(amountOf(pool_had), amountOf(pool_has), half) : null,
      };
    },
  });
}
