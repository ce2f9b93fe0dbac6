import { Type } from "@sinclair/typebox";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import type { FetchContext, WritableHistory } from "../../../../catalog/context.ts";
import { renderTime } from "../../../../core/clock.ts";
import { gdelt } from "../../../../upstream/providers/gdelt/provider.ts";
import type { Tone } from "../../../../upstream/providers/gdelt/tone.ts";

/** What the world's news is asked about. */
export const TONE_QUERIES = {
  market: '(cryptocurrency OR "crypto market")',
  BTC: "(bitcoin OR BTC)",
  ETH: "(ethereum OR ETH)",
  SOL: '(solana OR "SOL token")',
} as const;
export type ToneScope = keyof typeof TONE_QUERIES;

export const TONE_SCOPES: readonly ToneScope[] = ["market", "BTC", "ETH", "SOL"];
export const isToneScope = (text: string): text is ToneScope => TONE_SCOPES.some((scope) => scope === text);

const HOUR_MS = 3_600_000;
/** It is pulled every hour and often refuses: the last good value is used for this long, with its time. */
const AGE_MAX_MS = 6 * HOUR_MS;
const KEPT_MS = 72 * HOUR_MS;

export interface StoredTone extends Tone {
  readonly fetched_at_ms: number;
}

const Stored = TypeCompiler.Compile(
  Type.Object({
    fetched_at_ms: Type.Integer(),
    mean: Type.Number({ minimum: -100, maximum: 100 }),
    n: Type.Integer({ minimum: 1 }),
    newest_at_ms: Type.Integer(),
  }),
);

const seriesOf = (scope: ToneScope): string => `crypto-market/gdelt-tone/${scope}`;

export async function writeTone(history: WritableHistory, scope: ToneScope, tone: StoredTone): Promise<void> {
  const { fetched_at_ms, mean, n, newest_at_ms } = tone;
  const value = { fetched_at_ms, mean, n, newest_at_ms };
  await history.write(seriesOf(scope), [{ at_ms: fetched_at_ms, value }]);
  await history.prune(seriesOf(scope), fetched_at_ms - KEPT_MS);
}

/** The newest tone of a scope, at most six hours old; null when there is none or the provider is off. */
export async function readTone(
  { history, now_ms, usable }: Pick<FetchContext, "history" | "now_ms" | "usable">,
  scope: ToneScope,
): Promise<StoredTone | null> {
  if (!usable(gdelt)) return null;
  const [newest] = await history.read(seriesOf(scope), { since_ms: now_ms - AGE_MAX_MS, until_ms: now_ms, limit: 1 });
  return newest && Stored.Check(newest.value) ? newest.value : null;
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
