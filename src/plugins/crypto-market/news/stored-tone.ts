import { Type } from "@sinclair/typebox";
import { defineSeries, type FetchContext, type JobContext, renderTime } from "intel-node";
import { gdelt } from "intel-node/providers/gdelt/provider";
import type { Tone } from "intel-node/providers/gdelt/tone";

/** The queries to the world's news. */
export const TONE_QUERIES = {
  market: '(cryptocurrency OR "crypto market")',
  BTC: "(bitcoin OR BTC)",
  ETH: "(ethereum OR ETH)",
  SOL: '(solana OR "SOL token")',
} as const;
export type ToneScope = keyof typeof TONE_QUERIES;

export const TONE_SCOPES: readonly ToneScope[] = ["market", "BTC", "ETH", "SOL"];
export const isToneScope = (text: string): text is ToneScope => TONE_SCOPES.some((scope) => scope === text);

export interface StoredTone extends Tone {
  readonly fetched_at_ms: number;
}

const tones = defineSeries({
  name: "crypto-market/gdelt-tone",
  value: Type.Object({
    fetched_at_ms: Type.Integer(),
    mean: Type.Number({ minimum: -100, maximum: 100 }),
    n: Type.Integer({ minimum: 1 }),
    newest_at_ms: Type.Integer(),
  }),
  keep: "72h",
  storage: "disposable",
});

export const writeTone = (context: JobContext, scope: ToneScope, tone: StoredTone): Promise<void> => {
  const { fetched_at_ms, mean, n, newest_at_ms } = tone;
  return tones.write(context, { fetched_at_ms, mean, n, newest_at_ms }, { of: scope });
};

/**
 * The newest tone of a scope; null without a tone, or when the provider is off. It is pulled every hour and often
 * refused: the last good value is used for six hours, with its time.
 */
export async function readTone(
  context: Pick<FetchContext, "history" | "now_ms" | "usable">,
  scope: ToneScope,
): Promise<StoredTone | null> {
  if (!context.usable(gdelt)) return null;
  return (await tones.newest(context, { of: scope, max_age: "6h" }))?.value ?? null;
}

export function citeTone(context: Pick<FetchContext, "cite">, { fetched_at_ms }: StoredTone): void {
  const { attribution } = gdelt.terms;
  context.cite({
    provider: gdelt.id,
    url: `${gdelt.base_urls[0]}/doc`,
    fetched_at: renderTime(fetched_at_ms),
    ok: true,
    ...(attribution ? { attribution: { ...attribution } } : {}),
  });
}
