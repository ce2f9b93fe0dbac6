import { logNameOf } from "./checkpoints.ts";
import { readCheckpoint } from "./log-proof.ts";
import { LOG_ROWS, type LogRow } from "./log-rows.ts";
import type { AskPeer, PeerSteps } from "./peer-types.ts";
import { isNoteSignedBy } from "./signed-note.ts";
import { judgeNote, renderJudgement, type WitnessPolicy } from "./witness-policy.ts";

export interface PeerLogOptions {
  /** Who is behind the address; null when that is not proven. */
  readonly signed: { readonly node_id: string; readonly node_key: string } | null;
  readonly ask: AskPeer;
  readonly steps: PeerSteps;
  /** Whose cosignatures make a history one that others saw as well. */
  readonly policy: WitnessPolicy;
}

/**
 * Reads how far each of a node's logs has come, and whether the witnesses of a policy saw the same: one request for
 * each. A log without an entry is nothing to cosign; where all of them are, the quorum is unproven.
 * @param origin without a slash at its end.
 */
export async function checkPeerLogs(origin: string, options: PeerLogOptions): Promise<void> {
  const { signed, steps } = options;
  if (signed === null) return steps.add("witnesses", "unproven", "whose histories these are is not proven");
  const sizes: (number | null)[] = [];
  for (const row of LOG_ROWS) sizes.push(await checkLog(row, { ...options, origin, signed }));
  if (sizes.every((size) => size === 0)) {
    steps.add("witnesses", "unproven", "its logs have no entry yet: there is nothing to cosign");
  }
}

interface LogOptions extends PeerLogOptions {
  readonly origin: string;
  readonly signed: NonNullable<PeerLogOptions["signed"]>;
}

/** @returns how many entries the log has; null where it does not say so. */
async function checkLog(
  { name: own, prefix }: LogRow,
  { origin, signed, ask, steps, policy }: LogOptions,
): Promise<number | null> {
  const name = `witnesses of ${own}`;
  const url = `${origin}${prefix}/checkpoint`;
  const answer = await ask(url);
  if ("failed" in answer || answer.status !== 200) {
    steps.add(name, "unproven", "failed" in answer ? answer.failed : `${url} answers ${answer.status}`);
    return null;
  }
  const checkpoint = readCheckpoint(answer.text);
  const log = logNameOf(signed.node_id, own);
  const key = { name: log, public_key: signed.node_key };
  if (checkpoint?.origin !== log || !isNoteSignedBy(checkpoint.note, key)) {
    steps.add(name, "failed", `${url} is no checkpoint of ${log}, signed by its key`);
    return null;
  }
  if (checkpoint.size === 0) {
    steps.add(name, "ok", "it has no entry, and nothing to cosign");
    return 0;
  }
  const judgement = judgeNote(policy, checkpoint.note);
  const detail = `${renderJudgement(judgement)}; ${checkpoint.size} entries`;
  steps.add(name, judgement.is_met ? "ok" : "unproven", detail);
  return checkpoint.size;
}
