import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Records } from "../../src/records/record-chain.ts";
import { isNoteSignedBy, readCosignedAt, readNote, readWitnessKey } from "../../src/trust/signed-note.ts";
import { createLongHistory } from "../helpers/long-history.ts";
import { type PeerNodes, startPeerNodes } from "../helpers/peer-nodes.ts";

/** Two whole nodes, each other's peers, that nobody tells anything: their own jobs cosign, and find the fork. */
const LENGTH = 30;
const HOUR_S = 3_600;
const PROGRAM = join(import.meta.dir, "..", "..", "src", "node.ts");
const folder = mkdtempSync(join(tmpdir(), "two-witnesses-"));

let nodes: PeerNodes;
let written: Records;
beforeAll(async () => {
  ({ records: written } = await createLongHistory(LENGTH));
  nodes = await startPeerNodes(["north", "south"], LENGTH);
  // In the first hour each reads the other's head, in the next its checkpoint is one of a known log.
  for (let hour = 1; hour <= 2; hour += 1) await nodes.live(HOUR_S);
});
afterAll(async () => {
  await nodes.stop();
  rmSync(folder, { recursive: true, force: true });
});

const read = async (of: string, path: string): Promise<string> => {
  const answer = await fetch(`${nodes.urls[of]}${path}`);
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.text();
};
interface ShownWitness {
  readonly verifier_key: string;
  readonly logs: readonly { readonly origin: string; readonly size: number }[];
  readonly forks: readonly { readonly origin: string; readonly checkpoints: readonly string[] }[];
}
const readWitness = async (of: string): Promise<ShownWitness> => JSON.parse(await read(of, "/witness"));
const originOf = (of: string): string => `intel-node/${nodes.nodeOf(of).identity.node_id}/signals`;

async function verifyProof(of: string, witnesses: readonly string[]) {
  const [proof, keys, evidence] = ["record.tlog-proof", "did.json", "evidence.json"].map((name) => join(folder, name));
  writeFileSync(String(proof), await read(of, "/track-record/proof/7"));
  writeFileSync(String(keys), await read(of, "/.well-known/did.json"));
  const [record] = await written.read("signals", { after_seq: 6, limit: 1 });
  writeFileSync(String(evidence), JSON.stringify(record?.record));
  const named = witnesses.flatMap((key) => ["--witness", key]);
  const args = ["verify-track-record", String(proof), "--did-document", String(keys), "--evidence", String(evidence)];
  const run = Bun.spawn([process.execPath, PROGRAM, ...args, ...named], { stdout: "pipe", stderr: "pipe" });
  return { said: await new Response(run.stdout).text(), code: await run.exited };
}

test.each([
  ["north", "south"],
  ["south", "north"],
] as const)("what %s wrote is cosigned by %s, and the command says so", async (of, by) => {
  const { verifier_key, logs } = await readWitness(by);
  expect(logs).toMatchObject([{ origin: originOf(of), size: LENGTH }]);
  const key = readWitnessKey(verifier_key);
  const note = readNote(await read(of, "/track-record/checkpoint"));
  expect(note && key && readCosignedAt(note, key)).toBeGreaterThan(0);
  const { said, code } = await verifyProof(of, [verifier_key]);
  expect([said, code]).toEqual([expect.stringContaining("proven    witnesses: "), 0]);
  const { verifier_key: own } = await readWitness(of);
  expect((await verifyProof(of, [verifier_key, own])).code).toBe(3);
});

interface Step {
  readonly name: string;
  readonly state: string;
  readonly detail: string;
}

test("a buyer asks a node for a quorum by organisation, and is told who cosigned each history", async () => {
  const verify = async (policy: string) => {
    const file = join(folder, "organisations.policy");
    writeFileSync(file, policy);
    const args = [PROGRAM, "verify", `${nodes.urls.north}`, "--policy", file, "--json"];
    const run = Bun.spawn([process.execPath, ...args], { stdout: "pipe", stderr: "pipe" });
    const said = await new Response(run.stdout).text();
    return { code: await run.exited, steps: said === "" ? [] : (JSON.parse(said).steps as Step[]) };
  };
  const [south, north] = [(await readWitness("south")).verifier_key, (await readWitness("north")).verifier_key];
  const other = `witness south ${south}\ngroup south-ltd any south\n`;
  const { steps } = await verify(`${other}quorum south-ltd\n`);
  expect(steps).toContainEqual({
    name: "witnesses of signals",
    state: "ok",
    detail: `the quorum is there; cosigned by south; south-ltd: 1 of 1, needs 1; ${LENGTH} entries`,
  });
  // Its own signature is none that others gave, and it writes no theses.
  const both = `${other}witness north ${north}\ngroup north-ltd any north\ngroup two all south-ltd north-ltd\n`;
  const asked = await verify(`${both}quorum two\n`);
  expect(asked.steps.filter(({ name }) => name.startsWith("witnesses"))).toEqual([
    {
      name: "witnesses of signals",
      state: "unproven",
      detail:
        `there is no quorum; cosigned by south; south-ltd: 1 of 1, needs 1; north-ltd: 0 of 1, needs 1; ` +
        `two: 1 of 2, needs 2; ${LENGTH} entries`,
    },
    ...["signals/outcomes", "theses", "theses/outcomes"].map((log) => ({
      name: `witnesses of ${log}`,
      state: "ok",
      detail: "it has no entry, and nothing to cosign",
    })),
  ]);
  expect(asked.code).toBe(3);
  expect((await verify("quorum nobody\n")).code).toBe(2);
});

test("north with another history is refused by south, and both its signatures are at south's /witness", async () => {
  await nodes.replaceHistory("north", "61.2");
  ({ records: written } = await createLongHistory(LENGTH, "61.2"));
  await nodes.live(HOUR_S);
  const { forks, logs } = await readWitness("south");
  expect(forks).toMatchObject([{ origin: originOf("north"), size: LENGTH }]);
  expect(logs).toMatchObject([{ size: LENGTH }]);
  const { public_key } = nodes.nodeOf("north").identity;
  const notes = (forks[0]?.checkpoints ?? []).map(readNote);
  expect(notes.map((note) => note && isNoteSignedBy(note, { name: originOf("north"), public_key }))).toEqual([
    true,
    true,
  ]);
  expect(new Set(notes.map((note) => note?.text)).size).toBe(2);
  // Nothing of it is cosigned, and the operator of south is told.
  const { verifier_key } = await readWitness("south");
  expect((await verifyProof("north", [verifier_key])).code).toBe(3);
  expect(nodes.linesOf("south").some((line) => line.includes("peer_history_inconsistent"))).toBe(true);
});
