import { type NoteKey, type ReadNote, readCosignedAt, readWitnessKey } from "./signed-note.ts";

/** The cosignatures that a checkpoint needs: witnesses, groups of them such as organisations, and a quorum. */
export interface WitnessPolicy {
  readonly witnesses: ReadonlyMap<string, NoteKey>;
  readonly groups: ReadonlyMap<string, WitnessGroup>;
  /** The witness or group that must have cosigned; null if none is required. */
  readonly quorum: string | null;
}

interface WitnessGroup {
  /** Number of members that must cosign, for the group to count as having cosigned. */
  readonly needed: number;
  /** Witnesses, and groups defined earlier. */
  readonly members: readonly string[];
}

/** What a policy makes of a checkpoint. */
export interface PolicyJudgement {
  readonly is_met: boolean;
  /** In the order of the policy. */
  readonly signed: readonly string[];
  readonly groups: readonly JudgedGroup[];
}

interface JudgedGroup {
  readonly name: string;
  readonly signed: number;
  readonly needed: number;
  readonly members: number;
}

/** The text is not a valid policy; the message names the line. */
export class PolicyError extends Error {
  override readonly name = "PolicyError";
}

const CHARS_MAX = 100_000;
const NAME = /^[^\s#]{1,100}$/;
const COUNT = /^[1-9]\d{0,3}$/;

/** The state of the reader. Nobody can be in two groups, so that no cosignature counts for two organisations. */
interface Draft {
  readonly witnesses: Map<string, NoteKey>;
  readonly groups: Map<string, WitnessGroup>;
  readonly taken: Set<string>;
  quorum: string | null | undefined;
}

/**
 * Reads a policy in the form of Sigsum's: lines `witness <name> <verifier_key>`, `group <name> all|any|<k> <name>…`,
 * and one `quorum <name>`. A name must be defined in an earlier line; `#` begins a comment.
 * @throws PolicyError
 */
export function parsePolicy(text: string): WitnessPolicy {
  if (text.length > CHARS_MAX) throw new PolicyError("it is too long");
  const draft: Draft = { witnesses: new Map(), groups: new Map(), taken: new Set(), quorum: undefined };
  for (const [index, line] of text.split("\n").entries()) {
    const [kind, ...rest] = line
      .replace(/#.*$/, "")
      .split(/\s+/)
      .filter((word) => word !== "");
    if (kind === undefined) continue;
    const read = READERS.get(kind);
    const fault = read === undefined ? `no line begins with "${kind.slice(0, 40)}"` : read(draft, rest);
    if (fault !== null) throw new PolicyError(`line ${index + 1}: ${fault}`);
  }
  const { witnesses, groups, quorum } = draft;
  if (quorum === undefined) throw new PolicyError("it has no line quorum <name>");
  return { witnesses, groups, quorum };
}

/** @returns the fault of the line, or null */
type LineReader = (draft: Draft, words: readonly string[]) => string | null;

const isKnown = ({ witnesses, groups }: Draft, name: string): boolean => witnesses.has(name) || groups.has(name);

function findNameFault(draft: Draft, name: string): string | null {
  if (!NAME.test(name) || name === "none") return "it has no name that can be used";
  return isKnown(draft, name) ? `"${name}" is there already` : null;
}

const readWitnessLine: LineReader = (draft, [name = "", text = "", ...more]) => {
  const fault = findNameFault(draft, name);
  if (fault !== null) return fault;
  const key = readWitnessKey(text);
  if (key === null || more.length > 1) return "a witness has a name and a verifier_key, as /witness of a node names it";
  const is_twice = [...draft.witnesses.values()].some(({ public_key }) => public_key === key.public_key);
  if (is_twice) return "another witness has this key";
  draft.witnesses.set(name, key);
  return null;
};

function countNeeded(how: string, members: number): number {
  if (how === "any") return 1;
  if (how === "all") return members;
  return COUNT.test(how) ? Number(how) : 0;
}

const readGroupLine: LineReader = (draft, [name = "", how = "", ...members]) => {
  const fault = findNameFault(draft, name);
  if (fault !== null) return fault;
  const unknown = members.find((member) => !isKnown(draft, member));
  if (unknown !== undefined) return `"${unknown.slice(0, 100)}" stands in no line before`;
  const twice = members.find((member, at) => draft.taken.has(member) || members.indexOf(member) !== at);
  if (twice !== undefined) return `"${twice}" is a member already: each is of one group`;
  const needed = countNeeded(how, members.length);
  if (needed < 1 || needed > members.length) return "a group needs any, all or so many of its members";
  for (const member of members) draft.taken.add(member);
  draft.groups.set(name, { needed, members });
  return null;
};

const readQuorumLine: LineReader = (draft, [name = "", ...more]) => {
  if (draft.quorum !== undefined) return "there is a quorum already";
  if (more.length > 0 || (name !== "none" && !isKnown(draft, name))) return "a quorum names a witness, a group or none";
  draft.quorum = name === "none" ? null : name;
  return null;
};

const READERS: ReadonlyMap<string, LineReader> = new Map([
  ["witness", readWitnessLine],
  ["group", readGroupLine],
  ["quorum", readQuorumLine],
]);

/** The witnesses and groups of a policy that cosigned a checkpoint, and whether they are enough. */
export function judgeNote({ witnesses, groups, quorum }: WitnessPolicy, note: ReadNote): PolicyJudgement {
  const signed = [...witnesses].filter(([, key]) => readCosignedAt(note, key) !== null).map(([name]) => name);
  const acting = new Set(signed);
  const judged: JudgedGroup[] = [];
  // A group names only witnesses and groups defined before it.
  for (const [name, { needed, members }] of groups) {
    const count = members.filter((member) => acting.has(member)).length;
    if (count >= needed) acting.add(name);
    judged.push({ name, signed: count, needed, members: members.length });
  }
  return { is_met: quorum === null || acting.has(quorum), signed, groups: judged };
}

/** Who cosigned and how far each group came, for people. */
export function renderJudgement({ is_met, signed, groups }: PolicyJudgement): string {
  return [
    is_met ? "the quorum is there" : "there is no quorum",
    signed.length === 0 ? "nobody named cosigned the checkpoint" : `cosigned by ${signed.join(", ")}`,
    ...groups.map(({ name, signed: count, needed, members }) => `${name}: ${count} of ${members}, needs ${needed}`),
  ].join("; ");
}
