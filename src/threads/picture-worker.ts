/**
 * Draws SVG as PNG in its own thread: a picture takes tens of milliseconds, which would delay all answers. It
 * must be named as an entry point when the binary is compiled.
 */
import { readFileSync } from "node:fs";
import font_path from "@fontsource/inter/files/inter-latin-600-normal.woff2" with { type: "file" };
import { initWasm, Resvg } from "@resvg/resvg-wasm";
import wasm_path from "@resvg/resvg-wasm/index_bg.wasm" with { type: "file" };

declare const self: Worker;

const fontBuffers = [new Uint8Array(readFileSync(font_path))];
await initWasm(readFileSync(wasm_path));

/** Null for what cannot be drawn. */
function draw(svg: string): Uint8Array | null {
  try {
    const font = { fontBuffers, defaultFontFamily: "Inter", loadSystemFonts: false };
    const picture = new Resvg(svg, { font });
    const png = picture.render().asPng();
    picture.free();
    return png;
  } catch {
    return null;
  }
}

self.onmessage = ({ data }: MessageEvent<string>) => self.postMessage(draw(data));
self.postMessage("ready");
