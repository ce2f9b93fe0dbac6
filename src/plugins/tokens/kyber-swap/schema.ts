import { type Static, Type } from "@sinclair/typebox";
import * as field from "../parameters/token-schema.ts";
import { SWAP_CHAINS } from "./pair.ts";

const { closed, nullable, number, oneOf, text } = field;

export const SwapParams = Type.Object(
  {
    pair: Type.Optional(
      Type.String({
        description: "BASE/QUOTE (also - and _): symbols of well-known tokens, or addresses.",
        default: "SOL/USDC",
        minLength: 3,
        maxLength: 100,
      }),
    ),
    amount: Type.Optional(
      Type.String({
        description: "Decimal amount of BASE; without it about 100 US dollars worth.",
        pattern: "^[0-9]{1,30}(\\.[0-9]{1,30})?$",
      }),
    ),
    chain: Type.Optional(oneOf(SWAP_CHAINS, "Without it Solana for SOL and mints, else Base.")),
    slippage_bps: Type.Optional(
      Type.Integer({ description: "Basis points.", minimum: 1, maximum: 1_000, default: 50 }),
    ),
  },
  closed,
);

const atomic = (description: string) => Type.String({ description: `${description} In the token's smallest unit.` });
const side = (description: string) =>
  Type.Object(
    {
      address: text("Its identity."),
      symbol: nullable(Type.String(), "Of a listed token, else null."),
      decimals: field.count("Places."),
    },
    { ...closed, description },
  );
const price = (description: string) => nullable(number("QUOTE per BASE.", { digits: 8 }), description);

export const SwapSchema = Type.Object(
  {
    chain: oneOf(SWAP_CHAINS, "Chain."),
    route_engine: text("Whose route it is."),
    base: side("What is sold."),
    quote: side("What is bought."),
    amount_in: atomic("What is sold."),
    amount_out: atomic("What arrives, after pool fees."),
    min_amount_out: atomic("The least that may arrive with the slippage asked for."),
    effective_price: number("QUOTE per BASE.", { digits: 8 }),
    mid_price: price("Middle of both tokens' deepest pools; null where one has no price."),
    price_impact_pct: nullable(number("Percent.", { decimals: 4 }), "How much worse than mid_price; null without it."),
    provider_impact_pct: nullable(
      number("Percent.", { decimals: 4 }),
      "What the service itself says; null where it says nothing.",
    ),
    slippage_bps: field.count("Basis points."),
    gas_usd: nullable(number("US dollars.", { decimals: 4 }), "What the service expects; null where it does not say."),
    route: Type.Array(
      Type.Object(
        {
          venue: text("Exchange."),
          pool: nullable(Type.String(), "Null where the service does not say."),
          share_pct: nullable(
            number("Percent.", { decimals: 2 }),
            "Part of the amount",
            "behind the first hop, or where the service does not say",
          ),
          token_in: text("Token."),
          token_out: text("Token."),
        },
        closed,
      ),
      { description: "In order, path by path, at most 20." },
    ),
    round_trip_loss_pct: nullable(
      number("Percent.", { decimals: 4 }),
      "The loss of selling amount_out back at once; null without a quote.",
    ),
    quoted_at: text("When it was asked for."),
    expires_in_s: Type.Literal(15, { description: "Take it for gone after this." }),
    alternatives: Type.Array(
      Type.Object(
        {
          provider: text("Service."),
          amount_out: atomic("What it pays."),
          delta_bps: number("Against the one chosen.", { decimals: 2 }),
        },
        closed,
      ),
      { description: "Other services that answered." },
    ),
    not_advice: Type.Literal(true, { description: "A quote: nothing is signed, built or held." }),
  },
  closed,
);
export type SwapData = Static<typeof SwapSchema>;
