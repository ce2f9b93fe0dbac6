import { type Static, Type } from "@sinclair/typebox";
import { type FetchContext, type OtherAnswer, type Outcome, outcomeOf } from "intel-node";
import { type BrazilParts, fetchBrazilParts } from "../written/parts.ts";

/** What is read of the crypto market. */
export const CryptoSchema = Type.Object({
  prices: Type.Array(Type.Object({ symbol: Type.String(), price_usd: Type.Number(), chg_24h_pct: Type.Number() })),
  regime: Type.Union([Type.Object({ regime: Type.String() }), Type.Null()]),
  fear_greed: Type.Union([Type.Object({ value: Type.Number() }), Type.Null()]),
});

export interface RelatorioInputs {
  readonly parts: BrazilParts;
  readonly crypto: Outcome<OtherAnswer<Static<typeof CryptoSchema>>>;
}

/** Everything at once. */
export async function fetchRelatorio(context: FetchContext): Promise<RelatorioInputs> {
  const [parts, crypto] = await Promise.all([
    fetchBrazilParts(context),
    outcomeOf(context.ask("/market-brief", {}, CryptoSchema)),
  ]);
  return { parts, crypto };
}
