import { describe, expect, test } from "bun:test";
import { ANCHOR_ARTEFACT } from "../../test/helpers/artefacts/anchors.ts";
import { editCopy } from "../../test/helpers/artefacts/artefact.ts";
import { HEAD_PAIR_ARTEFACT, makeHonestPair } from "../../test/helpers/artefacts/head-pairs.ts";
import { createHistoryArtefacts } from "../../test/helpers/artefacts/histories.ts";
import { LOG_PROOF_ARTEFACT, OUTCOME_PROOF_ARTEFACT } from "../../test/helpers/artefacts/log-proofs.ts";
import { PEER_ARTEFACT, SEAL_ARTEFACT, TEXT_ARTEFACTS } from "../../test/helpers/artefacts/signed-texts.ts";
import { EFFORT, repeat } from "../../test/helpers/effort.ts";
import { createRandom, editAtRandom } from "../../test/helpers/json-edits.ts";

/** Everything a node hands out as proof. A kind that is missing here is one that nobody tries to forge. */
const HISTORY_LENGTHS = EFFORT !== "long" ? [10, 60] : [10, 60, 300, 1_000, 5_000];
/** A thesis is three records, some of which have no side. */
const THESES_LENGTHS = EFFORT !== "long" ? [30] : [30, 300];
const HISTORIES = [...createHistoryArtefacts(HISTORY_LENGTHS), ...createHistoryArtefacts(THESES_LENGTHS, "theses")];
const OF_NODES = [
  SEAL_ARTEFACT,
  PEER_ARTEFACT,
  HEAD_PAIR_ARTEFACT,
  ANCHOR_ARTEFACT,
  LOG_PROOF_ARTEFACT,
  OUTCOME_PROOF_ARTEFACT,
];
const ARTEFACTS = [...HISTORIES, ...TEXT_ARTEFACTS, ...OF_NODES];
/** Of each kind of artefact; of long histories fewer. */
const EDITS = repeat({ quick: 80, full: 200, long: 2_000 });
const SEED = Number(process.env.SEED ?? 27);
/** Some edits say nothing else, such as another order of the same records; most must, or the test tests little. */
const FORGED_LEAST = 0.4;
const FORGED_AT_RANDOM_LEAST = 0.05;

/** Where two values differ, for who has to find out why. */
function listChanges(before: unknown, after: unknown, path = ""): readonly string[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  const is_deep = [before, after].every((one) => typeof one === "object" && one !== null);
  if (!is_deep)
    return [`${path}: ${String(JSON.stringify(before)).slice(0, 80)} → ${String(JSON.stringify(after)).slice(0, 80)}`];
  const [one, two] = [before as Record<string, unknown>, after as Record<string, unknown>];
  const names = new Set([...Object.keys(one), ...Object.keys(two)]);
  return [...names].flatMap((name) => listChanges(one[name], two[name], `${path}/${name}`)).slice(0, 8);
}

describe.each(ARTEFACTS.map((artefact) => [artefact.kind, artefact] as const))("a forged %s", (kind, artefact) => {
  test("is told from a genuine one, which is proven", async () => {
    const [genuine, other] = await artefact.make();
    const proven = await artefact.check(genuine);
    expect(proven).not.toEqual([]);
    expect(await artefact.check(other)).toEqual(proven);
    for (const one of [genuine, other]) {
      expect(await artefact.judge(one, genuine)).toEqual({ is_forged: false, passed: [] });
    }
  });

  test("is found, whatever was aimed at", async () => {
    const [genuine, other] = await artefact.make();
    const passed: unknown[] = [];
    let forged = 0;
    for (const edit of artefact.targeted) {
      const judgement = await artefact.judge(editCopy(edit, genuine, other), genuine);
      if (judgement.is_forged) forged += 1;
      if (judgement.passed.length > 0) passed.push([edit.name, judgement.passed]);
    }
    expect(passed).toEqual([]);
    expect(forged).toBeGreaterThan(artefact.targeted.length * FORGED_LEAST);
  });

  test("is found, whatever was changed at random", async () => {
    const [genuine, other] = await artefact.make();
    const random = createRandom(SEED + kind.length);
    const passed: unknown[] = [];
    let forged = 0;
    const edits = Math.ceil(EDITS * artefact.share);
    for (let edit = 0; edit < edits; edit++) {
      const edited = editAtRandom(genuine, other, random);
      const judgement = await artefact.judge(edited, genuine);
      if (judgement.is_forged) forged += 1;
      if (judgement.passed.length > 0) passed.push([judgement.passed, listChanges(genuine, edited)]);
    }
    expect(passed).toEqual([]);
    expect(forged).toBeGreaterThan(edits * FORGED_AT_RANDOM_LEAST);
  });
});

test("no edit of two heads of a node that only grew is held against it", async () => {
  const honest = await makeHonestPair();
  expect(await HEAD_PAIR_ARTEFACT.check({ heads: honest })).toEqual([]);
  const random = createRandom(SEED);
  for (let edit = 0; edit < EDITS; edit++) {
    const edited = editAtRandom({ heads: honest }, { heads: honest }, random);
    expect(await HEAD_PAIR_ARTEFACT.check(edited)).toEqual([]);
  }
});

test("of every length of history in all its forms more than 60 forgeries are aimed at something", () => {
  for (const { targeted } of HISTORIES) expect(targeted.length).toBeGreaterThan(60);
});
