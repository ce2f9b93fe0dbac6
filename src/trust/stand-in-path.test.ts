import { expect, test } from "bun:test";
import { createIdentity } from "../core/identity.ts";
import { createNodeSigner } from "./node-signer.ts";
import { addStandInHop, nameStandInCall, readStandInPath } from "./stand-in-path.ts";

const [a, b, c] = [createIdentity(), createIdentity(), createIdentity()].map(createNodeSigner) as [
  ReturnType<typeof createNodeSigner>,
  ReturnType<typeof createNodeSigner>,
  ReturnType<typeof createNodeSigner>,
];
const CALL = nameStandInCall("/regime", '{"symbol":"BTC"}');
const through = (...signers: readonly ReturnType<typeof createNodeSigner>[]): string =>
  signers.reduce<string | null>((path, signer) => addStandInHop(path, CALL, signer), null) ?? "";

test("a path names every node that signed, the first one first", () => {
  expect(readStandInPath(through(a), CALL)).toEqual([a.node_id]);
  expect(readStandInPath(through(a, b), CALL)).toEqual([a.node_id, b.node_id]);
});

test("a step taken out, put in, or of another call leaves no path", () => {
  const [first = "", second = ""] = through(a, b).split("~");
  const [, third = ""] = through(b, c).split("~");
  const other = nameStandInCall("/regime", '{"symbol":"ETH"}');
  for (const path of [second, `${second}~${first}`, `${first}~${third}`, "", "x", `${first}~`]) {
    expect(readStandInPath(path, CALL)).toBeNull();
  }
  expect(readStandInPath(through(a), other)).toBeNull();
  expect(readStandInPath(through(a, b, c, a), CALL)).toBeNull();
});
