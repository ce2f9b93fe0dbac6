import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { messageOf } from "../core/errors.ts";
import { escapeInvisible } from "../core/foreign-text.ts";
import { LOG_PROOF_HEADER } from "../trust/log-proof.ts";
import { type NoteKey, readWitnessKey } from "../trust/signed-note.ts";
import { type KeptHead, readKeptHead } from "../trust/track-form.ts";
import { type TrackReport, verifyTrackRecord } from "../trust/track-record.ts";
import { OUTCOME_OF, type TrackState } from "../trust/track-states.ts";
import { verifyLogProof } from "../trust/verify-log-proof.ts";
import type { WitnessPolicy } from "../trust/witness-policy.ts";
import { createPeerFetch, isPeerURL } from "../upstream/fetch-peer.ts";
import { readKeysOf } from "./did-document.ts";
import { EXIT } from "./exit-codes.ts";
import { loadPolicy } from "./load-policy.ts";
import { print, printError } from "./print.ts";

export interface VerifyTrackOptions {
  /**
   * Address of a node, "-" for standard input, or a file: an answer of /win-rate-verified or /thesis-engine, an answer
   * of /track-record/evidence or /track-record/proof/<seq>, or a file written by --save.
   */
  readonly source: string;
  /** Prepaid key that buys the newest signals; without one, the free record of a day ago is checked. */
  readonly api_key: string | undefined;
  /**
   * File with an answer of /track-record/evidence: the older records that an answer in a file does not show, or the
   * record of a tlog-proof.
   */
  readonly evidence?: string | undefined;
  /** File to save the checked data in, for another check offline. */
  readonly save?: string | undefined;
  /** File with the node's /.well-known/did.json; required for an answer in a file. */
  readonly did_document: string | undefined;
  /** "<length>:<hash>", a chain head kept earlier, or a file with an earlier answer or signed head. */
  readonly head: string | undefined;
  /** Keys of witnesses, as a node's /witness names them, that must have cosigned the checkpoint of a tlog-proof. */
  readonly witnesses?: readonly string[];
  /** File with the policy: the witnesses that are enough for a tlog-proof. */
  readonly policy?: string | undefined;
  readonly json: boolean;
}

class GivenError extends Error {
  override readonly name = "GivenError";
}
/** The other node, or the connection to it, failed. */
class AnswerError extends Error {
  override readonly name = "AnswerError";
}

const WORDS: Readonly<Record<TrackState, string>> = {
  proven: "proven: the record is signed, whole and adds up",
  unproven: "unproven in part: nothing is wrong, but not all of it hangs on what was signed",
  broken: "BROKEN: do not trust this record",
};
const PROOF_WORDS: Readonly<Record<TrackState, string>> = {
  proven: "proven: the record stands in the log that the node signed",
  unproven: "unproven in part: nothing is wrong, but the record itself is not shown",
  broken: "BROKEN: do not trust this proof",
};
const CODES: Readonly<Record<TrackState, number>> = {
  proven: EXIT.ok,
  unproven: EXIT.partial,
  broken: EXIT.failed,
};
/** Largest file: a hundred thousand records. */
const BYTES_MAX = 100_000_000;
const PATHS = {
  sold: "/win-rate-verified?records=200",
  preview: "/win-rate-verified?preview=1",
  evidence: "/track-record/evidence",
  heads: "/track-record/heads",
  keys: "/.well-known/did.json",
} as const;
/** The most pages of the free evidence, of 500 records each. */
const PAGES_MAX = 400;

/** Checks a node's track record. It does not fetch prices, which the buyer can compare. */
export async function verifyTrackCommand(options: VerifyTrackOptions): Promise<number> {
  try {
    const source = await readSource(options);
    const report = "proof" in source ? checkLogProof(source, options) : await checkRecord(source, options);
    const words = "proof" in source ? PROOF_WORDS : WORDS;
    const outcome = OUTCOME_OF[report.verdict];
    print(options.json ? JSON.stringify({ ...report, outcome }) : renderReport(report, words));
    return CODES[report.verdict];
  } catch (error) {
    if (!(error instanceof GivenError) && !(error instanceof AnswerError)) throw error;
    printError(error.message);
    // Nothing was checked, so there is no verdict.
    return EXIT.config;
  }
}

async function checkRecord(
  { answer, evidence, keys }: RecordSource,
  options: VerifyTrackOptions,
): Promise<TrackReport> {
  if (options.witnesses?.length || options.policy !== undefined) {
    throw new GivenError("--witness and --policy are for a .tlog-proof: nothing else is cosigned");
  }
  const kept = readHead(options.head);
  const joined = kept && isPeerURL(options.source) ? await askJoin(new URL(options.source).origin, kept) : undefined;
  const report = verifyTrackRecord(answer, { findKey: createFinder(keys), kept, joined, evidence });
  if (options.save !== undefined) save(options.save, evidence === undefined ? answer : { answer, evidence });
  return report;
}

function checkLogProof({ proof, evidence, keys }: ProofSource, options: VerifyTrackOptions): TrackReport {
  const { head, save: file, witnesses = [], policy } = options;
  if (head !== undefined || file !== undefined) {
    throw new GivenError("of a .tlog-proof, which is of one record, neither --head nor --save says anything");
  }
  const named = witnesses.map(readWitness);
  const own = listKeys(keys).map(({ x }) => x);
  return verifyLogProof(proof, { keys: own, evidence, witnesses: named, policy: readPolicy(policy) });
}

function readPolicy(file: string | undefined): WitnessPolicy | undefined {
  const policy = file === undefined ? undefined : loadPolicy(file);
  if (typeof policy === "string") throw new GivenError(policy);
  return policy;
}

function readWitness(text: string): NoteKey {
  const key = readWitnessKey(text);
  if (key === null) throw new GivenError("--witness is a verifier_key, as /witness of another node names it");
  return key;
}

const renderReport = ({ claims, verdict }: TrackReport, words: typeof WORDS): string =>
  [
    ...claims.map(({ name, state, detail }) => escapeInvisible(`${state.padEnd(8)}  ${name}: ${detail}`)),
    words[verdict],
  ].join("\n");

const HEAD = /^([1-9]\d{0,8}):([0-9a-f]{64})$/;

function readHead(head: string | undefined): KeptHead | undefined {
  if (head === undefined) return undefined;
  const [, length, hash] = HEAD.exec(head) ?? [];
  if (length !== undefined && hash !== undefined) return { length: Number(length), head: hash };
  const kept = existsSync(head) ? readKeptHead(readFile(head)) : null;
  if (kept === null) {
    throw new GivenError("--head is a length and a hash, 42:9f86d0…, or a file with an answer or a signed head");
  }
  return kept;
}

interface RecordSource {
  readonly answer: unknown;
  /** Undefined without evidence. */
  readonly evidence: unknown;
  readonly keys: unknown;
}

/** The position of one record in the log of its history. */
interface ProofSource extends Omit<RecordSource, "answer"> {
  readonly proof: string;
}

async function readSource(options: VerifyTrackOptions): Promise<RecordSource | ProofSource> {
  const { source, did_document, api_key, evidence } = options;
  if (isPeerURL(source)) {
    const { origin } = new URL(source);
    const keys = did_document === undefined ? await ask(`${origin}${PATHS.keys}`, undefined) : readFile(did_document);
    return { ...(await askRecord(origin, api_key)), keys };
  }
  if (source !== "-" && !existsSync(source)) {
    throw new GivenError(
      `${source.slice(0, 200)} is neither a file nor an address: https://…, or http on this machine`,
    );
  }
  if (did_document === undefined) {
    throw new GivenError(
      "say whose signature it has to be: --did-document <file> with the node's /.well-known/did.json",
    );
  }
  const text = source === "-" ? (await Bun.stdin.text()).slice(0, BYTES_MAX) : readText(source);
  const beside = evidence === undefined ? undefined : readFile(evidence);
  if (text.startsWith(`${LOG_PROOF_HEADER}\n`)) return { proof: text, evidence: beside, keys: readFile(did_document) };
  const given = parse(text, source === "-" ? "standard input" : source);
  const keys = readFile(did_document);
  return isSaved(given) ? { ...given, keys } : { answer: given, evidence: beside, keys };
}

interface Saved {
  readonly answer: unknown;
  readonly evidence: unknown;
}

const isSaved = (given: unknown): given is Saved =>
  typeof given === "object" && given !== null && "answer" in given && "evidence" in given;

/** With a key, buys the newest signals; else fetches the free statement. Both come with all older records. */
async function askRecord(origin: string, api_key: string | undefined): Promise<Saved> {
  const evidence = await askEvidence(origin);
  if (api_key !== undefined) return { answer: await ask(`${origin}${PATHS.sold}`, api_key), evidence };
  if (evidence !== undefined) return { answer: evidence, evidence: undefined };
  return { answer: await ask(`${origin}${PATHS.preview}`, undefined), evidence };
}

const recordsOf = (page: unknown): readonly unknown[] | null =>
  typeof page === "object" && page !== null && "records" in page && Array.isArray(page.records) ? page.records : null;
const nextOf = (page: unknown): number | null =>
  typeof page === "object" && page !== null && "next_after_seq" in page && typeof page.next_after_seq === "number"
    ? page.next_after_seq
    : null;

/** All pages of the free evidence joined; undefined if the node has none, or none yet. */
async function askEvidence(origin: string): Promise<unknown> {
  const first = await ask(`${origin}${PATHS.evidence}`, undefined, 404);
  const records = [...(recordsOf(first) ?? [])];
  let after = nextOf(first);
  for (let pages = 1; after !== null && pages < PAGES_MAX; pages++) {
    const page: unknown = await ask(`${origin}${PATHS.evidence}?after_seq=${after}`, undefined);
    records.push(...(recordsOf(page) ?? []));
    after = nextOf(page);
  }
  const has_statement = typeof first === "object" && first !== null && "statement" in first && first.statement !== null;
  return has_statement ? { statement: first.statement, records } : undefined;
}

/** The proof that joins an earlier head to the newest; undefined if the node has no such path or length. */
async function askJoin(origin: string, { length, outcome_log_size }: KeptHead): Promise<unknown> {
  const outcomes = outcome_log_size ? `&from_outcomes=${outcome_log_size}` : "";
  const found = await createPeerFetch({})(`${origin}${PATHS.heads}?from=${length}${outcomes}`);
  if ("failed" in found) throw new AnswerError(found.failed);
  if (found.status !== 200) return undefined;
  const body = parse(found.text, PATHS.heads);
  return typeof body === "object" && body !== null && "joined" in body ? body.joined : undefined;
}

function save(file: string, value: unknown): void {
  try {
    writeFileSync(file, JSON.stringify(value), { flag: "wx" });
  } catch (error) {
    throw new GivenError(`${file.slice(0, 200)} cannot be written: ${messageOf(error)}`);
  }
}

function parse(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw new GivenError(`${name} is no JSON`);
    throw error;
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8").slice(0, BYTES_MAX);
  } catch (error) {
    throw new GivenError(`${file.slice(0, 200)} cannot be read: ${messageOf(error)}`);
  }
}

const readFile = (file: string): unknown => parse(readText(file), file);

/** @returns undefined if the node answers with the status that means "does not exist" */
async function ask(url: string, api_key: string | undefined, missing?: number): Promise<unknown> {
  const found = await createPeerFetch(api_key === undefined ? {} : { "x-api-key": api_key })(url);
  if ("failed" in found) throw new AnswerError(found.failed);
  if (found.status === missing) return undefined;
  if (found.status !== 200) throw new AnswerError(`${url} answers ${found.status}`);
  try {
    return JSON.parse(found.text);
  } catch (error) {
    if (error instanceof SyntaxError) throw new AnswerError(`${url} does not answer with JSON`);
    throw error;
  }
}

/** Keys by the fragment of their id, because the node may have had another address when it signed. */
function createFinder(document: unknown): (key_id: string) => string | null {
  const keys = listKeys(document);
  return (key_id) => keys.find(({ id }) => id.endsWith(`#${key_id}`))?.x ?? null;
}

function listKeys(document: unknown): NonNullable<ReturnType<typeof readKeysOf>> {
  const keys = readKeysOf(document);
  if (keys === null) throw new GivenError("the DID document has no Ed25519 key");
  return keys;
}
