import { describe, expect, test } from "bun:test";
import { createIdentity } from "../core/identity.ts";
import { cosign, readNote, renderWitnessKey, signNote } from "./signed-note.ts";
import { judgeNote, PolicyError, parsePolicy } from "./witness-policy.ts";

const log = { ...createIdentity(), name: "example.com/log" };
const witnesses = ["north", "south", "east", "west"].map((place) => ({
  ...createIdentity(),
  place,
  name: `${place}.example/w`,
}));
const keyLine = (place: string): string => {
  const witness = witnesses.find((one) => one.place === place);
  if (!witness) throw new Error(`there is no ${place}`);
  return `witness ${place} ${renderWitnessKey(witness)}`;
};
/** Two organisations, one with three witnesses. */
const POLICY = `# who counts
${keyLine("north")} https://north.example   # as its operator says
${keyLine("south")}
${keyLine("east")}
${keyLine("west")}

group acme 2 north south east
group beta any west
group organisations all acme beta
quorum organisations
`;

function cosignedBy(...places: readonly string[]) {
  const text = "example.com/log\n1\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n";
  const lines = witnesses.filter(({ place }) => places.includes(place)).map((one) => cosign(text, one, 1_700_000_000));
  const note = readNote(signNote(text, log) + lines.join(""));
  if (note === null) throw new Error("it is no note");
  return note;
}

describe("a policy of witnesses", () => {
  test.each([
    [["north", "south", "west"], true],
    [["north", "south", "east", "west"], true],
    // Many witnesses of one organisation are one organisation.
    [["north", "south", "east"], false],
    [["north", "west"], false],
    [["west"], false],
    [[], false],
  ] as const)("of two organisations, cosigned by %j: %p", (places, is_met) => {
    const judged = judgeNote(parsePolicy(POLICY), cosignedBy(...places));
    expect(judged.is_met).toBe(is_met);
    expect(judged.signed).toEqual([...places]);
    const acme = places.filter((place) => place !== "west").length;
    expect(judged.groups.slice(0, 2)).toEqual([
      { name: "acme", signed: acme, needed: 2, members: 3 },
      { name: "beta", signed: places.length - acme, needed: 1, members: 1 },
    ]);
  });

  test("that asks for nobody is met by every note", () => {
    expect(judgeNote(parsePolicy("quorum none"), cosignedBy()).is_met).toBe(true);
  });

  test.each([
    ["names nobody", "", "no line quorum"],
    ["names somebody who is not there", "quorum acme", "line 1"],
    ["has two quorums", "quorum none\nquorum none", "line 2"],
    ["has a line of another kind", `${keyLine("north")}\nlog key\nquorum north`, "line 2"],
    ["has a line that every object knows", "constructor a\nquorum none", "line 1"],
    ["has no key", "witness north key\nquorum north", "line 1"],
    ["has a name twice", `${keyLine("north")}\n${keyLine("north")}\nquorum north`, "line 2"],
    ["has a key twice", `${keyLine("north")}\n${keyLine("north").replace("north", "other")}\nquorum north`, "line 2"],
    ["has a witness in two groups", POLICY.replace("any west", "any west north"), "member already"],
    ["counts a witness twice", POLICY.replace("any west", "2 west west"), "member already"],
    ["needs more than there are", POLICY.replace("2 north", "4 north"), "so many of its members"],
    ["needs nobody", POLICY.replace("2 north", "0 north"), "so many of its members"],
    ["has an empty group", POLICY.replace("any west", "all"), "so many of its members"],
    ["names what comes later", POLICY.replace("group acme 2 north", "group acme 2 beta"), "no line before"],
    ["names a witness none", keyLine("north").replace("north", "none"), "no name"],
  ])("that %s is none", (_, text, why) => {
    const read = () => parsePolicy(text);
    expect(read).toThrow(PolicyError);
    expect(read).toThrow(why);
  });
});
