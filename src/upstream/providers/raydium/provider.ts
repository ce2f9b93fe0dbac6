import { Type } from "@sinclair/typebox";
import { defineProvider } from "../../../catalog/provider.ts";
import type { ErrorForm } from "../../../catalog/request.ts";

/** Raydium's quote service: routes over its own pools on Solana. */
export const raydium = defineProvider({
  id: "raydium",
  title: "Raydium",
  docs_url: "https://docs.raydium.io/raydium/for-developers/trade-api",
  base_urls: ["https://transaction-v1.raydium.io"],
  terms: { class: "unclear", note: "Keyless quotes for applications; no word on selling them on was found." },
  // No limit is published. What asks here makes at most 10 calls in a row.
  limits: { rate_per_s: 2, burst: 10, timeout_ms: 3_000, attempts: 2, body_bytes_max: 200_000 },
});

/** An amount or a token its pools have no way for: that is an answer, and no reason to doubt the next one. */
export const NO_ROUTE: readonly ErrorForm[] = [
  {
    status: 200,
    schema: Type.Object({ success: Type.Literal(false), msg: Type.Literal("ROUTE_NOT_FOUND") }),
    means: "not_found",
  },
];
