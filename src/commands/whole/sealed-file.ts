import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from "node:crypto";
import { closeSync, openSync, readSync, writeSync } from "node:fs";
import { isSameSecret } from "../../core/secrets.ts";

/**
 * A file encrypted with a passphrase: one line of header, then pieces of 64 KiB, each encrypted by AES-256-GCM. The
 * nonce holds the number of the piece and whether it is the last (the STREAM construction, as in the file format age);
 * the header is additional data. So a changed, moved, missing or added piece is refused, and so is a truncated file.
 * The key comes from the passphrase by scrypt, with a new salt for every file.
 */
const FORM = "intel-node-sealed/1 scrypt aes-256-gcm";
const PIECE_BYTES = 65_536;
const TAG_BYTES = 16;
const SALT_BYTES = 16;
const KEY_BYTES = 32;
const CHECK_BYTES = 16;
const NONCE_BYTES = 12;
/** scrypt with 128 MiB: half a second for the owner, years of computing for an attacker who guesses. */
const COST_LOG2 = 17;
/** The most memory that a file may demand from the machine that opens it: 1 GiB. */
const COST_LOG2_MAX = 20;
const BLOCK_SIZE = 8;
const HEAD_CHARS_MAX = 200;
const HEAD = new RegExp(`^${FORM} (\\d{1,2}) ([A-Za-z0-9_-]{22}) ([A-Za-z0-9_-]{22})\n`);

/** A fault of a sealed file, or a wrong passphrase. */
export class SealError extends Error {
  override readonly name = "SealError";
}

interface FileKey {
  readonly key: Buffer;
  /** Distinguishes a wrong passphrase from a damaged file. */
  readonly check: string;
}

function deriveKey(passphrase: string, salt: Buffer, cost_log2: number): FileKey {
  const N = 2 ** cost_log2;
  const options = { N, r: BLOCK_SIZE, p: 1, maxmem: 256 * N * BLOCK_SIZE };
  const bytes = scryptSync(passphrase.normalize("NFC"), salt, KEY_BYTES + CHECK_BYTES, options);
  return { key: bytes.subarray(0, KEY_BYTES), check: bytes.subarray(KEY_BYTES).toString("base64url") };
}

/** 11 bytes of the piece's number, and 1 for the last piece. */
function nonceOf(index: number, is_last: boolean): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES);
  nonce.writeUIntBE(index, NONCE_BYTES - 7, 6);
  nonce[NONCE_BYTES - 1] = is_last ? 1 : 0;
  return nonce;
}

export interface Sealer {
  write(bytes: Uint8Array): void;
  /** Writes the last piece: without it the file is refused as cut off. */
  end(): void;
}

/**
 * Seals data into an open file, piece by piece. It holds at most one piece in memory, and writes nothing unencrypted.
 * @throws Error of the system.
 */
export function createSealer(descriptor: number, passphrase: string, cost_log2 = COST_LOG2): Sealer {
  const salt = randomBytes(SALT_BYTES);
  const { key, check } = deriveKey(passphrase, salt, cost_log2);
  const head = Buffer.from(`${FORM} ${cost_log2} ${salt.toString("base64url")} ${check}\n`);
  const piece = Buffer.alloc(PIECE_BYTES);
  let filled = 0;
  let index = 0;
  const put = (bytes: Uint8Array) => {
    for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done);
  };
  const sealPiece = (is_last: boolean) => {
    const cipher = createCipheriv("aes-256-gcm", key, nonceOf(index, is_last)).setAAD(head);
    put(Buffer.concat([cipher.update(piece.subarray(0, filled)), cipher.final(), cipher.getAuthTag()]));
    index += 1;
    filled = 0;
  };
  put(head);
  return {
    write(bytes) {
      for (let from = 0; from < bytes.length; ) {
        if (filled === PIECE_BYTES) sealPiece(false);
        const taken = Math.min(PIECE_BYTES - filled, bytes.length - from);
        piece.set(bytes.subarray(from, from + taken), filled);
        filled += taken;
        from += taken;
      }
    },
    end: () => sealPiece(true),
  };
}

/** Whether a file is sealed, by its first bytes. */
export function isSealed(file: string): boolean {
  const descriptor = openSync(file, "r");
  try {
    const start = Buffer.alloc(FORM.length);
    return readSync(descriptor, start, 0, start.length, 0) === start.length && start.toString("latin1") === FORM;
  } finally {
    closeSync(descriptor);
  }
}

/**
 * The content of a sealed file, piece by piece; each piece is verified before it is returned.
 * @throws SealError for a wrong passphrase, or a changed or truncated file.
 */
export function* readSealed(file: string, passphrase: string): Generator<Buffer> {
  const descriptor = openSync(file, "r");
  try {
    const { head, key } = readHead(descriptor, file, passphrase);
    const open = (bytes: Buffer, index: number, is_last: boolean): Buffer => {
      const at = bytes.length - TAG_BYTES;
      if (at < 0) throw new SealError(`${file} was cut off: its end is missing`);
      const cipher = createDecipheriv("aes-256-gcm", key, nonceOf(index, is_last)).setAAD(head);
      cipher.setAuthTag(bytes.subarray(at));
      const clear = cipher.update(bytes.subarray(0, at));
      cipher.final();
      return clear;
    };
    let position = head.length;
    let bytes = readAt(descriptor, position);
    for (let index = 0; ; index += 1) {
      position += bytes.length;
      const next = readAt(descriptor, position);
      const is_last = next.length === 0;
      try {
        yield open(bytes, index, is_last);
      } catch (cause) {
        if (cause instanceof SealError) throw cause;
        throw new SealError(describeBroken(file, is_last ? () => open(bytes, index, false) : null), { cause });
      }
      if (is_last) return;
      bytes = next;
    }
  } finally {
    closeSync(descriptor);
  }
}

function readHead(descriptor: number, file: string, passphrase: string): { head: Buffer; key: Buffer } {
  const start = Buffer.alloc(HEAD_CHARS_MAX);
  const read = readSync(descriptor, start, 0, start.length, 0);
  const found = HEAD.exec(start.toString("latin1", 0, read));
  if (!found) throw new SealError(`${file} is no sealed backup, or its first line is damaged`);
  const [head = "", cost = "", salt = "", check = ""] = found;
  const cost_log2 = Number(cost);
  if (cost_log2 < 1 || cost_log2 > COST_LOG2_MAX) throw new SealError(`${file}: its first line is damaged`);
  const derived = deriveKey(passphrase, Buffer.from(salt, "base64url"), cost_log2);
  if (!isSameSecret(check, derived.check)) {
    throw new SealError(`the passphrase is not the one ${file} was made with, or its first line is damaged`);
  }
  return { head: Buffer.from(head, "latin1"), key: derived.key };
}

/** The sealed piece at a position; shorter, or empty, at the end of the file. */
function readAt(descriptor: number, position: number): Buffer {
  const bytes = Buffer.alloc(PIECE_BYTES + TAG_BYTES);
  let filled = 0;
  while (filled < bytes.length) {
    const read = readSync(descriptor, bytes, filled, bytes.length - filled, position + filled);
    if (read === 0) break;
    filled += read;
  }
  return bytes.subarray(0, filled);
}

/** Whether the last piece is valid as a middle piece, which means that the rest of the file is missing. */
function describeBroken(file: string, openAsInner: (() => Buffer) | null): string {
  try {
    if (openAsInner !== null) {
      openAsInner();
      return `${file} was cut off: its end is missing`;
    }
  } catch (error) {
    if (!(error instanceof Error)) throw error;
  }
  return `${file} is damaged: a part of it is not as it was written`;
}
