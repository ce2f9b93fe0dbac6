import { Type } from "@sinclair/typebox";

/** The operator's settings of tokens and flows: `[plugins.tokens]`. */
export const config = Type.Object({
  swap_path: Type.String({
    default: "/kyber-swap",
    maxLength: 40,
    // Jupiter's licence forbids its name on what others route.
    pattern: "^/(?!jupiter-)[a-z0-9]+(-[a-z0-9]+)*-swap$",
    description: "path of the swap quote; [prices] and products that ask go on naming it /kyber-swap",
  }),
  swap_engines: Type.Array(
    Type.Union([Type.Literal("raydium"), Type.Literal("jupiter"), Type.Literal("kyberswap"), Type.Literal("velora")]),
    {
      default: ["raydium", "jupiter", "kyberswap", "velora"],
      minItems: 1,
      uniqueItems: true,
      description:
        "services asked for swap quotes: raydium and jupiter (by key and terms_ack) on Solana, others on EVM chains",
    },
  ),
});
