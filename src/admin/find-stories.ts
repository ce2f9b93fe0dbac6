import { parseDuration } from "../core/duration.ts";
import { networkById } from "../payments/networks/table.ts";
import type { FindAnswer } from "./answers.ts";
import { readLogLines } from "./log-lines.ts";
import type { OperatedCore, OperatedStart } from "./operated-node.ts";
import { readStoryWord, renderAsked, renderStories } from "./render-stories.ts";

const LINES_MAX = 20;

/** Everything the running node knows of the subject of a complaint. A request's id is in the log only. */
export async function findStories(
  { log, clock }: OperatedStart,
  core: OperatedCore,
  given: string,
): Promise<FindAnswer> {
  const word = readStoryWord(given);
  const lines = readLogLines(log)
    .filter(({ request_id }) => request_id === word.word)
    .slice(-LINES_MAX)
    .toReversed();
  const receipt_id = lines.map((line) => line.receipt_id).find((id) => typeof id === "string");
  const asked = receipt_id === undefined ? word : { word: receipt_id, key_hash: null };
  const answer = renderStories(word, await core.ledger.stories.find(asked), {
    now_ms: clock.now(),
    replay_window_ms: parseDuration(core.in_force.config.payments.replay_window),
    askedOf: (sha256) => {
      const kept = core.inputs?.getText(sha256) ?? null;
      return kept === null ? null : renderAsked(kept.recipe);
    },
    explorerUrl: (network, transaction) => networkById(network)?.explorerUrl(transaction) ?? null,
  });
  return { ...answer, log: lines };
}
