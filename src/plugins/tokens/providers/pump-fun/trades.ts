import { Type } from "@sinclair/typebox";
import { type FetchContext, unusable, Whole } from "intel-node";
import { pumpFun } from "./provider.ts";

const Decimal = Type.Union([
  Type.Number(),
  Type.String({ pattern: "^-?[0-9]{1,24}(\\.[0-9]{1,40})?(e-?[0-9]{1,3})?$" }),
]);
const Answer = Type.Object({
  trades: Whole(
    "series",
    Type.Object({
      slotIndexId: Type.String({ pattern: "^[0-9]{12,40}$" }),
      timestamp: Type.String({ maxLength: 40 }),
      userAddress: Type.String({ minLength: 32, maxLength: 44 }),
      type: Type.Union([Type.Literal("buy"), Type.Literal("sell")]),
      baseAmount: Decimal,
    }),
    { maxItems: 200 },
  ),
  pagination: Type.Optional(Type.Object({ hasMore: Type.Optional(Type.Boolean()) })),
});

export interface PumpTrade {
  readonly slot: number;
  readonly at_ms: number;
  readonly wallet: string;
  readonly is_buy: boolean;
  /** Whole tokens. */
  readonly tokens: number;
}

export interface PumpTape {
  /** Oldest first. */
  readonly trades: readonly PumpTrade[];
  /** Whether it goes back to the launch. */
  readonly is_whole: boolean;
}

const SLOT_DIGITS = 12;

/** The last 100 trades of a coin. @throws UpstreamError */
export function fetchPumpTrades(context: Pick<FetchContext, "get">, mint: string): Promise<PumpTape> {
  return context.get(pumpFun, {
    host: "trades",
    path: `/v2/coins/${mint}/trades?limit=100`,
    schema: Answer,
    ttl_ms: 60_000,
    read({ trades, pagination }) {
      if (trades.length === 0) return unusable("no trade at all");
      const read = trades.map(({ slotIndexId, timestamp, userAddress, type, baseAmount }) => ({
        slot: Number(slotIndexId.slice(0, SLOT_DIGITS)),
        at_ms: Date.parse(timestamp),
        wallet: userAddress,
        is_buy: type === "buy",
        tokens: Number(baseAmount),
      }));
      if (read.some(({ at_ms, tokens }) => !Number.isFinite(at_ms) || !(tokens >= 0)))
        return unusable("a trade without time or amount");
      return { trades: read.reverse(), is_whole: pagination?.hasMore === false };
    },
  });
}
