import { Type } from "@sinclair/typebox";
import { type FetchContext, requireChainId } from "intel-node";
import { honeypotIs } from "./provider.ts";

const Percent = Type.Optional(Type.Union([Type.Number({ minimum: 0, maximum: 100 }), Type.Null()]));

const Answer = Type.Object({
  summary: Type.Optional(Type.Object({ riskLevel: Type.Optional(Type.Union([Type.Number(), Type.Null()])) })),
  simulationSuccess: Type.Boolean(),
  honeypotResult: Type.Optional(Type.Object({ isHoneypot: Type.Boolean() })),
  simulationResult: Type.Optional(Type.Object({ buyTax: Percent, sellTax: Percent })),
  contractCode: Type.Optional(Type.Object({ openSource: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])) })),
});

export interface HoneypotReading {
  /** Null where its simulation did not run, which says nothing about the token. */
  readonly is_honeypot: boolean | null;
  /** Fractions. */
  readonly buy_tax: number | null;
  readonly sell_tax: number | null;
  readonly risk_level: number | null;
  readonly open_source: boolean | null;
}

/** What honeypot.is found. It states no time. @throws UpstreamError */
export function fetchHoneypot(
  context: Pick<FetchContext, "get">,
  { chain, token }: { readonly chain: "ethereum" | "base"; readonly token: string },
): Promise<HoneypotReading> {
  const toFraction = (percent: number | null | undefined): number | null => (percent == null ? null : percent / 100);
  return context.get(honeypotIs, {
    path: `/IsHoneypot?address=${token}&chainID=${requireChainId(chain)}`,
    schema: Answer,
    ttl_ms: 60_000,
    read: ({ summary, simulationSuccess, honeypotResult, simulationResult, contractCode }): HoneypotReading => ({
      is_honeypot: simulationSuccess ? (honeypotResult?.isHoneypot ?? null) : null,
      buy_tax: simulationSuccess ? toFraction(simulationResult?.buyTax) : null,
      sell_tax: simulationSuccess ? toFraction(simulationResult?.sellTax) : null,
      risk_level: summary?.riskLevel ?? null,
      open_source: contractCode?.openSource ?? null,
    }),
  });
}
