import { Type } from "@sinclair/typebox";
import { defineProvider } from "../../../catalog/provider.ts";
import type { ErrorForm } from "../../../catalog/request.ts";

/** Jupiter's routers on Solana, by their API of swaps, version 2. */
export const jupiter = defineProvider({
  id: "jupiter",
  title: "Jupiter",
  docs_url: "https://dev.jup.ag/docs/swap/order-and-execute",
  base_urls: ["https://api.jup.ag"],
  terms: {
    class: "restricted",
    note: "Its licence forbids selling what the API returns, and naming what is made of it after Jupiter.",
  },
  key: { required: true, in: "header", name: "x-api-key" },
  // A free key has 1 call a second; what asks here makes at most 10 in a row.
  limits: { rate_per_s: 1, burst: 10, timeout_ms: 3_000, attempts: 2, body_bytes_max: 200_000 },
});

/** The other routers are market makers who quote for one taker: nobody else gets their price. */
export const METIS_ALONE = "excludeRouters=jupiterz,dflow,okx";

/** An amount or a token no pool has a way for: that is an answer, and no reason to doubt the next one. */
export const NO_ROUTE: readonly ErrorForm[] = [
  { status: 400, schema: Type.Object({ error: Type.Literal("Failed to get quotes") }), means: "not_found" },
];
