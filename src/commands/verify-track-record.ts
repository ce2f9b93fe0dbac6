import { existsSync, readFileSync } from "node:fs";
import { messageOf } from "../core/errors.ts";
import { type KeptHead, type TrackReport, verifyTrackRecord } from "../trust/track-record.ts";
import { createPeerFetch, isPeerURL } from "../upstream/fetch-peer.ts";
import { readKeysOf } from "./did-document.ts";
import { EXIT } from "./exit-codes.ts";

export interface VerifyTrackOptions {
  /** Address of a node, a file with an answer of /win-rate-verified or /thesis-engine, or "-" for standard input. */
  readonly source: string;
  /** Prepaid key that buys the whole answer; without one the free preview is checked. */
  readonly api_key: string | undefined;
  /** File with the node's /.well-known/did.json; needed for an answer in a file. */
  readonly did_document: string | undefined;
  /** "<length>:<hash>", a chain head kept earlier. */
  readonly head: string | undefined;
  readonly json: boolean;
}

class GivenError extends Error {
  override readonly name = "GivenError";
}
/** The other node, or the way to it, failed. */
class AnswerError extends Error {
  override readonly name = "AnswerError";
}

const WORDS: Readonly<Record<TrackReport["verdict"], string>> = {
  proven: "proven: the record is signed, whole and adds up",
  partial: "partly proven: nothing is wrong, but not all of it could be checked",
  refused: "NOT PROVEN: do not trust this record",
};
const CODES: Readonly<Record<TrackReport["verdict"], number>> = {
  proven: EXIT.ok,
  partial: EXIT.partial,
  refused: EXIT.unproven,
};
const BYTES_MAX = 2_000_000;

/** Checks a node's track record. Prices are not fetched: that is left to the buyer. */
export async function verifyTrackCommand(options: VerifyTrackOptions): Promise<number> {
  try {
    const kept = readHead(options.head);
    const { answer, keys } = await readSource(options);
    const report = verifyTrackRecord(answer, { findKey: createFinder(keys), kept });
    console.log(options.json ? JSON.stringify(report) : renderReport(report));
    return CODES[report.verdict];
  } catch (error) {
    if (!(error instanceof GivenError) && !(error instanceof AnswerError)) throw error;
    console.error(error.message);
    return error instanceof GivenError ? EXIT.config : EXIT.failed;
  }
}

const renderReport = ({ steps, verdict }: TrackReport): string =>
  [...steps.map(({ name, state, detail }) => `${state.padEnd(8)}  ${name}: ${detail}`), WORDS[verdict]].join("\n");

const HEAD = /^([1-9]\d{0,8}):([0-9a-f]{64})$/;

function readHead(head: string | undefined): KeptHead | undefined {
  if (head === undefined) return undefined;
  const [, length, hash] = HEAD.exec(head) ?? [];
  if (length === undefined || hash === undefined) throw new GivenError("--head is a length and a hash: 42:9f86d0…");
  return { length: Number(length), head: hash };
}

interface Source {
  readonly answer: unknown;
  readonly keys: unknown;
}

async function readSource(options: VerifyTrackOptions): Promise<Source> {
  const { source, did_document, api_key } = options;
  if (isPeerURL(source)) {
    const { origin } = new URL(source);
    const path = api_key === undefined ? "/win-rate-verified?preview=1" : "/win-rate-verified?records=200";
    const keys =
      did_document === undefined ? await ask(`${origin}/.well-known/did.json`, undefined) : readFile(did_document);
    return { answer: await ask(`${origin}${path}`, api_key), keys };
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
  const text = source === "-" ? (await Bun.stdin.text()).slice(0, BYTES_MAX) : null;
  return { answer: text === null ? readFile(source) : parse(text, "standard input"), keys: readFile(did_document) };
}

function parse(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw new GivenError(`${name} is no JSON`);
    throw error;
  }
}

function readFile(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new GivenError(`${file.slice(0, 200)} cannot be read: ${messageOf(error)}`);
  }
  return parse(text.slice(0, BYTES_MAX), file);
}

async function ask(url: string, api_key: string | undefined): Promise<unknown> {
  const found = await createPeerFetch(api_key === undefined ? {} : { "x-api-key": api_key })(url);
  if ("failed" in found) throw new AnswerError(found.failed);
  if (found.status !== 200) throw new AnswerError(`${url} answers ${found.status}`);
  try {
    return JSON.parse(found.text);
  } catch (error) {
    if (error instanceof SyntaxError) throw new AnswerError(`${url} does not answer with JSON`);
    throw error;
  }
}

/** Keys by the name after the "#" of their id: the node's address may have been another when it signed. */
function createFinder(document: unknown): (key_id: string) => string | null {
  const keys = readKeysOf(document);
  if (keys === null) throw new GivenError("the DID document has no Ed25519 key");
  return (key_id) => keys.find(({ id }) => id.endsWith(`#${key_id}`))?.x ?? null;
}
