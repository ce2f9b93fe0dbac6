import { afterAll, expect, test } from "bun:test";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSealer, isSealed, readSealed, SealError } from "./sealed-file.ts";

const folder = mkdtempSync(join(tmpdir(), "sealed-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PASSPHRASE = "correct horse battery staple";
/** A low cost of scrypt, which does not matter for these tests. */
const COST_LOG2 = 4;
const PIECE = 65_536;
let files = 0;

function seal(parts: readonly Uint8Array[]): string {
  files += 1;
  const file = join(folder, `sealed-${files}`);
  const descriptor = openSync(file, "wx", 0o600);
  const sealer = createSealer(descriptor, PASSPHRASE, COST_LOG2);
  for (const part of parts) sealer.write(part);
  sealer.end();
  closeSync(descriptor);
  return file;
}
const open = (file: string, passphrase = PASSPHRASE) => Buffer.concat([...readSealed(file, passphrase)]);
const bytesOf = (length: number) => Buffer.from(Array.from({ length }, (_, index) => (index * 7) % 251));

test("reading returns what was sealed, for every size around a piece and any size of writes", () => {
  for (const size of [0, 1, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE, 3 * PIECE + 5]) {
    const bytes = bytesOf(size);
    const file = seal([bytes.subarray(0, 1_000), bytes.subarray(1_000, 70_000), bytes.subarray(70_000)]);
    expect(open(file).equals(bytes)).toBe(true);
    expect(isSealed(file)).toBe(true);
  }
});

test("two files with the same content and passphrase have no equal piece", () => {
  const [one, two] = [seal([bytesOf(100)]), seal([bytesOf(100)])].map((file) => readFileSync(file));
  expect(one?.subarray(-100).equals(two?.subarray(-100) ?? Buffer.of())).toBe(false);
});

test("a wrong passphrase is refused with a clear error before any data comes out", () => {
  const file = seal([bytesOf(10)]);
  for (const wrong of ["", "Correct horse battery staple", `${PASSPHRASE} `]) {
    expect(() => open(file, wrong)).toThrow("the passphrase is not the one");
  }
  // Two Unicode forms of a letter count as the same letter.
  const descriptor = openSync(join(folder, "accent"), "wx");
  createSealer(descriptor, "senha secret\u0065\u0301", COST_LOG2).end();
  closeSync(descriptor);
  expect(open(join(folder, "accent"), "senha secret\u00e9")).toHaveLength(0);
});

test("a file truncated anywhere is refused, even at the border of a piece", () => {
  const whole = readFileSync(seal([bytesOf(3 * PIECE + 5)]));
  const head = whole.indexOf("\n") + 1;
  const sealed_piece = PIECE + 16;
  for (const length of [whole.length - 1, head + 3 * sealed_piece, head + sealed_piece, head + 10, head]) {
    const file = join(folder, "cut");
    writeFileSync(file, whole.subarray(0, length));
    expect(() => open(file)).toThrow(SealError);
    if ((length - head) % sealed_piece === 0) expect(() => open(file)).toThrow("was cut off");
  }
  for (const length of [head - 1, 20, 0]) {
    writeFileSync(join(folder, "cut"), whole.subarray(0, length));
    expect(() => open(join(folder, "cut"))).toThrow("no sealed backup");
  }
});

test("a flipped bit, swapped pieces and bytes after the end are refused", () => {
  const whole = readFileSync(seal([bytesOf(2 * PIECE + 5)]));
  const head = whole.indexOf("\n") + 1;
  const file = join(folder, "changed");
  const tryBytes = (bytes: Buffer) => {
    writeFileSync(file, bytes);
    return () => open(file);
  };
  for (let at = 0; at < whole.length; at += at < head + 40 ? 1 : 9_973) {
    const flipped = Buffer.from(whole);
    flipped[at] = (flipped[at] ?? 0) ^ 1;
    expect(tryBytes(flipped)).toThrow(SealError);
  }
  const piece = (index: number) => whole.subarray(head + index * (PIECE + 16), head + (index + 1) * (PIECE + 16));
  const swapped = Buffer.concat([whole.subarray(0, head), piece(1), piece(0), piece(2)]);
  expect(tryBytes(swapped)).toThrow("is damaged");
  expect(tryBytes(Buffer.concat([whole, Buffer.of(0)]))).toThrow(SealError);
  expect(tryBytes(Buffer.concat([whole, whole]))).toThrow(SealError);
});

test("a file that asks for more memory than the machine should give is refused", () => {
  const text = readFileSync(seal([]), "latin1");
  const file = join(folder, "greedy");
  for (const cost of ["21", "99", "0"]) {
    writeFileSync(file, text.replace("aes-256-gcm 4 ", `aes-256-gcm ${cost} `), "latin1");
    expect(() => open(file)).toThrow("damaged");
  }
});
