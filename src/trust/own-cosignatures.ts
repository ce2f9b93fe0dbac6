import { Type } from "@sinclair/typebox";
import { compileSchema } from "../core/compile-schema.ts";
import { nodeIdOf } from "../core/identity.ts";
import { parseJSON } from "../core/json-values.ts";
import { fetchJSON, findKeyFault, isSandbox, listOrigins, type PeersOptions } from "./ask-peers.ts";
import type { Checkpoints } from "./checkpoints.ts";
import { readCheckpoint, renderAddCheckpoint } from "./log-proof.ts";
import { getShownLog, LOG_ROWS, type LogRow, type ShownLogOptions } from "./log-rows.ts";
import { type NoteKey, readCosignedAt, readNote, readWitnessKey } from "./signed-note.ts";

/** The node's own checkpoints, cosigned by its peers, so that a reader need not trust the node to show only one log. */
export interface OwnCosignatures {
  /** Shows every peer the newest checkpoint of each log; what it cosigns stands below it from then on. */
  gather(): Promise<void>;
}

export interface OwnCosignatureOptions extends Omit<PeersOptions, "isInconsistent">, ShownLogOptions {
  readonly checkpoints: Pick<Checkpoints, "read" | "addCosignature">;
  /** Sends a peer a text. */
  readonly post: (
    url: string,
    text: string,
  ) => Promise<{ readonly status: number; readonly text: string } | { readonly failed: string }>;
}

const checkWitness = compileSchema(Type.Object({ verifier_key: Type.String({ maxLength: 300 }) }));
const SIZE = /^(0|[1-9]\d{0,14})\n$/;
/** Tries per checkpoint: the first answer may be that the witness has cosigned another size. */
const ATTEMPTS_MAX = 2;

export function createOwnCosignatures(options: OwnCosignatureOptions): OwnCosignatures {
  const { ask, post, checkpoints } = options;
  const origins = listOrigins(options.urls);
  /** How far each peer has cosigned each log, as far as this process knows. */
  const sizes = new Map<string, number>();

  /** The key with which a peer cosigns: its own, for which its address vouches. */
  async function findWitness(origin: string): Promise<NoteKey | null> {
    const answer = await fetchJSON(ask, `${origin}/witness`);
    const body = "refused" in answer ? undefined : parseJSON(answer.value);
    if (!checkWitness.Check(body) || (isSandbox(body) && !options.sandbox)) return null;
    const key = readWitnessKey(body.verifier_key);
    const node_id = key && nodeIdOf(Buffer.from(key.public_key, "base64url"));
    if (key === null || node_id === options.node_id || key.name !== `intel-node/${node_id}`) return null;
    return (await findKeyFault(ask, origin, key.public_key)) === null ? key : null;
  }

  async function submit(origin: string, row: LogRow, key: NoteKey): Promise<void> {
    const own = await checkpoints.read(row.name);
    const checkpoint = readCheckpoint(own);
    if (checkpoint === null || checkpoint.size === 0) return;
    const { size, note } = checkpoint;
    const place = `${origin} ${row.name}`;
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
      const old_size = sizes.get(place) ?? 0;
      // The peer has seen a longer log. If the books were restored from an old copy, `peer-heads` reports it.
      if (old_size > size) return;
      const { tree } = getShownLog(options, row);
      const proof = old_size === 0 ? [] : tree.consistencyProof(old_size, size);
      const answer = await post(`${origin}/add-checkpoint`, renderAddCheckpoint(old_size, proof, own));
      if ("failed" in answer) return;
      const [, told] = (answer.status === 409 && SIZE.exec(answer.text)) || [];
      if (told !== undefined) sizes.set(place, Number(told));
      if (answer.status === 200) {
        sizes.set(place, size);
        return keep(row.name, note.text, { key, lines: answer.text });
      }
    }
  }

  /** Only what its own key signed of this very text. */
  function keep(log: string, text: string, { key, lines }: { readonly key: NoteKey; readonly lines: string }): void {
    for (const line of lines.split("\n").filter((one) => one.startsWith(`— ${key.name} `))) {
      const note = readNote(`${text}\n${line}\n`);
      if (note && readCosignedAt(note, key) !== null) {
        checkpoints.addCosignature(log, { text, name: key.name, line: `${line}\n` });
      }
    }
  }

  return {
    async gather() {
      for (const origin of origins) {
        const key = await findWitness(origin);
        if (key === null) continue;
        for (const row of LOG_ROWS) await submit(origin, row, key);
      }
    },
  };
}
