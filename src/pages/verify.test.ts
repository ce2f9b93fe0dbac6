import { beforeAll, describe, expect, test } from "bun:test";
import { generateKeyPairSync, sign } from "node:crypto";
import { nodeIdOf } from "../core/identity.ts";
import { createMerkleRoot } from "../records/merkle-tree.ts";
import {
  getGenesis,
  getSignedText,
  hashOutcomeLeaf,
  hashRecord,
  type RecordBody,
  renderRecord,
} from "../records/record-chain.ts";
import { renderDIDDocument } from "../trust/did.ts";
import { createReceiptSigner, ownPayload } from "../trust/receipts.ts";
import { VERIFY_SCRIPT } from "./assets.gen.ts";

/** The script of the pages, as served, run on data made by the node's own code. */
interface Checks {
  checkTrack(given: unknown): Promise<string[]>;
  checkReceipt(given: unknown): Promise<string[]>;
}
let checks: Checks;

const URL_OF_NODE = "https://node.example.com";
const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const public_key = String(publicKey.export({ format: "jwk" }).x);
const node_id = nodeIdOf(Buffer.from(public_key, "base64url"));
const signBytes = (bytes: Uint8Array) => sign(null, bytes, privateKey).toString("base64url");
const identity = { node_id, key_name: "node-1", sign: signBytes };
const did = renderDIDDocument(URL_OF_NODE, { name: "node-1", public_key });
const other = generateKeyPairSync("ed25519").publicKey.export({ format: "jwk" }).x;

beforeAll(() => {
  new Function(VERIFY_SCRIPT)();
  checks = (globalThis as unknown as { intelNodeChecks: Checks }).intelNodeChecks;
});

// biome-ignore lint/suspicious/noExplicitAny: forgeries change whatever they like.
type Loose = any;

/** Three graded signals, one that could not be scored, and an open one. */
function createTrack(): Loose {
  let prev_hash = getGenesis("signals");
  const tree = createMerkleRoot();
  const records = [110, 95, 120, null, undefined].map((exit, index) => {
    const seq = index + 1;
    const record: RecordBody = {
      v: 1,
      seq,
      model_id: "alpha-v1",
      symbol: "BTC",
      side: seq === 2 ? "short" : "long",
      horizon_h: 24,
      emitted_at: `2026-11-0${seq}T00:02:07Z`,
      cost_bps: "20.0",
      prev_hash,
    };
    const record_hash = hashRecord(record);
    prev_hash = record_hash;
    if (exit === undefined) return { seq, record, record_hash, outcome: null, outcome_hash: null };
    const gross = ((seq === 2 ? -1 : 1) * (Number(exit) / 100 - 1) * 10_000).toFixed(1);
    const net = (Number(gross) - 20).toFixed(1);
    const outcome: RecordBody =
      exit === null
        ? { seq, record_hash, status: "unscorable" }
        : {
            seq,
            record_hash,
            status: "scored",
            entry_price: "100",
            exit_price: String(exit),
            entry_at: `2026-11-0${seq}T01:00:00Z`,
            exit_at: `2026-11-0${seq + 1}T01:00:00Z`,
            gross_bps: gross,
            net_bps: net,
            hit: Number(net) > 0,
          };
    const outcome_hash = hashRecord(outcome);
    if (exit !== null) tree.append(hashOutcomeLeaf(record_hash, outcome_hash));
    return { seq, record, record_hash, outcome, outcome_hash };
  });
  const sum = records.reduce((total, { outcome }) => total + Number(outcome?.net_bps ?? 0), 0);
  return {
    did,
    records,
    statement: signStatement({ n_scored: 3, wins: 3, sum_net_bps: sum.toFixed(1), root: tree.root(), head: prev_hash }),
  };
}

function signStatement(of: { n_scored: number; wins: number; sum_net_bps: string; root: string; head: string }): Loose {
  const payload = {
    v: 1,
    kind: "win-rate-verified",
    node_id,
    key_id: "node-1",
    model_id: "alpha-v1",
    chain_length: 5,
    chain_head: of.head,
    outcomes_root: of.root,
    n_scored: of.n_scored,
    wins: of.wins,
    sum_net_bps: of.sum_net_bps,
  };
  const payload_canonical = renderRecord(payload);
  const signature = signBytes(Buffer.from(getSignedText("win-rate", payload_canonical)));
  return { payload, payload_canonical, signature, key_id: "node-1" };
}

const rehash = (one: Loose) => {
  one.outcome_hash = hashRecord(one.outcome);
};

describe("the check of the track record in the browser", () => {
  test("passes what the node really signed", async () => {
    expect(await checks.checkTrack(createTrack())).toHaveLength(4);
  });

  const FORGERIES: readonly (readonly [name: string, forge: (track: Loose) => void])[] = [
    [
      "a statement with another figure",
      ({ statement }) => {
        statement.payload.wins = 2;
      },
    ],
    [
      "a statement whose signed text was changed with it",
      ({ statement }) => {
        statement.payload.wins = 2;
        statement.payload_canonical = renderRecord(statement.payload);
      },
    ],
    [
      "a signature with another first letter",
      ({ statement }) => {
        statement.signature = swapFirst(statement.signature);
      },
    ],
    [
      "another key under the same name",
      (track) => {
        track.did = renderDIDDocument(URL_OF_NODE, { name: "node-1", public_key: String(other) });
      },
    ],
    [
      "a key nobody lists",
      (track) => {
        track.did = renderDIDDocument(URL_OF_NODE, { name: "node-2", public_key });
      },
    ],
    [
      "a record with another side",
      ({ records }) => {
        records[0].record.side = "short";
      },
    ],
    [
      "a record rewritten with its hash",
      ({ records }) => {
        records[1].record.side = "long";
        records[1].record_hash = hashRecord(records[1].record);
      },
    ],
    [
      "a record left out",
      ({ records }) => {
        records.splice(1, 1);
      },
    ],
    [
      "the newest record left out",
      ({ records }) => {
        records.pop();
      },
    ],
    [
      "two records in each other's place",
      ({ records }) => {
        records.reverse();
      },
    ],
    [
      "an outcome rewritten with its hash",
      ({ records }) => {
        records[0].outcome.exit_price = "130";
        records[0].outcome.gross_bps = "3000.0";
        records[0].outcome.net_bps = "2980.0";
        rehash(records[0]);
      },
    ],
    [
      "a result that does not follow from its prices",
      ({ records }) => {
        records[0].outcome.net_bps = "999.0";
        rehash(records[0]);
      },
    ],
    [
      "an exit at another hour",
      ({ records }) => {
        records[0].outcome.exit_at = "2026-11-02T02:00:00Z";
        rehash(records[0]);
      },
    ],
    [
      "an outcome withheld",
      ({ records }) => {
        records[2].outcome = null;
        records[2].outcome_hash = null;
      },
    ],
    [
      "an outcome of another record",
      ({ records }) => {
        records[0].outcome = records[2].outcome;
        records[0].outcome_hash = records[2].outcome_hash;
      },
    ],
  ];
  test.each(FORGERIES)("refuses %s", async (_, forge) => {
    const track = createTrack();
    forge(track);
    await expect(checks.checkTrack(track)).rejects.toThrow();
  });
});

const swapFirst = (text: string): string => (text.startsWith("A") ? "B" : "A") + text.slice(1);

const RECEIPT_ROW = {
  seq: 1,
  id: "rcp_1",
  network: "eip155:84532",
  chain_transaction: "0xabc",
  product: "mempool",
  asset: "0x03",
  amount: 8_000n,
  authorized: null,
  payer: "0xpayer",
  pay_to: "0xseller",
  label: "organic" as const,
  settled_at_ms: 1_793_000_000_000,
  request_sha256: "aa",
  response_sha256: "bb",
  node: null,
  on_chain: null,
};

describe("the check of a receipt in the browser", () => {
  const options = { public_url: URL_OF_NODE, sandbox: true };
  const signer = createReceiptSigner(identity, options);
  const createReceipt = (): Loose => {
    const { receipt_id, ...shown } = ownPayload(RECEIPT_ROW, { ...options, node_id });
    return { did, receipt: { ...shown, id: receipt_id, signed: { node: { ...signer.own(RECEIPT_ROW) } } } };
  };

  test("passes what the node really signed", async () => {
    expect(await checks.checkReceipt(createReceipt())).toHaveLength(2);
  });

  const recode = (jws: string, part: 0 | 1, change: (value: Loose) => void): string => {
    const parts = jws.split(".");
    const value = JSON.parse(Buffer.from(String(parts[part]), "base64url").toString());
    change(value);
    parts[part] = Buffer.from(JSON.stringify(value)).toString("base64url");
    return parts.join(".");
  };
  const forgeText =
    (part: 0 | 1, change: (value: Loose) => void) =>
    ({ receipt }: Loose) => {
      receipt.signed.node.signature = recode(receipt.signed.node.signature, part, change);
    };
  const FORGERIES: readonly (readonly [name: string, forge: (given: Loose) => void])[] = [
    [
      "another amount on the page",
      ({ receipt }) => {
        receipt.amount_atomic = "1";
      },
    ],
    [
      "another payer on the page",
      ({ receipt }) => {
        receipt.payer = "0xother";
      },
    ],
    [
      "another transaction on the page",
      ({ receipt }) => {
        receipt.transaction = "0xdef";
      },
    ],
    [
      "the answer's digest left out",
      ({ receipt }) => {
        receipt.response_sha256 = null;
      },
    ],
    [
      "another amount in the signed text",
      forgeText(1, (payload) => {
        payload.amount_atomic = "1";
      }),
    ],
    [
      "a text that needs no signature",
      forgeText(0, (header) => {
        header.alg = "none";
      }),
    ],
    [
      "a key nobody lists",
      forgeText(0, (header) => {
        header.kid = "did:web:node.example.com#node-9";
      }),
    ],
    [
      "the signature of another receipt",
      ({ receipt }) => {
        receipt.signed.node = signer.own({ ...RECEIPT_ROW, id: "rcp_2" });
      },
    ],
    [
      "a signature with another first letter",
      ({ receipt }) => {
        const [head, body, signature = ""] = receipt.signed.node.signature.split(".");
        receipt.signed.node.signature = [head, body, swapFirst(signature)].join(".");
      },
    ],
    [
      "another key under the same name",
      (given) => {
        given.did = renderDIDDocument(URL_OF_NODE, { name: "node-1", public_key: String(other) });
      },
    ],
    [
      "a node that calls itself after another key",
      ({ receipt }) => {
        const liar = createReceiptSigner({ ...identity, node_id: "in1somebodyelse" }, options);
        receipt.signed.node = liar.own(RECEIPT_ROW);
      },
    ],
  ];
  test.each(FORGERIES)("refuses %s", async (_, forge) => {
    const given = createReceipt();
    forge(given);
    await expect(checks.checkReceipt(given)).rejects.toThrow();
  });
});
