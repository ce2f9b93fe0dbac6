import { beforeAll, describe, expect, test } from "bun:test";
import { createRandom, editAtRandom } from "../../test/helpers/json-edits.ts";
import { canonicalJSON, sha256Hex } from "../core/hash.ts";
import { createIdentity } from "../core/identity.ts";
import type { ReceiptRow } from "../ledger/receipts.ts";
import { createMemoryRecords } from "../records/memory-records.ts";
import { renderDIDDocument } from "../trust/did.ts";
import { createNodeSigner } from "../trust/node-signer.ts";
import { createReceiptSeals } from "../trust/receipt-seals.ts";
import { createReceiptSigner } from "../trust/receipts.ts";
import { VERIFY_SCRIPT } from "./assets.gen.ts";

/** The script of the page `/verify`, as served, run on bundles made by the node's own code. */
interface Checks {
  checkBundle(given: unknown): Promise<{ readonly outcome: string; readonly text: string }[]>;
}
let checks: Checks;
beforeAll(() => {
  new Function(VERIFY_SCRIPT)();
  checks = (globalThis as unknown as { intelNodeChecks: Checks }).intelNodeChecks;
});

// biome-ignore lint/suspicious/noExplicitAny: forgeries change whatever they like.
type Loose = any;

const ORIGIN = "https://node.example.com";
const identity = createIdentity();
const stranger = createIdentity();
const SOLD = 23;
const answerOf = (seq: number) => JSON.stringify({ product: "mempool", data: { n: seq } });
const inputsOf = (seq: number) => JSON.stringify({ n: seq });
const rowOf = (seq: number): ReceiptRow => ({
  seq,
  id: `rcp_${seq}`,
  network: "eip155:84532",
  chain_transaction: `0x${seq}`,
  product: "mempool",
  asset: "0x03",
  amount: 8_000n,
  authorized: null,
  payer: "0xpayer",
  pay_to: "0xseller",
  label: "organic",
  settled_at_ms: 1_793_000_000_000 + seq,
  request_sha256: sha256Hex(`request ${seq}`),
  response_sha256: sha256Hex(answerOf(seq)),
  node: null,
  on_chain: null,
});

async function createBundles(): Promise<readonly Loose[]> {
  const rows = Array.from({ length: SOLD }, (_, at) => rowOf(at + 1));
  const now_ms = () => 1_793_000_000_000 + 7_200_000;
  const code_sha256 = sha256Hex("code");
  const seals = createReceiptSeals({
    receipts: {
      list: async ({ limit, before_seq = Number.MAX_SAFE_INTEGER }) =>
        rows
          .filter(({ seq }) => seq < before_seq)
          .slice(-limit)
          .reverse(),
      findByAnswer: async () => null,
    },
    findOrigin: (hash) => {
      const row = rows.find(({ response_sha256 }) => response_sha256 === hash);
      return row ? { inputs_sha256: sha256Hex(inputsOf(row.seq)), code_sha256 } : null;
    },
    records: createMemoryRecords(now_ms),
    signer: createNodeSigner(identity),
    isPlan: () => false,
    now_ms,
  });
  await seals.seal();
  const signer = createReceiptSigner(identity, { public_url: ORIGIN, sandbox: false });
  const did = renderDIDDocument(ORIGIN, { name: identity.key_name, public_key: identity.public_key });
  return Promise.all(
    rows.map(async (row) => {
      const inputs_sha256 = sha256Hex(inputsOf(row.seq));
      const bundle = {
        format: "intel-node-bundle/1",
        answer: answerOf(row.seq),
        response_sha256: row.response_sha256,
        inputs: inputsOf(row.seq),
        inputs_sha256,
        recipe: { inputs_sha256 },
        withheld: [],
        code_sha256,
        request_sha256: row.request_sha256,
        receipt: { id: row.id, node: signer.own(row) },
        seal: await seals.prove(row),
        node: did,
      };
      return JSON.parse(JSON.stringify(bundle));
    }),
  );
}

/** What every bundle is told that nothing speaks against: that it follows from its inputs, no browser sees. */
const LAST = { outcome: "unverifiable", text: "here: that the answer follows from its inputs" };
const HOLDS = ["verified", "no_claim"];
async function passes(bundle: unknown): Promise<boolean> {
  const told = await checks.checkBundle(bundle);
  const [last] = told.slice(-1);
  return Bun.deepEquals(last, LAST) && told.slice(0, -1).every(({ outcome }) => HOLDS.includes(outcome));
}

describe("the check of a bundle in the browser", () => {
  test("passes every bundle of the node, at each position of the tree", async () => {
    for (const bundle of await createBundles()) {
      const told = await checks.checkBundle(bundle);
      expect(told).toEqual([
        { outcome: "verified", text: "answer and inputs have the hashes that are stated" },
        { outcome: "verified", text: `${bundle.receipt.id} is signed for this answer by ${identity.node_id}` },
        { outcome: "verified", text: expect.stringMatching(/^sealed at /) },
        LAST,
      ]);
      expect(await passes(bundle)).toBe(true);
    }
  });

  test("names missing parts: withheld inputs, a call of a key, an hour that has not ended", async () => {
    const [bundle] = await createBundles();
    const told = await checks.checkBundle({ ...bundle, inputs: null, receipt: null, seal: null });
    expect(told).toMatchObject([
      { outcome: "verified", text: expect.stringContaining("withheld") },
      { outcome: "no_claim", text: expect.stringContaining("no receipt") },
      { outcome: "no_claim", text: expect.stringContaining("no seal") },
      LAST,
    ]);
    const early = await checks.checkBundle({ ...bundle, seal: null, not_sealed: "seals are made at five past" });
    expect(early[2]).toMatchObject({ outcome: "no_claim", text: expect.stringContaining("five past") });
  });

  const EDITS: readonly (readonly [name: string, edit: (copy: Loose, other: Loose) => void])[] = [
    ["another answer", (copy) => Object.assign(copy, { answer: answerOf(99) })],
    [
      "another answer with its hash",
      (copy) => Object.assign(copy, { answer: answerOf(99), response_sha256: sha256Hex(answerOf(99)) }),
    ],
    ["other inputs", (copy) => Object.assign(copy, { inputs: inputsOf(99) })],
    [
      "other inputs with their hash",
      (copy) => {
        copy.inputs = inputsOf(99);
        copy.inputs_sha256 = copy.recipe.inputs_sha256 = sha256Hex(copy.inputs);
      },
    ],
    ["the receipt of another sale", (copy, other) => Object.assign(copy, { receipt: other.receipt })],
    ["the seal of another sale", (copy, other) => Object.assign(copy, { seal: other.seal })],
    ["another request", (copy, other) => Object.assign(copy, { request_sha256: other.request_sha256 })],
    ["another format", (copy) => Object.assign(copy, { format: "intel-node-bundle/2" })],
    ["a stranger's key under the node's name", (copy) => swapKey(copy)],
    ["a seal signed by a stranger", (copy) => signAnew(copy)],
    ["another place in the tree", (copy) => Object.assign(copy.seal, { leaf_index: copy.seal.leaf_index + 1 })],
    ["a shorter path", (copy) => copy.seal.audit_path.pop()],
    ["a longer path", (copy) => copy.seal.audit_path.push(sha256Hex("more"))],
    ["a tree of one", (copy) => Object.assign(copy.seal, { audit_path: [], leaf_index: 0 })],
    ["an item that says another time", (copy) => Object.assign(copy.seal.item, { settled_at: "2020-01-01T00:00:00Z" })],
  ];
  const swapKey = (copy: Loose) => {
    copy.node.verificationMethod[0].publicKeyJwk.x = stranger.public_key;
  };
  const signAnew = (copy: Loose) => {
    copy.seal.public_key = stranger.public_key;
    copy.seal.signature = createNodeSigner(stranger).sign("receipt-seal", copy.seal.signed_text.split("\n")[1]);
  };
  test.each(EDITS)("refuses %s", async (_, edit) => {
    const [, bundle, other] = await createBundles();
    edit(bundle, other);
    expect(await passes(bundle)).toBe(false);
  });

  test("after any random change, nothing signed or hashed is accepted with another value", async () => {
    const [, genuine, other] = await createBundles();
    const random = createRandom(27);
    /** The parts covered by the checks; the rest is not covered. */
    const said = (one: Loose) => {
      try {
        const { answer, inputs, receipt, seal } = one;
        return canonicalJSON([answer, inputs, receipt.id, seal.item, seal.record.root, seal.record.sealed_at]);
      } catch {
        return null;
      }
    };
    const wrong: unknown[] = [];
    for (let n = 0; n < 400; n += 1) {
      const edited = editAtRandom(genuine, other, random);
      const is_less = (edited as Loose)?.seal === null || (edited as Loose)?.receipt === null;
      const is_known = [said(genuine), said(other)].includes(said(edited)) || (edited as Loose)?.inputs === null;
      if (!is_less && !is_known && (await passes(edited))) wrong.push(edited);
    }
    expect(wrong).toEqual([]);
  });
});
