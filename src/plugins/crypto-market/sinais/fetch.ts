import type { FetchContext } from "intel-node";
import { readHistory } from "../shared/signals/history.ts";
import { MODEL_ID } from "../shared/signals/model.ts";
import { assertOpen, findFirstEvaluation } from "../shared/signals/opening.ts";
import { readSignalInputs, rewindSignals, type SignalInputs } from "../shared/signals/view.ts";

export interface SinaisInputs extends SignalInputs {
  readonly n_scored: number;
  readonly wins: number;
}

/** The ledger as it is; calls nobody. @throws NodeError no_history before the first evaluation. */
export async function fetchSinais(context: FetchContext): Promise<SinaisInputs> {
  assertOpen(await findFirstEvaluation(context), { what: "The first evaluation is made", now_ms: context.now_ms });
  const { entries } = await readHistory(context);
  const graded = entries.flatMap(({ graded, model_id }) => (graded && model_id === MODEL_ID ? [graded] : []));
  const wins = graded.filter(({ hit }) => hit).length;
  return { ...(await readSignalInputs(context)), n_scored: graded.length, wins };
}

export function rewindSinais(inputs: SinaisInputs): SinaisInputs | null {
  const earlier = rewindSignals(inputs);
  return earlier && { ...inputs, ...earlier };
}
