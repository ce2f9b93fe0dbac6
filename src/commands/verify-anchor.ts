import { existsSync, readFileSync, statSync } from "node:fs";
import { messageOf } from "../core/errors.ts";
import { escapeInvisible } from "../core/foreign-text.ts";
import { type KnownBlock, readKnownBlock } from "../trust/ots/block-header.ts";
import { OUTCOME_OF, type TrackState } from "../trust/track-states.ts";
import { verifyAnchor } from "../trust/verify-anchor.ts";
import { createPeerFetch, isPeerURL } from "../upstream/fetch-peer.ts";
import { readKeysOf } from "./did-document.ts";
import { EXIT } from "./exit-codes.ts";
import { print, printError } from "./print.ts";

export interface VerifyAnchorOptions {
  /** A file with an answer of /track-record/anchors/<seq>, or its address, or - for standard input. */
  readonly source: string;
  /** File with the node's /.well-known/did.json; required for an answer in a file. */
  readonly did_document: string | undefined;
  /** "<height>:<header or Merkle root>" of blocks that the verifier knows. */
  readonly blocks: readonly string[];
  readonly json: boolean;
}

class GivenError extends Error {
  override readonly name = "GivenError";
}

const WORDS: Readonly<Record<TrackState, string>> = {
  proven: "proven: everything it names existed before that block",
  unproven: "unproven in part: nothing is wrong, but no block that you gave holds it",
  broken: "BROKEN: do not trust it",
};
const CODES: Readonly<Record<TrackState, number>> = {
  proven: EXIT.ok,
  unproven: EXIT.partial,
  broken: EXIT.failed,
};
const BYTES_MAX = 1_000_000;
const KEYS_PATH = "/.well-known/did.json";

/** Checks offline the latest time at which something a node signed existed, by the header of a block that you bring. */
export async function verifyAnchorCommand(options: VerifyAnchorOptions): Promise<number> {
  try {
    const blocks = options.blocks.map(readBlock);
    const { given, keys } = await readSource(options);
    const isKeyOf = (public_key: string) => keys.some(({ x }) => x === public_key);
    const report = verifyAnchor(given, { isKeyOf, blocks });
    const lines = report.claims.map(({ name, state, detail }) =>
      escapeInvisible(`${state.padEnd(8)}  ${name}: ${detail}`),
    );
    const outcome = OUTCOME_OF[report.verdict];
    print(options.json ? JSON.stringify({ ...report, outcome }) : [...lines, WORDS[report.verdict]].join("\n"));
    return CODES[report.verdict];
  } catch (error) {
    if (!(error instanceof GivenError)) throw error;
    printError(escapeInvisible(error.message));
    return EXIT.config;
  }
}

function readBlock(text: string): KnownBlock {
  const block = readKnownBlock(text);
  if (typeof block === "string") throw new GivenError(`--block ${text.slice(0, 200)}: ${block}`);
  return block;
}

async function readSource({ source, did_document }: VerifyAnchorOptions) {
  if (isPeerURL(source)) {
    const given = await ask(source);
    const document = did_document === undefined ? await ask(new URL(KEYS_PATH, source).href) : readFile(did_document);
    return { given, keys: keysOf(document) };
  }
  if (did_document === undefined) {
    throw new GivenError(`say whose it has to be: --did-document <file> with the node's ${KEYS_PATH}`);
  }
  const given = source === "-" ? parse(await Bun.stdin.text(), "standard input") : readFile(source);
  return { given, keys: keysOf(readFile(did_document)) };
}

function keysOf(document: unknown) {
  const keys = readKeysOf(document);
  if (keys === null) throw new GivenError("the DID document has no Ed25519 key");
  return keys;
}

function parse(text: string, name: string): unknown {
  try {
    return JSON.parse(text.slice(0, BYTES_MAX));
  } catch (error) {
    throw new GivenError(`${name.slice(0, 200)} is no JSON: ${messageOf(error)}`);
  }
}

function readFile(file: string): unknown {
  if (!existsSync(file)) throw new GivenError(`${file.slice(0, 200)} is neither a file nor an address: https://…`);
  if (!statSync(file).isFile()) throw new GivenError(`${file.slice(0, 200)} is no file`);
  return parse(readFileSync(file, "utf8"), file);
}

async function ask(url: string): Promise<unknown> {
  const found = await createPeerFetch({})(url);
  if ("failed" in found) throw new GivenError(found.failed);
  if (found.status !== 200) throw new GivenError(`${url} answers ${found.status}`);
  return parse(found.text, url);
}
