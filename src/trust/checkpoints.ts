import type { NodeIdentity } from "../core/identity.ts";
import { keepFor } from "../core/keep-for.ts";
import { readHistoryMoment } from "../records/history-trees.ts";
import type { Records } from "../records/record-chain.ts";
import { HEAD_CHAINS } from "./history-heads.ts";
import { type NoteSigner, renderVerifierKey, signNote } from "./signed-note.ts";

/** The length and root of a history in the form of a C2SP tlog-checkpoint. */
export interface Checkpoints {
  /** The checkpoint of one of HEAD_CHAINS, signed now. */
  read(chain: string): Promise<string>;
  /** Shows a witness' line below the checkpoint with this text, while it is the newest. */
  addCosignature(
    chain: string,
    cosignature: { readonly text: string; readonly name: string; readonly line: string },
  ): void;
  /** The key that verifies it. */
  readonly verifierKeyOf: (chain: string) => string;
}

export interface CheckpointOptions {
  readonly records: Records;
  readonly identity: Pick<NodeIdentity, "node_id" | "public_key" | "sign">;
  readonly now_ms: () => number;
}

const KEPT_MS = 30_000;

/** The origin of a history's log: the first line of its checkpoints, and the name in their signatures. */
export const logNameOf = (node_id: string, chain: string): string => `intel-node/${node_id}/${chain}`;

const LOG_NAME = /^intel-node\/(in1[A-Za-z0-9]{1,40})\/([a-z]{1,40})$/;

/** The node of a log; null if the log is not a node's history. */
export function parseLogName(name: string): { readonly node_id: string; readonly chain: string } | null {
  const [, node_id, chain] = LOG_NAME.exec(name) ?? [];
  return node_id !== undefined && chain !== undefined && HEAD_CHAINS.includes(chain) ? { node_id, chain } : null;
}

/**
 * The leaves are the hashes of the records. The first line names the log, and no other kind of text signed by this key
 * begins with it.
 */
export function createCheckpoints({ records, identity, now_ms }: CheckpointOptions): Checkpoints {
  const signerOf = (chain: string): NoteSigner => ({
    name: logNameOf(identity.node_id, chain),
    public_key: identity.public_key,
    sign: identity.sign,
  });
  async function make(chain: string): Promise<string> {
    const { chain: head, records_root } = await readHistoryMoment(records, chain);
    const signer = signerOf(chain);
    const root = Buffer.from(records_root, "hex").toString("base64");
    return signNote(`${signer.name}\n${head.length}\n${root}\n`, signer);
  }
  const readers = new Map(HEAD_CHAINS.map((chain) => [chain, keepFor(KEPT_MS, now_ms, () => make(chain))] as const));
  /** For each chain the cosigned text, and the line of each witness by name. */
  const cosigned = new Map<string, { readonly text: string; readonly lines: Map<string, string> }>();
  const withCosignatures = (chain: string, note: string): string => {
    const known = cosigned.get(chain);
    return known && note.startsWith(`${known.text}\n`) ? note + [...known.lines.values()].join("") : note;
  };
  return {
    read(chain) {
      const read = readers.get(chain);
      if (!read) throw new TypeError(`"${chain}" is no history`);
      return read().then((note) => withCosignatures(chain, note));
    },
    addCosignature(chain, { text, name, line }) {
      const known = cosigned.get(chain);
      if (known?.text === text) known.lines.set(name, line);
      else cosigned.set(chain, { text, lines: new Map([[name, line]]) });
    },
    verifierKeyOf: (chain) => renderVerifierKey(signerOf(chain)),
  };
}
