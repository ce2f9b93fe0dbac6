import { expect, test } from "bun:test";
import { createTestModel, MODEL_TIME_MS } from "../../test/helpers/surface-model.ts";
import { systemTimers } from "../core/clock.ts";
import { CARD_PIXELS, renderCard, renderHomeCard } from "../pages/product/card.ts";
import { NO_FACTS } from "../pages/product/facts.ts";
import { createPictures } from "./pictures.ts";

const model = createTestModel({ sandbox: true });
const [product] = model.products.filter(({ id }) => id === "mempool");
if (!product) throw new Error("no product to draw");
const facts = { ...NO_FACTS, now_ms: MODEL_TIME_MS };

test("a picture names the product, its price and where it is simulated, as text, never as markup", () => {
  const title = 'Fees <b>"now"</b> & a title that is much longer than two lines of the picture could ever hold';
  const svg = renderCard(model, { ...product, title }, facts);
  for (const part of ["Fees &lt;b&gt;&quot;now&quot;&lt;/b&gt; &amp;", "$0.008 a call", "simulated", "…"]) {
    expect(svg).toContain(part);
  }
  expect(svg.match(/font-size="68"/g)).toHaveLength(2);
  // Without a sample there is no figure.
  expect(svg).not.toContain('font-size="104"');
});

test("a picture of a figure says what it is of, before the figure, and nothing where there is no choice", () => {
  const made = { product: "mempool", node_id: "n", as_of: "", generated_at: "", delayed: true, age_seconds: 60 };
  const sample = { ...made, sources: [], warnings: [], data: { value: 7 } };
  const svg = renderCard(model, product, { ...facts, sample: { preview_of: { pair: "<EURUSD>" }, ...sample } });
  expect(svg.indexOf("&lt;EURUSD&gt;")).toBeGreaterThan(0);
  expect(svg.indexOf("&lt;EURUSD&gt;")).toBeLessThan(svg.indexOf('font-size="104"'));
  const plain = renderCard(model, product, { ...facts, sample: { preview_of: {}, ...sample } });
  expect(plain).toContain('font-size="104"');
  expect(plain).not.toContain("no parameters");
});

test("the first page has its own picture: what is sold, three figures at most, the lowest price", () => {
  const figures = ["regime", "fear <greed>", "gas", "fourth"].map((title, index) => ({ title, value: `v${index}` }));
  const svg = renderHomeCard(model, figures);
  for (const part of ["Market data for agents", "v0", "fear &lt;greed&gt;", "v2", "products, from $", "simulated"]) {
    expect(svg).toContain(part);
  }
  expect(svg).not.toContain("v3");
  expect(renderHomeCard({ ...model, products: [] }, [])).toContain(">0 products<");
});

test("a picture is drawn beside the answers; an invalid picture, or one that waits too long, is not sent", async () => {
  const pictures = createPictures(systemTimers);
  const drawn = await pictures.draw(renderCard(model, product, facts));
  const view = new DataView(drawn?.buffer ?? new ArrayBuffer(0), drawn?.byteOffset);
  // Signature, and width and height of the first chunk (PNG, 11.2.2).
  expect(
    Buffer.from(drawn ?? [])
      .subarray(1, 4)
      .toString(),
  ).toBe("PNG");
  expect({ width: view.getUint32(16), height: view.getUint32(20) }).toEqual(CARD_PIXELS);
  const more = await Promise.all(Array.from({ length: 10 }, () => pictures.draw("<nothing")));
  expect(more).toEqual(Array.from({ length: 10 }, () => null));
  // A text changes the picture: the font is there.
  const other = await pictures.draw(renderCard(model, { ...product, title: "Other" }, facts));
  expect(Buffer.from(other ?? []).equals(Buffer.from(drawn ?? []))).toBe(false);
});
