import { type FetchContext, NodeError, type Outcome, outcomeOf, toNodeError } from "intel-node";
import type { Hit } from "../search/hit.ts";
import { settings } from "../settings.ts";
import { chooseGeneral, LAST, type SearchEngine, SPECIAL } from "./engines.ts";

export interface EngineAnswer {
  readonly engine: Pick<SearchEngine, "id" | "weight">;
  readonly is_general: boolean;
  /** Null when it did not answer. */
  readonly hits: readonly Hit[] | null;
}
export interface WebSearchInputs {
  readonly q: string;
  readonly answers: readonly EngineAnswer[];
  readonly read_at_ms: number;
}

const ANSWERS_MIN = 2;

/**
 * Every engine at once. "Nothing found" is an answer when two of them say so.
 * @throws NodeError when none answered, or only one did and found nothing.
 */
export async function fetchWebSearch(context: FetchContext, q: string): Promise<WebSearchInputs> {
  const general = chooseGeneral(context.config(settings).search_order, (provider) => context.usable(provider));
  const special = SPECIAL.filter(({ provider }) => context.usable(provider));
  const errors: unknown[] = [];
  const ask = async (engine: SearchEngine): Promise<EngineAnswer> => {
    const outcome: Outcome<readonly Hit[]> = await outcomeOf(engine.search(context, q));
    if (!outcome.ok) errors.push(outcome.error);
    const { id, weight } = engine;
    return { engine: { id, weight }, is_general: general.includes(engine), hits: outcome.ok ? outcome.value : null };
  };
  const answers = await Promise.all([...general, ...special].map(ask));
  const found = answers.some(({ hits }) => (hits?.length ?? 0) > 0);
  if (!found && context.usable(LAST.provider)) answers.push(await ask(LAST));
  const heard = answers.filter(({ hits }) => hits !== null);
  if (heard.length === 0) throw toNodeError(errors, "search");
  if (heard.length < ANSWERS_MIN && heard.every(({ hits }) => hits?.length === 0)) {
    const message = "Only one engine answered, and it found nothing. Nothing was charged.";
    throw new NodeError("upstream_unavailable", message, { of_request: true });
  }
  return { q, answers, read_at_ms: context.now_ms };
}
