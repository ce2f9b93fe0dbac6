import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { crc32, inflateSync } from "node:zlib";
import { createTestModel, MODEL_TIME_MS } from "../../test/helpers/surface-model.ts";
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
    "Sitemap: https://node.example.com/sitemap.xml",
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

const readIcon = (name: string): Buffer => readFileSync(join(import.meta.dir, "icons", name));

/** Chunks of a PNG by type. @throws when a checksum is not the one that decoders compare. */
function readChunks(png: Buffer): ReadonlyMap<string, Buffer> {
  const chunks = new Map<string, Buffer>();
  for (let start = 8; start < png.length; start += 12 + png.readUInt32BE(start)) {
    const named = png.subarray(start + 4, start + 8 + png.readUInt32BE(start));
    if (crc32(named) !== png.readUInt32BE(start + 4 + named.length)) throw new Error("a wrong checksum");
    chunks.set(named.toString("latin1", 0, 4), named.subarray(4));
  }
  return chunks;
}

test("the icon is a picture of 192 by 192: a tile with transparent corners", () => {
  const png = readIcon("icon.png");
  expect(png.subarray(0, 8).toString("hex")).toBe("89504e470d0a1a0a");
  const chunks = readChunks(png);
  expect([...chunks.keys()]).toEqual(["IHDR", "PLTE", "tRNS", "IDAT", "IEND"]);
  expect([chunks.get("IHDR")?.readUInt32BE(0), chunks.get("IHDR")?.readUInt32BE(4)]).toEqual([192, 192]);
  const pixels = inflateSync(chunks.get("IDAT") ?? Buffer.alloc(0));
  expect(pixels).toHaveLength(192 * 193);
  const colourAt = (x: number, y: number) => pixels[y * 193 + 1 + x];
  expect([colourAt(0, 0), colourAt(191, 191), colourAt(96, 12)]).toEqual([0, 0, 1]);
  expect(new Set(pixels).size).toBe(5);
});

test("favicon.ico holds one picture of 32 by 32, and says where it is", () => {
  const ico = readIcon("favicon.ico");
  expect([ico.readUInt16LE(0), ico.readUInt16LE(2), ico.readUInt16LE(4)]).toEqual([0, 1, 1]);
  const [length, start] = [ico.readUInt32LE(14), ico.readUInt32LE(18)];
  expect(start + length).toBe(ico.length);
  expect(readChunks(ico.subarray(start)).get("IHDR")?.readUInt32BE(0)).toBe(32);
  expect(readIcon("favicon.svg").toString()).toStartWith("<svg ");
});
