import { describe, expect, test } from "bun:test";
import { createLongHistory } from "../../test/helpers/long-history.ts";
import { createIdentity } from "../core/identity.ts";
import { createMemoryRecords } from "../records/memory-records.ts";
import type { Records } from "../records/record-chain.ts";
import { renderDIDDocument } from "./did.ts";
import { createHistoryLogs } from "./history-logs.ts";
import { createOwnCosignatures } from "./own-cosignatures.ts";
import { readNote, readWitnessKey, renderVerifierKey, renderWitnessKey } from "./signed-note.ts";
import { createWitness } from "./witness.ts";

const PEER = "https://peer.example.com";
const identity = createIdentity();
const peer = createIdentity();
const stranger = createIdentity();
const [SHORT, LONG] = [30, 40];

const keyOf = ({ node_id, public_key }: typeof peer): string =>
  renderWitnessKey({ name: `intel-node/${node_id}`, public_key });

/** A history that grows between two readings. */
async function createGrowing() {
  const [short, long] = [(await createLongHistory(SHORT)).records, (await createLongHistory(LONG)).records];
  const state = { now_ms: 0, of: short };
  const records: Records = {
    head: (chain) => state.of.head(chain),
    read: (chain, query) => state.of.read(chain, query),
  };
  const grow = () => Object.assign(state, { now_ms: state.now_ms + 60_000, of: long });
  return { records, grow, now_ms: () => state.now_ms };
}

interface PeerSays {
  /** Who it says it is, and whose key its address vouches for. */
  readonly witness?: Record<string, unknown>;
  readonly did_key?: string;
  /** What it makes of the witness' answer. */
  readonly distort?: (text: string) => string;
}

async function start({ witness: shown, did_key = peer.public_key, distort = (text) => text }: PeerSays = {}) {
  const history = await createGrowing();
  const { checkpoints } = createHistoryLogs({ ...history, identity });
  const witness = createWitness({
    records: createMemoryRecords(() => 0),
    identity: peer,
    now_ms: history.now_ms,
    findKey: async (node_id) => (node_id === identity.node_id ? identity.public_key : null),
    onFork: () => undefined,
  });
  const sent: string[] = [];
  const own = createOwnCosignatures({
    urls: [PEER],
    node_id: identity.node_id,
    sandbox: false,
    records: history.records,
    now_ms: history.now_ms,
    checkpoints,
    ask: async (url) => {
      const body = url.endsWith("/witness")
        ? (shown ?? { verifier_key: witness.verifier_key })
        : renderDIDDocument(PEER, { name: peer.key_name, public_key: did_key });
      return { status: 200, headers: new Headers(), text: JSON.stringify(body) };
    },
    post: async (url, text) => {
      sent.push(`${url} ${text.slice(0, text.indexOf("\n"))}`);
      const { status, body } = await witness.add(text);
      return { status, text: distort(body) };
    },
  });
  const readWitnesses = async (): Promise<readonly string[]> =>
    readNote(await checkpoints.read("signals"))?.signatures.map(({ name }) => name) ?? [];
  return { own, sent, readWitnesses, history, witness };
}

describe("a node's own checkpoints", () => {
  test("are cosigned by its peers, as they grow and over a restart of either", async () => {
    const { own, sent, readWitnesses, history, witness } = await start();
    await own.gather();
    const [log = ""] = await readWitnesses();
    expect(await readWitnesses()).toEqual([log, witness.name]);
    await own.gather();
    history.grow();
    expect(await readWitnesses()).toEqual([log]);
    await own.gather();
    expect(await readWitnesses()).toEqual([log, witness.name]);
    // An empty history is shown to nobody.
    expect(sent).toEqual([
      `${PEER}/add-checkpoint old 0`,
      `${PEER}/add-checkpoint old 30`,
      `${PEER}/add-checkpoint old 30`,
    ]);
  });

  test("are proven from what the peer says it has cosigned, where this process does not know", async () => {
    const { own, sent, readWitnesses, history, witness } = await start();
    const { checkpoints } = createHistoryLogs({ ...history, identity });
    await witness.add(`old 0\n\n${await checkpoints.read("signals")}`);
    history.grow();
    await own.gather();
    expect(sent.map((one) => one.split(" ").at(-1))).toEqual(["0", "30"]);
    expect(await readWitnesses()).toHaveLength(2);
  });

  test.each<[string, PeerSays]>([
    ["is no witness", { witness: {} }],
    ["names a key of another kind", { witness: { verifier_key: renderVerifierKey({ ...peer, name: "x" }) } }],
    ["names a key that its address does not vouch for", { did_key: stranger.public_key }],
    ["is this node", { witness: { verifier_key: keyOf(identity) }, did_key: identity.public_key }],
    ["is a sandbox", { witness: { sandbox: true, verifier_key: keyOf(peer) } }],
    ["answers with another's signature", { distort: (text) => text.replace(/ \S+\n$/, ` ${"A".repeat(102)}==\n`) }],
    ["answers with a note", { distort: (text) => `x\n\n${text.replaceAll("—", "-")}` }],
    ["answers with nothing", { distort: () => "" }],
  ])("carry nothing of a peer that %s", async (_, says) => {
    const { own, readWitnesses } = await start(says);
    await own.gather();
    expect(await readWitnesses()).toHaveLength(1);
  });
});

test("the key of a witness has one spelling", async () => {
  const { witness } = await start();
  expect(readWitnessKey(witness.verifier_key)).toEqual({ name: witness.name, public_key: peer.public_key });
  const [name = "", , key = ""] = witness.verifier_key.split("+");
  for (const other of ["", name, `${name}+00000000+${key}`, `${witness.verifier_key}=`, ` ${witness.verifier_key}`]) {
    expect(readWitnessKey(other)).toBeNull();
  }
  expect(readWitnessKey(renderVerifierKey({ ...peer, name }))).toBeNull();
});
