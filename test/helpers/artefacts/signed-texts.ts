import { canonicalJSON, sha256Hex } from "../../../src/core/hash.ts";
import { createIdentity } from "../../../src/core/identity.ts";
import type { ReceiptRow } from "../../../src/ledger/receipts.ts";
import { VERIFY_SCRIPT } from "../../../src/pages/assets.gen.ts";
import { createMemoryRecords } from "../../../src/records/memory-records.ts";
import type { SignedStatement } from "../../../src/records/peer-statements.ts";
import { createPeers } from "../../../src/trust/ask-peers.ts";
import { checkSeal } from "../../../src/trust/check-seal.ts";
import { nodeKeyId, renderDIDDocument } from "../../../src/trust/did.ts";
import { createJWSSigner, isSignedBy, readJWS } from "../../../src/trust/jws.ts";
import { createNoChargeSigner } from "../../../src/trust/no-charge.ts";
import { createNodeSigner } from "../../../src/trust/node-signer.ts";
import { createOfferSigner } from "../../../src/trust/offers.ts";
import { checkProof } from "../../../src/trust/proof.ts";
import { createReceiptSeals } from "../../../src/trust/receipt-seals.ts";
import { createReceiptSigner, OFFER_RECEIPT, ownPayload } from "../../../src/trust/receipts.ts";
import type { Artefact, Edit, Loose } from "./artefact.ts";

const ORIGIN = "https://node.example.com";
const OPTIONS = { public_url: ORIGIN, sandbox: false };
const identity = createIdentity();
const stranger = createIdentity();
const KEY_ID = nodeKeyId(ORIGIN, identity.key_name);
const did = renderDIDDocument(ORIGIN, { name: identity.key_name, public_key: identity.public_key });
const findKey = (key_id: string) => (key_id === KEY_ID ? identity.public_key : null);

const rowOf = (seq: number): ReceiptRow => ({
  seq,
  id: `rcp_${seq}`,
  network: "eip155:84532",
  chain_transaction: `0x${String(seq).repeat(8)}`,
  product: "mempool",
  asset: "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
  amount: 8_000n + BigInt(seq),
  authorized: null,
  payer: `0xpayer${seq}`,
  pay_to: "0xseller",
  label: "organic",
  settled_at_ms: 1_793_000_000_000 + seq,
  request_sha256: sha256Hex(`request ${seq}`),
  response_sha256: sha256Hex(`answer ${seq}`),
  node: null,
  on_chain: null,
});

/** What a JWS says, as one text; null when it is none. */
const saidBy = (jws: unknown): string | null => {
  const read = typeof jws === "string" ? readJWS(jws) : null;
  return read && canonicalJSON(read.payload);
};
const recode = (jws: string, part: 0 | 1, change: (value: Loose) => void): string => {
  const parts = jws.split(".");
  const value = JSON.parse(Buffer.from(String(parts[part]), "base64url").toString());
  change(value);
  parts[part] = Buffer.from(JSON.stringify(value)).toString("base64url");
  return parts.join(".");
};

/** Where the signed text stands in a value. */
interface Held {
  readonly get: (value: Loose) => string;
  readonly set: (value: Loose, jws: string) => void;
  /** A member of the signed payload that somebody would like to be another one. */
  readonly member: string;
}

const signAs = createJWSSigner(stranger, KEY_ID);
/** Forgeries of any signed text. */
const forgeText = ({ get, set, member }: Held): readonly Edit[] => {
  const change = (name: string, forge: (jws: string, other: string) => string): Edit => ({
    name,
    edit: (copy, other) => set(copy, forge(get(copy), get(other))),
  });
  const payloadOf = (jws: string) => ({ ...readJWS(jws)?.payload, [member]: "1" });
  const cut = (jws: string, part: number) => jws.split(".")[part] ?? "";
  return [
    change("another payload", (jws) =>
      recode(jws, 1, (payload) => {
        payload[member] = "1";
      }),
    ),
    change("a member left out", (jws) => recode(jws, 1, (payload) => void delete payload[member])),
    change("one member more", (jws) =>
      recode(jws, 1, (payload) => {
        payload.more = true;
      }),
    ),
    change("a text that needs no signature", (jws) =>
      recode(jws, 0, (header) => {
        header.alg = "none";
      }),
    ),
    change("a key of another name", (jws) =>
      recode(jws, 0, (header) => {
        header.kid = `${ORIGIN}#node-9`;
      }),
    ),
    change("signed by a stranger under the node's key id", (jws) => signAs(payloadOf(jws))),
    change("signed by a stranger, nothing else", (jws) => signAs(readJWS(jws)?.payload)),
    change("the signature of another one", (jws, other) => `${cut(jws, 0)}.${cut(jws, 1)}.${cut(other, 2)}`),
    change("the payload of another one", (jws, other) => `${cut(jws, 0)}.${cut(other, 1)}.${cut(jws, 2)}`),
    change("no signature", (jws) => `${cut(jws, 0)}.${cut(jws, 1)}.`),
    change("cut in the middle", (jws) => jws.slice(0, jws.length >> 1)),
    change("two after each other", (jws, other) => `${jws}.${other}`),
  ];
};

/** Names of fields beside a signature that say something else than what was signed. */
const contradictions = (beside: Loose, payload: Loose): readonly string[] =>
  Object.entries({ ...payload, id: payload?.receipt_id }).flatMap(([name, signed]) =>
    beside?.[name] === undefined || beside[name] === signed ? [] : [name],
  );

interface TextArtefact extends Held {
  readonly kind: string;
  readonly make: (seq: number) => unknown;
  readonly passes: (given: unknown) => Promise<boolean>;
  readonly more?: readonly Edit[];
  /** Whether it contradicts itself beside what is signed. */
  readonly isTorn?: (given: Loose) => boolean;
}

const createTextArtefact = ({ kind, make, passes, more = [], isTorn, ...held }: TextArtefact): Artefact => ({
  kind,
  share: 1,
  targeted: [...forgeText(held), ...more],
  make: async () => [make(1), make(2)],
  check: async (given) => ((await passes(given)) ? ["signed"] : []),
  async judge(edited, genuine) {
    const said = saidBy(safely(() => held.get(edited)));
    // What the node did sign of another call may be shown as such.
    const is_signed = said === saidBy(held.get(genuine)) || said === saidBy(held.get(make(2)));
    const is_forged = isTorn === isTornOffer ? isTornOffer(edited) : !is_signed || isTorn?.(edited) === true;
    return { is_forged, passed: is_forged && (await passes(edited)) ? ["signed"] : [] };
  },
});

function safely(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

const passesProof = async (given: unknown): Promise<boolean> => (await checkProof(given, findKey)).doubt === null;
const signer = createReceiptSigner(identity, OPTIONS);

const makeOwn = (seq: number) => {
  const { receipt_id, ...shown } = ownPayload(rowOf(seq), { ...OPTIONS, node_id: identity.node_id });
  return { ...shown, id: receipt_id, signed: { node: { ...signer.own(rowOf(seq)) } } };
};
const own: Held = {
  get: (value) => value.signed.node.signature,
  set: (value, jws) => {
    value.signed.node.signature = jws;
  },
  member: "amount_atomic",
};
const BESIDE_EDITS: readonly Edit[] = ["amount_atomic", "payer", "pay_to", "transaction", "response_sha256", "id"].map(
  (name) => ({
    name: `another ${name} beside the signature`,
    edit: (copy) => {
      copy[name] = "1";
    },
  }),
);
const isTornReceipt = (given: Loose): boolean =>
  contradictions(given, readJWS(String(given?.signed?.node?.signature))?.payload).length > 0;

/** The check of the receipt's page, as it is served. */
async function passesInBrowser(receipt: unknown): Promise<boolean> {
  new Function(VERIFY_SCRIPT)();
  const { intelNodeChecks } = globalThis as unknown as { intelNodeChecks: { checkReceipt(given: unknown): unknown } };
  try {
    await intelNodeChecks.checkReceipt({ receipt, did });
    return true;
  } catch (error) {
    if (error instanceof Error) return false;
    throw error;
  }
}

const makeOffers = (seq: number) => {
  const terms = {
    scheme: "exact",
    network: "eip155:84532",
    asset: "0x03",
    payTo: "0xseller",
    amount: `${10_000 + seq}`,
  };
  const accepts = [terms, { ...terms, network: "eip155:8453" }];
  const extensions = {
    [OFFER_RECEIPT]: createOfferSigner(identity, OPTIONS)(`${ORIGIN}/mempool`, accepts, 1_800_000_000),
  };
  return { accepts, extensions };
};
const offersOf = (value: Loose): Loose[] => value.extensions[OFFER_RECEIPT].info.offers;
/** Whether every offer is signed by the node and is of the terms beside it. */
async function passesOffers(given: Loose): Promise<boolean> {
  const offers = safely(() => offersOf(given));
  if (!Array.isArray(offers) || offers.length === 0) return false;
  for (const offer of offers) {
    const { acceptIndex, signature } = offer ?? {};
    const read = typeof signature === "string" ? readJWS(signature) : null;
    const terms = given.accepts?.[acceptIndex];
    if (!read || !terms || findKey(read.key_id) === null) return false;
    if (!(await isSignedBy(signature, identity.public_key))) return false;
    if (Object.entries(terms).some(([name, value]) => read.payload[name] !== value)) return false;
  }
  return true;
}

/** Whether an offer is none of the node's, or the terms beside it are other ones. An offer less is no lie. */
function isTornOffer(given: Loose): boolean {
  const real = [1, 2].flatMap((seq) => offersOf(makeOffers(seq)).map(({ signature }) => saidBy(signature)));
  const offers = safely(() => offersOf(given));
  return (Array.isArray(offers) ? offers : []).some((offer: Loose) => {
    const said = saidBy(offer?.signature);
    const terms = given.accepts?.[offer?.acceptIndex] ?? {};
    if (said === null || !real.includes(said)) return true;
    const payload = JSON.parse(said);
    return Object.entries(terms).some(([name, value]) => payload[name] !== value);
  });
}

const noCharge = createNoChargeSigner(identity, ORIGIN);

/** Signed texts that a buyer holds: each by its own check. */
export const TEXT_ARTEFACTS: readonly Artefact[] = [
  createTextArtefact({
    kind: "receipt",
    ...own,
    make: makeOwn,
    passes: passesProof,
    more: BESIDE_EDITS,
    isTorn: isTornReceipt,
  }),
  createTextArtefact({
    kind: "receipt on its page",
    ...own,
    make: makeOwn,
    passes: passesInBrowser,
    more: BESIDE_EDITS,
    isTorn: isTornReceipt,
  }),
  createTextArtefact({
    kind: "official receipt in a settlement",
    make: (seq) => ({ success: true, extensions: signer.settlementExtension(rowOf(seq)) }),
    passes: passesProof,
    get: (value) => value.extensions[OFFER_RECEIPT].info.receipt.signature,
    set: (value, jws) => {
      value.extensions[OFFER_RECEIPT].info.receipt.signature = jws;
    },
    member: "payer",
  }),
  createTextArtefact({
    kind: "no-charge statement",
    make: (seq) => ({
      no_charge: noCharge({
        request_id: `req_${seq}`,
        at_ms: 1_793_000_000_000,
        code: "upstream_unavailable",
        path: "/mempool",
      }),
    }),
    passes: passesProof,
    get: (value) => value.no_charge,
    set: (value, jws) => {
      value.no_charge = jws;
    },
    member: "code",
  }),
  createTextArtefact({
    kind: "offer",
    make: makeOffers,
    passes: passesOffers,
    get: (value) => offersOf(value)[0].signature,
    set: (value, jws) => {
      offersOf(value)[0].signature = jws;
    },
    member: "amount",
    isTorn: isTornOffer,
    more: [
      {
        name: "another amount beside it",
        edit: ({ accepts }) => {
          accepts[0].amount = "1";
        },
      },
      {
        name: "another recipient beside it",
        edit: ({ accepts }) => {
          accepts[1].payTo = "0xother";
        },
      },
      {
        name: "the offers in each other's place",
        edit: (copy) => {
          for (const [index, one] of offersOf(copy).reverse().entries()) one.acceptIndex = index;
        },
      },
    ],
  }),
];

/** Everything in a seal's proof is hashed or signed: what differs in it is a forgery. */
const SEAL_EDITS: readonly Edit[] = [
  {
    name: "another answer",
    edit: ({ item }) => {
      item.response_sha256 = sha256Hex("another answer");
    },
  },
  {
    name: "another request",
    edit: ({ item }) => {
      item.request_sha256 = sha256Hex("another");
    },
  },
  {
    name: "another receipt",
    edit: ({ item }) => {
      item.receipt_id = "rcp_9";
    },
  },
  {
    name: "another time",
    edit: ({ item }) => {
      item.settled_at = "2020-01-01T00:00:00Z";
    },
  },
  {
    name: "the item of another one",
    edit: (copy, other) => {
      copy.item = other.item;
    },
  },
  {
    name: "the item and leaf of another one",
    edit: (copy, other) => void Object.assign(copy, { item: other.item, leaf_hash: other.leaf_hash }),
  },
  {
    name: "another index",
    edit: (copy) => {
      copy.leaf_index += 1;
    },
  },
  { name: "a path cut short", edit: ({ audit_path }) => void audit_path.pop() },
  { name: "a longer path", edit: ({ audit_path }) => void audit_path.push(audit_path[0]) },
  { name: "a path backwards", edit: ({ audit_path }) => void audit_path.reverse() },
  {
    name: "fewer leaves",
    edit: ({ record }) => {
      record.leaf_count -= 1;
    },
  },
  {
    name: "another root",
    edit: ({ record }) => {
      record.root = "0".repeat(64);
    },
  },
  {
    name: "an earlier seal",
    edit: ({ record }) => {
      record.sealed_at = "2020-01-01T00:00:00Z";
    },
  },
  {
    name: "another place of the seal",
    edit: ({ record }) => {
      record.seq += 1;
    },
  },
  {
    name: "a stranger's key",
    edit: (copy) => {
      copy.public_key = stranger.public_key;
    },
  },
  {
    name: "signed by a stranger",
    edit: (copy) => {
      copy.public_key = stranger.public_key;
      copy.signature = stranger.sign(Buffer.from(copy.signed_text));
    },
  },
  {
    name: "a root of his own over another answer",
    edit: (copy) => {
      copy.item.response_sha256 = sha256Hex("another answer");
      copy.record.leaf_count = 1;
      copy.audit_path = [];
      copy.leaf_index = 0;
    },
  },
];

async function sealOne(count: number): Promise<unknown> {
  const rows = Array.from({ length: count }, (_, index) => rowOf(index + 1));
  const now_ms = () => 1_793_000_000_000 + 7_200_000;
  const seals = createReceiptSeals({
    receipts: {
      list: async ({ limit, before_seq = Number.MAX_SAFE_INTEGER }) =>
        rows
          .filter(({ seq }) => seq < before_seq)
          .slice(-limit)
          .reverse(),
      findByAnswer: async () => null,
    },
    records: createMemoryRecords(now_ms),
    signer: createNodeSigner(identity),
    isPlan: () => false,
    now_ms,
  });
  await seals.seal();
  return JSON.parse(JSON.stringify(await seals.prove(rowOf(5))));
}

const passesSeal = (given: unknown): boolean =>
  typeof checkSeal(given, (key) => key === identity.public_key) !== "string";
const sealedIn = ({ item, leaf_hash, leaf_index, audit_path, record, record_hash, signed_text }: Loose): string =>
  canonicalJSON({ item, leaf_hash, leaf_index, audit_path, record, record_hash, signed_text });

export const SEAL_ARTEFACT: Artefact = {
  kind: "receipt's seal",
  share: 1,
  targeted: SEAL_EDITS,
  make: async () => [await sealOne(23), await sealOne(40)],
  check: async (given) => (passesSeal(given) ? ["sealed"] : []),
  async judge(edited, genuine) {
    const said = safely(() => sealedIn(edited));
    const is_forged = said !== sealedIn(genuine) && said !== sealedIn(await sealOne(40));
    return { is_forged, passed: is_forged && passesSeal(edited) ? ["sealed"] : [] };
  },
};

interface PeerGiven {
  readonly answer: SignedStatement;
  readonly did: unknown;
}
const PEER = "https://peer.example.com";
const KIND = "swarm-votes";
/** What a node makes of a peer's answer. */
async function askPeer({ answer, did: document }: PeerGiven): Promise<string | null> {
  const ask = async (url: string) => ({
    status: 200,
    headers: new Headers(),
    text: JSON.stringify(url.endsWith("/did.json") ? document : answer) ?? "",
  });
  const peers = createPeers({ urls: [PEER], ask, node_id: stranger.node_id, sandbox: false });
  const pick = (body: Loose): SignedStatement | null =>
    typeof body?.text === "string" && typeof body.signature === "string" && typeof body.public_key === "string"
      ? body
      : null;
  const [said] = await peers.ask({ path: "/votes", kind: KIND, pick });
  return said && !("refused" in said) ? said.text : null;
}
const makePeer = (seq: number): PeerGiven => ({
  answer: {
    text: canonicalJSON({ v: 1, seq, verdict: "bullish" }),
    signature: createNodeSigner(identity).sign(KIND, canonicalJSON({ v: 1, seq, verdict: "bullish" })),
    public_key: identity.public_key,
  },
  did: renderDIDDocument(PEER, { name: identity.key_name, public_key: identity.public_key }),
});

export const PEER_ARTEFACT: Artefact = {
  kind: "peer's statement",
  share: 1,
  targeted: [
    {
      name: "another text",
      edit: ({ answer }) => {
        answer.text = answer.text.replace("bullish", "bearish");
      },
    },
    {
      name: "the text of another one",
      edit: ({ answer }, other) => {
        answer.text = other.answer.text;
      },
    },
    {
      name: "the signature of another one",
      edit: ({ answer }, other) => {
        answer.signature = other.answer.signature;
      },
    },
    {
      name: "signed by a stranger",
      edit: ({ answer }) => {
        answer.text = answer.text.replace("bullish", "bearish");
        answer.signature = createNodeSigner(stranger).sign(KIND, answer.text);
        answer.public_key = stranger.public_key;
      },
    },
    {
      name: "signed as a statement of another kind",
      edit: ({ answer }) => {
        answer.text = answer.text.replace("bullish", "bearish");
        answer.signature = createNodeSigner(identity).sign("win-rate", answer.text);
      },
    },
    {
      name: "a key that vouches for nothing",
      edit: (copy) => {
        copy.did.assertionMethod = [];
      },
    },
  ],
  make: async () => [makePeer(1), makePeer(2)],
  check: async (given) => ((await askPeer(given as PeerGiven)) === null ? [] : ["signed"]),
  async judge(edited, genuine) {
    const said = safely(() => (edited as PeerGiven).answer.text);
    const is_signed = [genuine, makePeer(2)].some((one) => (one as PeerGiven).answer.text === said);
    const told = await askPeer(edited as PeerGiven);
    return { is_forged: !is_signed, passed: !is_signed && told !== null ? ["signed"] : [] };
  },
};
