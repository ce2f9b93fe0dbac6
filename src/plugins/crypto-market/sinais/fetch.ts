import type { FetchContext } from "intel-node";
import { readHistory } from "../signals/history.ts";
import { MODEL_ID } from "../signals/model.ts";
import { assertOpen, findFirstEvaluation } from "../signals/opening.ts";
import type { Graded } from "../signals/performance.ts";
import { readSignalInputs, rewindSignals, type SignalInputs } from "../signals/view.ts";

export interface SinaisInputs extends SignalInputs {
  /** Graded signals of the present model. */
  readonly graded: readonly Graded[];
}

/** The ledger as it is; makes no calls. @throws NodeError no_history before the first evaluation. */
export async function fetchSinais(context: FetchContext): Promise<SinaisInputs> {
  assertOpen(await findFirstEvaluation(context), { what: "The first evaluation is made", now_ms: context.now_ms });
  const { entries } = await readHistory(context);
  const graded = entries.flatMap(({ graded, model_id }) => (graded && model_id === MODEL_ID ? [graded] : []));
  return { ...(await readSignalInputs(context)), graded };
}

export function rewindSinais(inputs: SinaisInputs): SinaisInputs | null {
  const earlier = rewindSignals(inputs);
  return earlier && { ...inputs, ...earlier };
}
