import { crc32, deflateSync } from "node:zlib";

/** The mark of the node: three bars of a chart on a dark tile, on a grid of 32 by 32. */
const TILE = { fill: "#10202e", radius: 7 };
const BARS = [
  { x: 7, y: 17, width: 4, height: 8, fill: "#4fd1c5" },
  { x: 14, y: 11, width: 4, height: 14, fill: "#7ee0d6" },
  { x: 21, y: 7, width: 4, height: 18, fill: "#f6c453" },
];
const GRID = 32;

export function renderIconSVG(): string {
  const bars = BARS.map(
    ({ x, y, width, height, fill }) =>
      `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="1" fill="${fill}"/>`,
  ).join("");
  const tile = `<rect width="${GRID}" height="${GRID}" rx="${TILE.radius}" fill="${TILE.fill}"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${GRID} ${GRID}">${tile}${bars}</svg>`;
}

/** Palette of the PNG: nothing, the tile, the bars. */
const TILE_INDEX = 1;
const PALETTE = ["#000000", TILE.fill, ...BARS.map(({ fill }) => fill)];

/** The same picture as a PNG of `size` by `size` pixels. */
export function renderIconPNG(size: number): Uint8Array {
  // The first byte of a row is its filter: none.
  const row_bytes = size + 1;
  const pixels = new Uint8Array(size * row_bytes);
  for (let row = 0; row < size; row += 1) {
    const y = ((row + 0.5) * GRID) / size;
    for (let column = 0; column < size; column += 1) {
      pixels[row * row_bytes + 1 + column] = indexAt(((column + 0.5) * GRID) / size, y);
    }
  }
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, size);
  view.setUint32(4, size);
  // 8 bits a pixel, by palette.
  header.set([8, 3, 0, 0, 0], 8);
  const colours = PALETTE.flatMap((hex) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)));
  return joinBytes([
    new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("PLTE", new Uint8Array(colours)),
    // The first colour is transparent.
    chunk("tRNS", new Uint8Array([0])),
    chunk("IDAT", deflateSync(pixels, { level: 9 })),
    chunk("IEND", new Uint8Array(0)),
  ]);
}

/** An ICO that holds one PNG. */
export function renderIconICO(size: number): Uint8Array {
  const png = renderIconPNG(size);
  const head = new Uint8Array(22);
  const view = new DataView(head.buffer);
  view.setUint16(2, 1, true);
  view.setUint16(4, 1, true);
  head.set([size, size], 6);
  view.setUint16(10, 1, true);
  view.setUint16(12, 32, true);
  view.setUint32(14, png.length, true);
  view.setUint32(18, head.length, true);
  return joinBytes([head, png]);
}

/** Index into the palette of a point of the grid. */
function indexAt(x: number, y: number): number {
  for (let index = 0; index < BARS.length; index += 1) {
    const bar = BARS[index];
    if (bar && x >= bar.x && x < bar.x + bar.width && y >= bar.y && y < bar.y + bar.height)
      return TILE_INDEX + 1 + index;
  }
  const { radius } = TILE;
  const across = Math.max(radius - x, x - (GRID - radius), 0);
  const down = Math.max(radius - y, y - (GRID - radius), 0);
  return across * across + down * down <= radius * radius ? TILE_INDEX : 0;
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const named = joinBytes([new TextEncoder().encode(type), data]);
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, data.length);
  const check = new Uint8Array(4);
  new DataView(check.buffer).setUint32(0, crc32(named));
  return joinBytes([length, named, check]);
}

function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
