import type { NodeIdentity } from "../core/identity.ts";
import { keepFor } from "../core/keep-for.ts";
import { findLogRow, LOG_ROWS, type LogRow, readShownLog, type ShownLogOptions } from "./log-rows.ts";
import { type NoteSigner, renderVerifierKey, signNote } from "./signed-note.ts";

/** How far a log has come, as logs of other kinds say it (C2SP tlog-checkpoint). */
export interface Checkpoints {
  /** Of the log of a name, signed now. */
  read(log: string): Promise<string>;
  /** Shows a witness' line below the checkpoint of this text, as long as it is the newest. */
  addCosignature(
    log: string,
    cosignature: { readonly text: string; readonly name: string; readonly line: string },
  ): void;
  /** By which key it is verified. */
  readonly verifierKeyOf: (log: string) => string;
}

export interface CheckpointOptions extends ShownLogOptions {
  readonly identity: Pick<NodeIdentity, "node_id" | "public_key" | "sign">;
}

const KEPT_MS = 30_000;

/** What a log is called: the first line of its checkpoints, and the name they are signed under. */
export const logNameOf = (node_id: string, log: string): string => `intel-node/${node_id}/${log}`;

const LOG_NAME = /^intel-node\/(in1[A-Za-z0-9]{1,40})\/([a-z]{1,40}(?:\/outcomes)?)$/;

/** Which log of which node. */
export interface NodeLog extends Pick<LogRow, "chain" | "of"> {
  readonly node_id: string;
}

/** Whose log it is; null where it is no node's. */
export function parseLogName(name: string): NodeLog | null {
  const [, node_id, log = ""] = LOG_NAME.exec(name) ?? [];
  const row = findLogRow(log);
  return node_id !== undefined && row !== undefined ? { node_id, chain: row.chain, of: row.of } : null;
}

/** The first line names the log, and no text of another kind that this key signs begins so. */
export function createCheckpoints(options: CheckpointOptions): Checkpoints {
  const { identity, now_ms } = options;
  const signerOf = (log: string): NoteSigner => ({
    name: logNameOf(identity.node_id, log),
    public_key: identity.public_key,
    sign: identity.sign,
  });
  async function make(row: LogRow): Promise<string> {
    const { size, tree } = await readShownLog(options, row);
    const signer = signerOf(row.name);
    const root = Buffer.from(tree.root(size), "hex").toString("base64");
    return signNote(`${signer.name}\n${size}\n${root}\n`, signer);
  }
  const readers = new Map(LOG_ROWS.map((row) => [row.name, keepFor(KEPT_MS, now_ms, () => make(row))] as const));
  /** By log: the text that was cosigned, and the line of each witness by its name. */
  const cosigned = new Map<string, { readonly text: string; readonly lines: Map<string, string> }>();
  const withCosignatures = (log: string, note: string): string => {
    const known = cosigned.get(log);
    return known && note.startsWith(`${known.text}\n`) ? note + [...known.lines.values()].join("") : note;
  };
  return {
    read(log) {
      const read = readers.get(log);
      if (!read) throw new TypeError(`"${log}" is no log`);
      return read().then((note) => withCosignatures(log, note));
    },
    addCosignature(log, { text, name, line }) {
      const known = cosigned.get(log);
      if (known?.text === text) known.lines.set(name, line);
      else cosigned.set(log, { text, lines: new Map([[name, line]]) });
    },
    verifierKeyOf: (log) => renderVerifierKey(signerOf(log)),
  };
}
