import { existsSync, readFileSync } from "node:fs";
import { messageOf } from "../core/errors.ts";
import { escapeInvisible } from "../core/foreign-text.ts";
import { canonicalJSON, sha256Hex } from "../core/hash.ts";
import { parseJSON } from "../core/json-values.ts";
import { isCompactJWS } from "../trust/jws.ts";
import { checkProof, type FindKey, isAnswerOf, type ProofCheck } from "../trust/proof.ts";
import { readKeysOf } from "./did-document.ts";
import { EXIT } from "./exit-codes.ts";
import { print, printError } from "./print.ts";

export interface VerifyReceiptOptions {
  /** A file, "-" for standard input, or the signed text itself. */
  readonly receipt: string;
  readonly key: string | undefined;
  readonly did_document: string | undefined;
  /** File with the paid answer. */
  readonly answer: string | undefined;
  /** The request, such as `GET /mempool {}`. */
  readonly request: string | undefined;
  readonly json: boolean;
}

interface ReceiptInput {
  readonly value: unknown;
  readonly findKey: FindKey;
  readonly answer: Uint8Array | null;
  readonly request_sha256: string | null;
}

/** The command line, or a file that it names, is faulty. */
class GivenError extends Error {
  override readonly name = "GivenError";
}

/**
 * Checks, without a network, that a node signed a receipt or a no-charge statement, and for which answer and request.
 * Exit code 4 when a check fails.
 */
export async function verifyReceiptCommand(options: VerifyReceiptOptions): Promise<number> {
  let given: ReceiptInput;
  try {
    given = await readGiven(options);
  } catch (error) {
    if (!(error instanceof GivenError)) throw error;
    printError(error.message);
    return EXIT.config;
  }
  const verdict = await checkProof(given.value, given.findKey);
  const compared = compare(verdict, given);
  const faults = [verdict.reason, ...compared].filter((text) => text !== null);
  const ok = faults.length === 0;
  if (options.json) {
    const { proof, key_id } = verdict;
    print(JSON.stringify({ ok, faults, kind: proof?.kind ?? null, key_id, payload: proof?.payload ?? null }));
    return ok ? EXIT.ok : EXIT.unproven;
  }
  for (const [name, value] of Object.entries(verdict.proof?.payload ?? {})) print(escapeInvisible(`${name}: ${value}`));
  if (ok) print(`proven: signed by ${escapeInvisible(verdict.key_id ?? "")}${renderCompared(given)}`);
  for (const fault of faults) printError(`NOT PROVEN: ${escapeInvisible(fault)}`);
  return ok ? EXIT.ok : EXIT.unproven;
}

const renderCompared = ({ answer, request_sha256 }: ReceiptInput): string =>
  [answer ? ", for this answer" : "", request_sha256 ? ", for this request" : ""].join("");

/** Compares the receipt with the buyer's answer and request. */
function compare({ proof }: ProofCheck, { answer, request_sha256 }: ReceiptInput): readonly string[] {
  const faults: string[] = [];
  const receipt = proof?.kind === "receipt" ? proof.payload : null;
  if ((answer || request_sha256) && proof && !receipt) {
    faults.push("it states no hashes: take the signed text under signed.node of /receipts/<id>");
  }
  if (receipt && answer && !isAnswerOf(receipt, answer)) faults.push("the answer is not the one that was paid for");
  if (receipt && request_sha256 && receipt.request_sha256 !== request_sha256) {
    faults.push("the request is not the one that was paid for");
  }
  return faults;
}

async function readGiven(options: VerifyReceiptOptions): Promise<ReceiptInput> {
  const text = await readReceipt(options.receipt);
  return {
    value: parseJSON(text) ?? text,
    findKey: readKeys(options),
    answer: options.answer === undefined ? null : readBytes(options.answer),
    request_sha256: options.request === undefined ? null : hashRequest(options.request),
  };
}

const RECEIPT_BYTES_MAX = 1_000_000;
const BASE64_TEXT = /^[A-Za-z0-9+/=]{100,}$/;

async function readReceipt(receipt: string): Promise<string> {
  if (receipt === "-") return (await Bun.stdin.text()).slice(0, RECEIPT_BYTES_MAX);
  if (isCompactJWS(receipt) || (BASE64_TEXT.test(receipt) && !existsSync(receipt))) return receipt;
  const bytes = readBytes(receipt);
  if (bytes.length > RECEIPT_BYTES_MAX) throw new GivenError(`${receipt} is too large to be a receipt`);
  return Buffer.from(bytes).toString("utf8").trim();
}

function readBytes(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new GivenError(`${file.slice(0, 200)} cannot be read: ${messageOf(error)}`);
  }
}

const RAW_KEY = /^(?:ed25519:)?([A-Za-z0-9_-]{43})$/;

function readKeys({ key, did_document }: VerifyReceiptOptions): FindKey {
  if ((key === undefined) === (did_document === undefined)) {
    throw new GivenError(
      "say whose signature it has to be: --key <public key>, or --did-document <file> with what the node serves as " +
        "/.well-known/did.json",
    );
  }
  if (key !== undefined) {
    const raw = RAW_KEY.exec(key)?.[1];
    if (raw === undefined) throw new GivenError("--key is an Ed25519 public key: 43 characters of base64url");
    return () => raw;
  }
  const file = did_document ?? "";
  const document = parseJSON(Buffer.from(readBytes(file)).toString("utf8"));
  const keys = readKeysOf(document);
  if (keys === null) throw new GivenError(`${file} is no DID document with an Ed25519 key`);
  return (key_id) => keys.find(({ id }) => id === key_id)?.x ?? null;
}

const REQUEST = /^(GET|POST) (\/[^\s?]+)(?:\s+(\{.*\}))?$/s;

/** The text whose hash identifies a request: method, path and parameters with defaults, one per line. */
function hashRequest(request: string): string {
  const [, method, path, text = "{}"] = REQUEST.exec(request.trim()) ?? [];
  const params = parseJSON(text);
  if (method === undefined || path === undefined || params === undefined) {
    throw new GivenError(
      '--request is a method, a path and the parameters as JSON: \'GET /oracle-consensus {"symbol":"BTC"}\'',
    );
  }
  return sha256Hex(`${method}\n${path}\n${canonicalJSON(params)}`);
}
