import { type Static, Type } from "@sinclair/typebox";
import { closed, nullable, number } from "intel-node";

export const PythPriceSchema = Type.Object(
  {
    symbol: Type.Literal("SOL/USD", { description: "Pair priced." }),
    feed_id: Type.String({
      description: "Pyth feed id, 64 hex digits; the same on every chain.",
      pattern: "^[0-9a-f]{64}$",
    }),
    price: Type.Number({ description: "Oracle price of 1 SOL, US dollars.", exclusiveMinimum: 0 }),
    conf: Type.Number({ description: "Pyth's confidence interval, about one standard error, US dollars.", minimum: 0 }),
    conf_bps: Type.Number({ description: "conf as a share of price, basis points.", minimum: 0, decimals: 2 }),
    lower: number("price - conf, US dollars.", { decimals: 10 }),
    upper: number("price + conf, US dollars.", { decimals: 10 }),
    lower_2conf: number("price - 2 conf, US dollars.", { decimals: 10 }),
    upper_2conf: number("price + 2 conf, US dollars.", { decimals: 10 }),
    exponent: Type.Integer({ description: "Power of ten the feed is stated in: -8 = 8 decimals." }),
    publish_time_at: Type.String({ description: "When Pyth published the price, ISO 8601 UTC." }),
    age_s: Type.Integer({ description: "Age of the price when it was read, seconds.", minimum: 0 }),
    publish_slot: nullable(Type.Integer(), "Slot in which it was published; null where the path states none."),
    slot_kind: nullable(
      Type.Union([Type.Literal("solana_posted_slot"), Type.Literal("pythnet_slot")]),
      "Whose slot publish_slot is: solana_posted_slot or pythnet_slot.",
    ),
    ema_price: nullable(Type.Number(), "Pyth's exponential moving average of the price, US dollars."),
    ema_conf: nullable(Type.Number(), "Confidence interval of ema_price, US dollars."),
    verification: nullable(
      Type.Literal("full"),
      "full: the ledger's program checked all guardian signatures; null: this node was the first to check.",
    ),
    path: Type.Union([Type.Literal("solana_push_feed"), Type.Literal("hermes"), Type.Literal("evm_contract")], {
      description: "How the price was obtained: solana_push_feed, hermes or evm_contract.",
    }),
    account: nullable(Type.String(), "Account or contract it was read from, to check it against the ledger."),
    context_slot: nullable(Type.Integer(), "Solana slot at which the account was read."),
    stale: Type.Boolean({ description: "True when the price is older than 120 s." }),
    spot_median: nullable(
      Type.Number({ digits: 8 }),
      "Median mid price of spot venues, US dollars; null with fewer than 2 venues.",
    ),
    deviation_bps: nullable(Type.Number({ decimals: 2 }), "price against spot_median, basis points."),
  },
  closed,
);

export type PythPriceData = Static<typeof PythPriceSchema>;
