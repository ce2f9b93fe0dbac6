import { Type } from "@sinclair/typebox";

/** The keys of a trading venue in `[providers.<id>]`. */
export const TakerConfig = Type.Object({
  taker_bps: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1_000,
      description: "your taker fee there in basis points (40 = 0.4 %), instead of its lowest public one",
      example: 40,
    }),
  ),
});
