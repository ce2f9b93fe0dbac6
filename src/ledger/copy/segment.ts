import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

/** What the commits of one look came to: the last version of each page they wrote. */
export interface Cut {
  readonly number: number;
  /** When it was looked at: everything in it was committed by then. */
  readonly at_ms: number;
  /** How many pages the file has after it. */
  readonly db_pages: number;
  /** By page number, from 1 on. */
  readonly pages: ReadonlyMap<number, Uint8Array>;
}

export interface Segment {
  readonly generation: string;
  readonly page_bytes: number;
  readonly cuts: readonly Cut[];
}

/**
 * A segment is one line of JSON, its pages packed by zstd (each 4 bytes of its number, then the page; in the order of
 * the cuts), and the SHA-256 of all of that.
 */
const FORMAT = "intel-node-copy/1";
const DIGEST_BYTES = 32;
const NUMBER_BYTES = 4;
const LINE_BYTES_MAX = 4 * 1024 * 1024;
const NEWLINE = 10;

const whole = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const Head = Type.Object({
  format: Type.Literal(FORMAT),
  generation: Type.String(),
  page_bytes: Type.Integer({ minimum: 512, maximum: 65_536 }),
  cuts: Type.Array(Type.Object({ number: whole, at_ms: whole, db_pages: whole, pages: whole })),
});

const sha256 = (bytes: Uint8Array): Uint8Array => new Bun.CryptoHasher("sha256").update(bytes).digest();

export async function packSegment({ generation, page_bytes, cuts }: Segment): Promise<Uint8Array> {
  const head: Static<typeof Head> = {
    format: FORMAT,
    generation,
    page_bytes,
    cuts: cuts.map(({ pages, ...cut }) => ({ ...cut, pages: pages.size })),
  };
  const count = cuts.reduce((sum, { pages }) => sum + pages.size, 0);
  const raw = new Uint8Array(count * (NUMBER_BYTES + page_bytes));
  const view = new DataView(raw.buffer);
  let at = 0;
  for (const { pages } of cuts) {
    for (const [number, page] of pages) {
      view.setUint32(at, number);
      raw.set(page, at + NUMBER_BYTES);
      at += NUMBER_BYTES + page_bytes;
    }
  }
  const body = Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), await Bun.zstdCompress(raw)]);
  return Buffer.concat([body, sha256(body)]);
}

/** @throws Error for anything but a whole segment as it was written. */
export async function unpackSegment(bytes: Uint8Array): Promise<Segment> {
  const body = bytes.subarray(0, Math.max(0, bytes.length - DIGEST_BYTES));
  if (!Buffer.from(sha256(body)).equals(bytes.subarray(body.length))) {
    throw new Error("its bytes are not those that were written: it was cut off or changed");
  }
  const end = body.subarray(0, LINE_BYTES_MAX).indexOf(NEWLINE);
  const head = Value.Parse(Head, JSON.parse(Buffer.from(body.subarray(0, Math.max(0, end))).toString("utf8")));
  const raw = new Uint8Array(await Bun.zstdDecompress(body.subarray(end + 1)));
  const { generation, page_bytes } = head;
  const step = NUMBER_BYTES + page_bytes;
  const count = head.cuts.reduce((sum, { pages }) => sum + pages, 0);
  if (raw.length !== count * step) throw new Error("it holds another number of pages than it says");
  const view = new DataView(raw.buffer, raw.byteOffset, raw.byteLength);
  let at = 0;
  const cuts = head.cuts.map(({ pages: size, ...cut }): Cut => {
    const pages = new Map<number, Uint8Array>();
    for (let left = size; left > 0; left -= 1) {
      pages.set(view.getUint32(at), raw.subarray(at + NUMBER_BYTES, at + step));
      at += step;
    }
    return { ...cut, pages };
  });
  return { generation, page_bytes, cuts };
}
