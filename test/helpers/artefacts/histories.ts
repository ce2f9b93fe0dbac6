import { canonicalJSON } from "../../../src/core/hash.ts";
import { createIdentity } from "../../../src/core/identity.ts";
import { VERIFY_SCRIPT } from "../../../src/pages/assets.gen.ts";
import { hashRecord, renderRecord } from "../../../src/records/record-chain.ts";
import { renderDIDDocument } from "../../../src/trust/did.ts";
import { createNodeSigner } from "../../../src/trust/node-signer.ts";
import { isScored, readTrackDocument, type TrackDocument, type TrackRow } from "../../../src/trust/track-form.ts";
import { verifyTrackRecord } from "../../../src/trust/track-record.ts";
import { createLongHistory, listEvidence, sellHistory, stateOutcome } from "../long-history.ts";
import { createLongTheses, sellThesis } from "../long-theses.ts";
import { createTestSigner } from "../test-signer.ts";
import type { Artefact, Edit, Judgement, Loose } from "./artefact.ts";

const signer = createTestSigner();
const findKey = (key_id: string) => (key_id === signer.key_id ? signer.public_key : null);
const did = renderDIDDocument("https://node.example.com", { name: signer.key_id, public_key: signer.public_key });
const stranger = createNodeSigner(createIdentity());

interface BrowserChecks {
  checkTrack(given: unknown): Promise<readonly string[]>;
}
/** The script of the pages, run as it is served. */
function loadBrowserChecks(): BrowserChecks {
  new Function(VERIFY_SCRIPT)();
  return (globalThis as unknown as { intelNodeChecks: BrowserChecks }).intelNodeChecks;
}

const passesInBrowser = async (evidence: unknown): Promise<boolean> => {
  try {
    await loadBrowserChecks().checkTrack({ did, ...(evidence as object) });
    return true;
  } catch (error) {
    if (error instanceof Error) return false;
    throw error;
  }
};

/** An answer alone, all of the evidence alone, or an answer with the evidence beside it. */
interface Given {
  readonly answer?: unknown;
  readonly evidence?: unknown;
}
const documentOf = (given: Given): unknown => given.answer ?? given.evidence;
const judge = (given: Given) => {
  const evidence = given.answer === undefined ? undefined : given.evidence;
  return verifyTrackRecord(documentOf(given), { findKey, evidence });
};

const keyOf = ({ record, record_hash, outcome, outcome_hash }: TrackRow): string =>
  canonicalJSON({ record, record_hash, outcome, outcome_hash });
const rowsOf = (value: unknown): readonly TrackRow[] => {
  const document = value === undefined ? "" : readTrackDocument(value);
  return typeof document === "string" ? [] : (document.rows ?? []);
};
const statementOf = (document: TrackDocument): string => {
  const { payload, payload_canonical, signature } = document;
  return canonicalJSON({ payload, payload_canonical, signature: Buffer.from(signature, "base64url").toString("hex") });
};

const COVERED = "n_emitted n_open n_unscorable n_scored wins win_rate sum_net_bps avg_net_bps profit_factor".split(" ");
/** The figures beside the signed ones that the check answers for, as far as they are shown. */
function listFigures({ unsigned }: TrackDocument): ReadonlyMap<string, unknown> {
  const figures = new Map<string, unknown>();
  const beside = (unsigned ?? {}) as Loose;
  for (const one of Array.isArray(beside.windows) ? beside.windows : []) {
    if (one?.window !== "all") continue;
    for (const name of COVERED) if (one[name] !== undefined) figures.set(name, one[name]);
  }
  for (const name of ["by_symbol", "by_side", "by_bucket"]) {
    if (!Array.isArray(beside[name])) continue;
    for (const member of ["n", "wins"]) {
      const sum = beside[name].reduce((total: number, one: Loose) => total + Number(one?.[member]), 0);
      figures.set(`${name}/${member}`, sum);
    }
  }
  return figures;
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
const CLAIMS = ["membership", "order", "completeness", "grades", "totals"];

/** What an edited history says that the node never did, found without any proof: by comparing. */
function findLies(edited: Given, known: readonly Given[]): ReadonlySet<string> {
  const lies = new Set<string>();
  const mine = readTrackDocument(documentOf(edited));
  if (typeof mine === "string") return lies;
  // Which history it speaks of is for its statement to say.
  const base = known.find((given) => {
    const document = readTrackDocument(documentOf(given));
    return typeof document !== "string" && statementOf(document) === statementOf(mine);
  });
  const theirs = base && readTrackDocument(documentOf(base));
  if (!theirs || typeof theirs === "string") return new Set(["signature", ...CLAIMS]);
  const figures = listFigures(theirs);
  if ([...listFigures(mine)].some(([name, value]) => figures.has(name) && !isSame(figures.get(name), value))) {
    lies.add("totals");
  }
  const real = [...(theirs.rows ?? []), ...rowsOf(base.answer === undefined ? undefined : base.evidence)];
  const rows = mine.rows ?? [];
  const beside = rowsOf(edited.answer === undefined ? undefined : edited.evidence);
  const shown = new Set(real.map(keyOf));
  // Evidence without an outcome says nothing of today.
  const told = [...rows, ...beside.filter(({ outcome }) => outcome !== null)];
  if (told.some((row) => !shown.has(keyOf(row)))) lies.add("membership");
  const records = new Set(real.map(({ record }) => canonicalJSON(record)));
  if ([...rows, ...beside].some(({ record }) => !records.has(canonicalJSON(record))))
    lies.add("membership").add("order");
  const outcomes = new Set(real.map(({ outcome }) => canonicalJSON(outcome)));
  if (told.some(({ outcome }) => outcome && !outcomes.has(canonicalJSON(outcome)))) lies.add("grades");
  if (new Set(rows.map(({ record }) => record.seq)).size < rows.length) lies.add("membership");
  const left = new Set(told.filter(isScored).map(keyOf));
  if (real.filter(isScored).some((row) => !left.has(keyOf(row)))) lies.add("completeness").add("totals");
  return lies;
}

async function judgeEdited(edited: Given, known: readonly Given[]): Promise<Judgement> {
  const lies = findLies(edited, known);
  if (lies.size === 0) return { is_forged: false, passed: [] };
  const { claims, verdict } = judge(edited);
  const passed = claims.filter(({ name, state }) => state === "proven" && lies.has(name)).map(({ name }) => name);
  const in_browser = edited.answer === undefined && (await passesInBrowser(edited.evidence)) ? ["browser"] : [];
  return { is_forged: true, passed: [...passed, ...(verdict === "proven" ? ["verdict"] : []), ...in_browser] };
}

const rehash = (row: Loose): void => {
  row.record_hash = hashRecord(row.record);
  if (row.outcome) {
    row.outcome.record_hash = row.record_hash;
    row.outcome.seq = row.record.seq;
    row.outcome_hash = hashRecord(row.outcome);
  }
};
const grade = (row: Loose, exit_price: string): void => {
  row.record_hash = hashRecord(row.record);
  row.outcome = stateOutcome(row.record, row.record_hash, exit_price);
  row.outcome_hash = hashRecord(row.outcome);
};
const winOf = ({ record }: Loose): string => (record.side === "long" ? "110.0" : "90.0");
/** Makes the links fit from the oldest shown on. */
const relink = (rows: Loose[]): void => {
  const ordered = [...rows].sort((a, b) => a.record.seq - b.record.seq);
  for (const [index, row] of ordered.entries()) {
    const before = ordered[index - 1];
    if (before && before.record.seq === row.record.seq - 1) row.record.prev_hash = before.record_hash;
    rehash(row);
  }
};
const sign = (statement: Loose, as: typeof signer): void => {
  statement.payload_canonical = renderRecord(statement.payload);
  const kind = statement.payload.kind === "theses" ? "theses" : "win-rate";
  statement.signature = as.sign(kind, statement.payload_canonical);
};

type RowEdit = (row: Loose, at: number, rows: Loose[], others: Loose[]) => void;
const ROW_EDITS: Readonly<Record<string, RowEdit>> = {
  "the other side": ({ record }) => {
    record.side = record.side === "long" ? "short" : "long";
  },
  "the other side, hashes made to fit": (row) => {
    row.record.side = row.record.side === "long" ? "short" : "long";
    rehash(row);
  },
  "the other side, hashes and links made to fit": (row, _, rows) => {
    row.record.side = row.record.side === "long" ? "short" : "long";
    relink(rows);
  },
  "a better exit": ({ outcome }) => {
    outcome.exit_price = "120.0";
  },
  "a win, graded anew": (row) => grade(row, winOf(row)),
  "another result": (row) => {
    row.outcome.net_bps = "999.0";
    rehash(row);
  },
  "a miss called a hit": (row) => {
    row.outcome.hit = !row.outcome.hit;
    rehash(row);
  },
  "the outcome of another record": (row, at, rows) => {
    row.outcome = structuredClone(rows[(at + 1) % rows.length].outcome);
    rehash(row);
  },
  "not gradable": (row) => {
    row.outcome = { v: 1, seq: row.record.seq, record_hash: row.record_hash, status: "unscorable", reason: "none" };
    row.outcome_hash = hashRecord(row.outcome);
  },
  "open still": (row) => Object.assign(row, { outcome: null, outcome_hash: null, outcome_seq: null }),
  "left out": (_, at, rows) => void rows.splice(at, 1),
  "shown twice": (row, _, rows) => void rows.push(structuredClone(row)),
  "another place": (row) => {
    row.record.seq += 1;
    rehash(row);
  },
  "a day earlier": (row) => {
    row.record.emitted_at = new Date(Date.parse(row.record.emitted_at) - 86_400_000).toISOString();
    grade(row, winOf(row));
  },
  "no cost": (row) => {
    row.record.cost_bps = "0.0";
    grade(row, row.outcome.exit_price ?? "100.0");
  },
  "another place in the log": (row) => {
    row.outcome_seq += 1;
  },
  "a record of another history": (_, at, rows, others) => {
    rows[at] = others[at % others.length];
  },
  "an outcome of another history": (row, at, _, others) => {
    row.outcome = others[at % others.length].outcome;
    rehash(row);
  },
  "another one before it": (row) => {
    row.record.prev_hash = "0".repeat(64);
    rehash(row);
  },
};

type Parts = { readonly statement: Loose; readonly rows: Loose[]; readonly holder: Loose };
/** The parts of either form: an answer's data, or the evidence. */
const partsOf = (given: Loose): Parts => {
  const holder = given.answer?.data ?? given.evidence;
  return { statement: holder.statement ?? holder, rows: holder.records, holder };
};

const WHOLE_EDITS: Readonly<Record<string, (own: Parts, other: Parts) => void>> = {
  "one more hit": ({ statement }) => {
    statement.payload.wins += 1;
  },
  "one more hit, in the signed text too": ({ statement }) => {
    statement.payload.wins += 1;
    statement.payload_canonical = renderRecord(statement.payload);
  },
  "one more hit, signed by a stranger": ({ statement }) => {
    statement.payload.wins += 1;
    sign(statement, stranger);
  },
  "signed by a stranger in his own name": ({ statement }) => {
    Object.assign(statement.payload, { node_id: stranger.node_id });
    sign(statement, stranger);
  },
  "a key of another name": ({ statement }) => {
    statement.payload.key_id = "node-9";
    sign(statement, signer);
  },
  "the statement of another history": ({ statement }, other) => {
    const { payload, payload_canonical, signature } = other.statement;
    Object.assign(statement, { payload, payload_canonical, signature });
  },
  "the records of another history": ({ holder }, other) => {
    holder.records = other.rows;
  },
  "the records of another history, with their proof": ({ holder }, other) =>
    void Object.assign(holder, { records: other.rows, proof: other.holder.proof }),
  "the newer half alone": ({ holder, rows }) => {
    holder.records = rows.slice(0, rows.length >> 1);
  },
  "the older half alone": ({ holder, rows }) => {
    holder.records = rows.slice(rows.length >> 1);
  },
  "the half alone, without a proof": ({ holder, rows }) =>
    void Object.assign(holder, { records: rows.slice(rows.length >> 1), proof: null }),
  "more records, of another history": ({ rows }, other) => void rows.push(...other.rows),
  "no losses": ({ holder, rows }) => {
    holder.records = rows.filter(({ outcome }) => outcome?.hit !== false);
  },
  "nothing but wins, hashes and links made to fit": ({ rows }) => {
    for (const row of rows) if (row.outcome) grade(row, winOf(row));
    relink(rows);
  },
  "the same without a proof": ({ rows, holder }) => {
    for (const row of rows) if (row.outcome) grade(row, winOf(row));
    relink(rows);
    holder.proof = null;
  },
  "a tenth made wins, without a proof": ({ rows, holder }) => {
    for (const row of rows.slice(0, rows.length / 10)) if (row.outcome) grade(row, winOf(row));
    relink(rows);
    holder.proof = null;
  },
  "the proof backwards": ({ holder }) => void holder.proof?.outcomes.reverse(),
  "numbered anew from 1": ({ rows }) => {
    const ordered = [...rows].sort((a, b) => a.record.seq - b.record.seq);
    for (const [index, { record }] of ordered.entries()) record.seq = index + 1;
    relink(rows);
  },
  "a longer chain": ({ statement }) => {
    statement.payload.chain_length += 1;
  },
  "another kind": ({ statement }) => {
    statement.payload.kind = statement.payload.kind === "theses" ? "win-rate-verified" : "theses";
  },
  "a signature with another first letter": ({ statement }) => {
    statement.signature = (statement.signature.startsWith("A") ? "B" : "A") + statement.signature.slice(1);
  },
  "the signature of another history": ({ statement }, other) => {
    statement.signature = other.statement.signature;
  },
};

const PLACES: Readonly<Record<string, (length: number) => number>> = {
  newest: () => 0,
  middle: (length) => length >> 1,
  oldest: (length) => length - 1,
};

const TARGETED: readonly Edit[] = [
  ...Object.entries(ROW_EDITS).flatMap(([name, change]) =>
    Object.entries(PLACES).map(([place, find]) => ({
      name: `${place}: ${name}`,
      edit: (copy: Loose, other: Loose) => {
        const { rows } = partsOf(copy);
        const at = find(rows.length);
        // Some edits are of what is graded: the nearest that is.
        const graded = rows.findIndex((row, index) => index >= at && row.outcome?.status === "scored");
        const chosen = graded < 0 ? rows.findLastIndex((row) => row.outcome?.status === "scored") : graded;
        change(
          rows[chosen],
          chosen,
          rows,
          partsOf(other).rows.filter((row) => row.outcome?.status === "scored"),
        );
      },
    })),
  ),
  ...Object.entries(WHOLE_EDITS).map(([name, change]) => ({
    name,
    edit: (copy: Loose, other: Loose) => change(partsOf(copy), partsOf(other)),
  })),
];

/** What is signed and shown of histories of several lengths, in the three forms in which a buyer holds them. */
export function createHistoryArtefacts(lengths: readonly number[], of: Chain = "signals"): readonly Artefact[] {
  return lengths.flatMap((length) => {
    const form = (kind: string, choose: (all: Required<Given>) => Given): Artefact => ({
      kind: `${kind} of ${length} ${of}`,
      share: Math.min(1, 300 / length),
      targeted: TARGETED,
      make: async () => [choose(await makeBoth(length, "66.4", of)), choose(await makeBoth(length, "61.2", of))],
      check: async (given) => {
        const { claims } = judge(given as Given);
        const proven = claims.filter(({ state }) => state === "proven").map(({ name }) => name);
        const { answer, evidence } = given as Given;
        return answer === undefined && (await passesInBrowser(evidence)) ? [...proven, "browser"] : proven;
      },
      judge: async (edited, genuine) =>
        judgeEdited(edited as Given, [genuine as Given, choose(await makeBoth(length, "61.2", of))]),
    });
    return [
      form("answer", ({ answer }) => ({ answer })),
      form("free evidence", ({ evidence }) => ({ evidence })),
      form("answer with evidence", (all) => all),
    ];
  });
}

type Chain = "signals" | "theses";
const made = new Map<string, Promise<Required<Given>>>();
/** Made once for all forms of it. */
function makeBoth(length: number, figure: string, of: Chain): Promise<Required<Given>> {
  const name = `${length} ${figure} ${of}`;
  const known = made.get(name) ?? makeHistory(length, figure, of);
  made.set(name, known);
  return known;
}

/** @param figure differs from one history to another. */
async function makeHistory(length: number, figure: string, of: Chain): Promise<Required<Given>> {
  const [create, sell] = of === "theses" ? [createLongTheses, sellThesis] : [createLongHistory, sellHistory];
  const history = await create(length, figure);
  // Of a long one some are shown; of a short one all.
  const data = await sell(history, Math.min(200, Math.ceil(length * 0.7)));
  const { payload, payload_canonical, signature } = data;
  const statement = { payload, payload_canonical, signature };
  return { answer: { data }, evidence: { statement, records: await listEvidence(history.records, of) } };
}
