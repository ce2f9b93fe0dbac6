import { type FetchContext, NodeError, outcomeOf, toNodeError } from "intel-node";
import { type DexPair, fetchTokenPairs, TOKENS_PER_CALL } from "intel-node/providers/dexscreener/pairs";
import {
  countLaunches,
  type FactoryWatch,
  isFactoryChain,
  readFactoryWatch,
  readOrigins,
} from "../launches/factory-watch.ts";
import { citeStored, readNewest, type StoredAssessment } from "../launches/store.ts";

export interface LaunchSniperInputs {
  readonly read_at_ms: number;
  readonly rows: readonly StoredAssessment[];
  readonly pairs: readonly DexPair[];
  /** The source of each launch, by token. */
  readonly origins: ReadonlyMap<string, string>;
  readonly launched: number;
  readonly watch: FactoryWatch | null;
}

/** Verdicts of the last half hour and what their pools do now. @throws NodeError when nothing was judged. */
export async function fetchLaunchSniper(
  context: FetchContext,
  { chain, max_age_min }: { readonly chain: string; readonly max_age_min: number },
): Promise<LaunchSniperInputs> {
  const oldest_ms = context.now_ms - max_age_min * 60_000;
  const rows = (await readNewest(context, chain))
    .filter(({ created_at_ms }) => created_at_ms >= oldest_ms)
    .slice(0, 60);
  if (rows.length === 0) {
    throw new NodeError(
      "upstream_unavailable",
      `No launch on ${chain} of that age was judged in the last 30 minutes. Nothing was charged.`,
    );
  }
  const chunks = Array.from({ length: Math.ceil(rows.length / TOKENS_PER_CALL) }, (_, index) =>
    rows.slice(index * TOKENS_PER_CALL, (index + 1) * TOKENS_PER_CALL).map(({ token }) => token),
  );
  const lists = await Promise.all(chunks.map((tokens) => outcomeOf(fetchTokenPairs(context, { chain, tokens }))));
  const errors = lists.flatMap((list) => (list.ok ? [] : [list.error]));
  if (errors.length > 0) throw toNodeError(errors, "the pools of these launches");
  citeStored(context, rows);
  const watch = isFactoryChain(chain) ? await readFactoryWatch(context, chain, max_age_min * 60_000) : null;
  const [origins, launched] = await Promise.all([
    readOrigins(
      context,
      chain,
      rows.map(({ token }) => token),
    ),
    countLaunches(context, chain, oldest_ms),
  ]);
  const pairs = lists.flatMap((list) => (list.ok ? list.value : []));
  return { read_at_ms: context.now_ms, rows, pairs, origins, launched, watch };
}
