import { type Static, Type } from "@sinclair/typebox";
import { cutForeign, type FetchContext, Rows, unusable } from "intel-node";
import { cleanId } from "../../text/clean-text.ts";
import { pumpFun } from "./provider.ts";

const Amount = Type.Union([Type.Number({ minimum: 0 }), Type.String({ pattern: "^[0-9]{1,24}$" })]);
const maybe = <S extends Parameters<typeof Type.Union>[0][number]>(schema: S) =>
  Type.Optional(Type.Union([schema, Type.Null()]));

const Address = Type.String({ pattern: "^[1-9A-HJ-NP-Za-km-z]{32,44}$" });
const Coin = Type.Object({
  mint: Address,
  name: Type.String(),
  symbol: Type.String(),
  creator: Address,
  created_timestamp: Type.Integer({ minimum: 1_500_000_000_000 }),
  complete: Type.Boolean(),
  virtual_sol_reserves: Amount,
  virtual_token_reserves: Amount,
  last_trade_timestamp: maybe(Type.Integer({ minimum: 0 })),
  pump_swap_pool: maybe(Type.String()),
});
const Answer = Type.Union([Rows(Coin, { maxItems: 200 }), Type.Object({ coins: Rows(Coin, { maxItems: 200 }) })]);

/** A coin of the launchpad and the state of its curve. */
export interface PumpCoin {
  readonly mint: string;
  /** Attacker's text. */
  readonly name: string;
  readonly symbol: string;
  readonly creator: string;
  readonly created_at_ms: number;
  readonly is_complete: boolean;
  /** Virtual reserves in SOL and whole tokens; null without them. */
  readonly v_sol: number | null;
  readonly v_tokens: number | null;
  readonly last_trade_at_ms: number | null;
  readonly pool: string | null;
}

const LAMPORTS = 1e9;
const UNITS = 1e6;
const LISTED_MAX = 50;

/** A curve whose reserves are gone is printed with zeros, and a coin that was never traded with a time of 0. */
const above0 = (value: number): number | null => (value > 0 ? value : null);

const toCoin = (coin: Static<typeof Coin>): PumpCoin => ({
  mint: coin.mint,
  name: cutForeign(coin.name),
  symbol: cutForeign(coin.symbol),
  creator: coin.creator,
  created_at_ms: coin.created_timestamp,
  is_complete: coin.complete,
  v_sol: above0(Number(coin.virtual_sol_reserves) / LAMPORTS),
  v_tokens: above0(Number(coin.virtual_token_reserves) / UNITS),
  last_trade_at_ms: above0(coin.last_trade_timestamp ?? 0),
  pool: cleanId(coin.pump_swap_pool),
});

/**
 * 50 coins, newest or last traded first.
 * @throws UpstreamError also when the newest is older than a day: the list is then stuck.
 */
export function fetchPumpCoins(
  context: Pick<FetchContext, "get" | "now_ms">,
  sort: "created_timestamp" | "last_trade_timestamp",
): Promise<readonly PumpCoin[]> {
  return context.get(pumpFun, {
    path: `/coins?offset=0&limit=${LISTED_MAX}&sort=${sort}&order=DESC&includeNsfw=false`,
    schema: Answer,
    ttl_ms: 15_000,
    read(answer) {
      const coins = ("coins" in answer ? answer.coins : answer).map(toCoin);
      if (coins.length === 0) return unusable("no coin at all");
      const newest_ms = Math.max(
        ...coins.map((coin) => (sort === "created_timestamp" ? coin.created_at_ms : (coin.last_trade_at_ms ?? 0))),
      );
      return context.now_ms - newest_ms > 86_400_000 ? unusable("the newest coin is more than a day old") : coins;
    },
  });
}
