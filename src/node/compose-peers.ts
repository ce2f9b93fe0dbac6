import type { NodeIdentity } from "../core/identity.ts";
import type { GuardedFetch } from "../guarded-fetch/types.ts";
import type { Peers } from "../records/peer-statements.ts";
import type { NodeSigner, WritableRecords } from "../records/record-chain.ts";
import type { Stores } from "../stores/stores.ts";
import { createPeers, type PeersOptions } from "../trust/ask-peers.ts";
import { createHistoryHeads } from "../trust/history-heads.ts";
import { createHistoryLogs } from "../trust/history-logs.ts";
import { createOwnCosignatures } from "../trust/own-cosignatures.ts";
import { createPeerHeads, type PeerHeads } from "../trust/peer-heads.ts";
import { createWitness } from "../trust/witness.ts";
import { fetchPeer, postPeer } from "../upstream/fetch-peer.ts";
import { composeAnchors } from "./compose-anchors.ts";
import { composeStandIns } from "./compose-stand-ins.ts";
import type { Core, StartOptions } from "./parts.ts";

interface PeerParts {
  readonly identity: NodeIdentity;
  readonly records: WritableRecords;
  readonly signer: NodeSigner;
  readonly askStranger: GuardedFetch;
  readonly stores: Pick<Stores, "own_channels">;
}

/**
 * The heads of the node's histories in every form, their public timestamps, its operator's peers, and theirs; and those
 * who stand in for its sources.
 */
export function composePeers(
  options: StartOptions,
  { identity, records, signer, askStranger, stores }: PeerParts,
): Pick<Core, "anchors" | "history_heads" | "logs" | "own_cosignatures" | "peer_heads" | "stand_ins" | "witness"> & {
  readonly peers: Peers;
} {
  const { config, clock, log, sandbox } = options;
  const history_heads = createHistoryHeads({ records, signer, now_ms: clock.now });
  const { urls } = config.peers;
  const asked = { urls, ask: fetchPeer, node_id: identity.node_id, sandbox: sandbox !== null };
  const peer_heads = createPeerHeads({
    ...asked,
    records,
    heads: history_heads,
    now_ms: clock.now,
    onInconsistent: (found) => log.error({ event: "peer_history_inconsistent", ...found }),
  });
  const { logs, own_cosignatures, witness } = composeLogs(options, { identity, records }, { asked, peer_heads });
  const isInconsistent = async (node_id: string): Promise<boolean> =>
    (await peer_heads.isInconsistent(node_id)) || (await witness.isInconsistent(node_id));
  const peers = createPeers({ ...asked, isInconsistent });
  const stand_ins = composeStandIns(options, { identity, records, signer, ...stores });
  const anchors = composeAnchors(options, { records, signer, askStranger });
  return { anchors, history_heads, logs, own_cosignatures, peer_heads, stand_ins, witness, peers };
}

/** The node's histories as logs, what peers cosign of them, and what it cosigns of theirs. */
function composeLogs(
  { clock, log }: Pick<StartOptions, "clock" | "log">,
  { identity, records }: Pick<PeerParts, "identity" | "records">,
  { asked, peer_heads }: { readonly asked: Omit<PeersOptions, "isInconsistent">; readonly peer_heads: PeerHeads },
): Pick<Core, "logs" | "own_cosignatures" | "witness"> {
  const own = { records, identity, now_ms: clock.now };
  const logs = createHistoryLogs(own);
  const { checkpoints } = logs;
  return {
    logs,
    own_cosignatures: createOwnCosignatures({ ...asked, records, now_ms: clock.now, checkpoints, post: postPeer }),
    witness: createWitness({
      ...own,
      findKey: peer_heads.findKey,
      onFork: (found) => log.error({ event: "peer_history_inconsistent", kind: "fork", ...found }),
    }),
  };
}
