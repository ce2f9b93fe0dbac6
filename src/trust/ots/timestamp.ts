import {
  type Attestation,
  compareAttestations,
  PAYLOAD_BYTES_MAX,
  readAttestation,
  readNumber,
  TAG_BYTES,
  writeAttestation,
  writeNumber,
} from "./attestations.ts";
import { apply, FILE_HASHES, OtsError, type OtsOperation, takesArgument } from "./operations.ts";

/** A message with its attestations, and the messages made from it. */
export interface Timestamp {
  readonly message: Uint8Array;
  readonly attestations: readonly Attestation[];
  readonly branches: readonly Branch[];
}
export interface Branch {
  readonly operation: OtsOperation;
  readonly next: Timestamp;
}

/** The proof of one file, which is identified by its hash. */
export interface OtsProof {
  readonly file_hash: number;
  /** Its message is the file's hash. */
  readonly timestamp: Timestamp;
}

const MAGIC = Buffer.from("004f70656e54696d657374616d7073000050726f6f6600bf89e2e884e89294", "hex");
const VERSION = 1;
const MORE = 0xff;
const ATTESTATION = 0x00;
const DEPTH_MAX = 256;
const ARGUMENT_BYTES_MAX = 4_096;
/** The most steps of a proof; proofs of real calendars have fewer than a hundred. */
const STEPS_MAX = 5_000;
const PROOF_BYTES_MAX = 65_536;

interface ReadPosition {
  readonly bytes: Uint8Array;
  at: number;
  steps: number;
}

function take(place: ReadPosition, length: number): Uint8Array {
  const end = place.at + length;
  if (end > place.bytes.length) throw new OtsError("it ends too early");
  const taken = place.bytes.subarray(place.at, end);
  place.at = end;
  return taken;
}
const takeByte = (place: ReadPosition): number => take(place, 1)[0] ?? 0;

function takeText(place: ReadPosition, bytes_max: number): Uint8Array {
  const length = readNumber(place.bytes, place.at);
  if (length === null || length.value > bytes_max) throw new OtsError("a length is wrong");
  place.at = length.end;
  return take(place, length.value);
}

function takeAttestation(place: ReadPosition): Attestation {
  const tag = Buffer.from(take(place, TAG_BYTES)).toString("hex");
  const attestation = readAttestation(tag, takeText(place, PAYLOAD_BYTES_MAX));
  if (attestation === null) throw new OtsError("an attestation is malformed");
  return attestation;
}

function takeTimestamp(place: ReadPosition, message: Uint8Array, depth: number): Timestamp {
  if (depth === 0) throw new OtsError("it is nested too deeply");
  const attestations: Attestation[] = [];
  const branches: Branch[] = [];
  for (let is_last = false; !is_last; ) {
    place.steps += 1;
    if (place.steps > STEPS_MAX) throw new OtsError("it has too many steps");
    const first = takeByte(place);
    is_last = first !== MORE;
    const tag = is_last ? first : takeByte(place);
    if (tag === ATTESTATION) {
      attestations.push(takeAttestation(place));
      continue;
    }
    const operation = { tag, argument: takesArgument(tag) ? takeText(place, ARGUMENT_BYTES_MAX) : null };
    branches.push({ operation, next: takeTimestamp(place, apply(operation, message), depth - 1) });
  }
  return { message, attestations, branches };
}

/** Reads a calendar's answer for a message. @throws OtsError when it is not a timestamp of the message. */
export function readTimestamp(bytes: Uint8Array, message: Uint8Array): Timestamp {
  if (bytes.length > PROOF_BYTES_MAX) throw new OtsError("it is too long");
  const place: ReadPosition = { bytes, at: 0, steps: 0 };
  const timestamp = takeTimestamp(place, message, DEPTH_MAX);
  if (place.at !== bytes.length) throw new OtsError("something follows it");
  return timestamp;
}

/** Reads an .ots file. Any bytes are safe to read. @throws OtsError when they are invalid. */
export function readProof(bytes: Uint8Array): OtsProof {
  if (bytes.length > PROOF_BYTES_MAX) throw new OtsError("it is too long");
  const place: ReadPosition = { bytes, at: 0, steps: 0 };
  if (bytes.length < MAGIC.length || !MAGIC.equals(take(place, MAGIC.length))) {
    throw new OtsError("it is no OpenTimestamps proof");
  }
  if (takeByte(place) !== VERSION) throw new OtsError("it has another version of the format");
  const file_hash = takeByte(place);
  const length = FILE_HASHES.get(file_hash);
  if (length === undefined) throw new OtsError("the file is hashed in an unknown way");
  const timestamp = takeTimestamp(place, take(place, length), DEPTH_MAX);
  if (place.at !== bytes.length) throw new OtsError("something follows it");
  return { file_hash, timestamp };
}

const writeOperation = ({ tag, argument }: OtsOperation): Uint8Array =>
  Buffer.concat([
    Uint8Array.of(tag),
    ...(argument === null ? [] : [Uint8Array.from(writeNumber(argument.length)), argument]),
  ]);

export const compareOperations = (one: OtsOperation, other: OtsOperation): number =>
  one.tag - other.tag || Buffer.compare(one.argument ?? new Uint8Array(), other.argument ?? new Uint8Array());

/** Writes a tree, so that equal trees give equal bytes, in whatever order they were built. */
export function writeTimestamp({ attestations, branches }: Timestamp): Uint8Array {
  const said = attestations
    .toSorted(compareAttestations)
    .map((one) => Buffer.concat([Uint8Array.of(ATTESTATION), writeAttestation(one)]));
  const done = branches
    .toSorted((one, other) => compareOperations(one.operation, other.operation))
    .map(({ operation, next }) => Buffer.concat([writeOperation(operation), writeTimestamp(next)]));
  const parts = [...said, ...done];
  const last = parts.pop();
  if (last === undefined) throw new OtsError("a timestamp without an attestation cannot be written");
  return Buffer.concat([...parts.flatMap((part) => [Uint8Array.of(MORE), part]), last]);
}

export const writeProof = ({ file_hash, timestamp }: OtsProof): Uint8Array =>
  Buffer.concat([MAGIC, Uint8Array.of(VERSION, file_hash), timestamp.message, writeTimestamp(timestamp)]);
