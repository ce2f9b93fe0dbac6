import { expect, test } from "bun:test";
import decodeQR from "qr/decode.js";
import { renderHtml } from "./html.ts";
import { renderQR } from "./qr.ts";

/** Draws the picture as a camera would see it, for a reader from another library than the writer's. */
function draw(svg: string, pixels: number): { width: number; height: number; data: Uint8Array } {
  const size = Number(/viewBox="0 0 (\d+) /.exec(svg)?.[1]);
  const width = size * pixels;
  const data = new Uint8Array(width * width * 4).fill(255);
  for (const [, x, y] of svg.matchAll(/M(\d+) (\d+)h1v1h-1z/g)) {
    for (let dy = 0; dy < pixels; dy += 1) {
      for (let dx = 0; dx < pixels; dx += 1) {
        const at = ((Number(y) * pixels + dy) * width + Number(x) * pixels + dx) * 4;
        data.fill(0, at, at + 3);
      }
    }
  }
  return { width, height: width, data };
}

test.each(["https://node.example.com/p/buy-credits#by-hand", "http://127.0.0.1:8402/p/x?lang=pt-BR", "á"])(
  "a reader finds %s in its code",
  (text) => {
    expect(decodeQR(draw(renderHtml(renderQR(text, "a code")), 4))).toBe(text);
  },
);

test("the code has a name for screen readers", () => {
  expect(renderHtml(renderQR("x", 'of "x"'))).toContain('role="img" aria-label="of &quot;x&quot;"');
});
