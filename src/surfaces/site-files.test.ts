import { expect, test } from "bun:test";
import { inflateSync } from "node:zlib";
import { createTestModel, MODEL_TIME_MS } from "../../test/helpers/surface-model.ts";
import { renderIconICO, renderIconPNG, renderIconSVG } from "./icon-image.ts";
import { surfaces } from "./site-files.surface.ts";
import type { Rendered, SurfaceModel } from "./types.ts";

const find = (path: string) => {
  const surface = surfaces.find((one) => one.path === path);
  if (!surface) throw new Error(`no ${path}`);
  return surface;
};
const textOf = (path: string, model: SurfaceModel): string => String((find(path).render(model) as Rendered).body);
const DAY_MS = 86_400_000;

test("a real node lets crawlers in, but not to the operator's pages; a sandbox keeps them out", () => {
  const open = textOf("/robots.txt", createTestModel());
  expect(open.split("\n").filter((line) => line !== "" && !line.startsWith("#"))).toEqual([
    "User-agent: *",
    "Allow: /",
    "Disallow: /admin",
  ]);
  expect(open).toContain("https://node.example.com/llms.txt");
  const closed = textOf("/robots.txt", createTestModel({ sandbox: true }));
  expect(closed).toContain("Disallow: /\n");
  expect(closed).not.toContain("Allow: /\n");
});

test("security.txt is there only when the operator says where to write to", () => {
  for (const path of ["/.well-known/security.txt", "/security.txt"]) {
    const { isServed } = find(path);
    expect(isServed?.(createTestModel())).toBe(false);
    expect(isServed?.(createTestModel({ node: { security_contact: " " } }))).toBe(false);
    expect(isServed?.(createTestModel({ node: { security_contact: "security@example.com" } }))).toBe(true);
  }
});

test("security.txt has what RFC 9116 requires, and expires within a year", () => {
  const text = textOf("/security.txt", createTestModel({ node: { security_contact: "security@example.com" } }));
  const fields = new Map(
    text
      .trim()
      .split("\n")
      .map((line): [string, string] => {
        const [name = "", ...rest] = line.split(": ");
        return [name, rest.join(": ")];
      }),
  );
  expect([...fields.keys()]).toEqual(["Contact", "Expires", "Canonical", "Policy"]);
  expect(fields.get("Contact")).toBe("mailto:security@example.com");
  expect(fields.get("Canonical")).toBe("https://node.example.com/.well-known/security.txt");
  const left_ms = Date.parse(fields.get("Expires") ?? "") - MODEL_TIME_MS;
  expect(left_ms).toBeGreaterThan(90 * DAY_MS);
  expect(left_ms).toBeLessThan(365 * DAY_MS);
});

test("a contact that is an address stays as it is, and cannot add a line", () => {
  const contactOf = (security_contact: string) =>
    textOf("/security.txt", createTestModel({ node: { security_contact } }));
  expect(contactOf("https://example.com/report")).toStartWith("Contact: https://example.com/report\n");
  expect(contactOf("a@example.com\nExpires: 1999-01-01T00:00:00Z").split("\n")[1]).not.toContain("1999");
});

test("the icon is a picture of its size: a tile with transparent corners", () => {
  const size = 64;
  const png = Buffer.from(renderIconPNG(size));
  expect(png.subarray(0, 8).toString("hex")).toBe("89504e470d0a1a0a");
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([size, size]);
  const at = png.indexOf("IDAT");
  const pixels = inflateSync(png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4)));
  expect(pixels).toHaveLength(size * (size + 1));
  const colourAt = (x: number, y: number) => pixels[y * (size + 1) + 1 + x];
  expect([colourAt(0, 0), colourAt(63, 63)]).toEqual([0, 0]);
  expect(colourAt(32, 4)).toBe(1);
  expect(new Set(pixels).size).toBe(5);
});

test("every chunk of the icon has the checksum that decoders compare", () => {
  const png = Buffer.from(renderIconPNG(32));
  let at = 8;
  const types: string[] = [];
  while (at < png.length) {
    const length = png.readUInt32BE(at);
    const named = png.subarray(at + 4, at + 8 + length);
    types.push(named.subarray(0, 4).toString());
    expect(png.readUInt32BE(at + 8 + length)).toBe(crc32(named));
    at += 12 + length;
  }
  expect(types).toEqual(["IHDR", "PLTE", "tRNS", "IDAT", "IEND"]);
});

/** The checksum as the PNG specification defines it, bit by bit. */
function crc32(bytes: Uint8Array): number {
  let register = 0xffffffff;
  for (const byte of bytes) {
    register ^= byte;
    for (let bit = 0; bit < 8; bit += 1) register = register & 1 ? (register >>> 1) ^ 0xedb88320 : register >>> 1;
  }
  return (register ^ 0xffffffff) >>> 0;
}

test("favicon.ico holds the same picture, and says where it is", () => {
  const ico = Buffer.from(renderIconICO(32));
  expect([ico.readUInt16LE(0), ico.readUInt16LE(2), ico.readUInt16LE(4)]).toEqual([0, 1, 1]);
  const length = ico.readUInt32LE(14);
  const start = ico.readUInt32LE(18);
  expect(ico.subarray(start, start + length).equals(Buffer.from(renderIconPNG(32)))).toBe(true);
  expect(start + length).toBe(ico.length);
  expect(renderIconSVG()).toStartWith("<svg ");
});
