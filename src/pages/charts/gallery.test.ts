import { expect, test } from "bun:test";
import { createTestModel } from "../../../test/helpers/surface-model.ts";
import { parseCharts } from "../../catalog/chart.ts";
import { ENGLISH, wordsOf } from "../words.ts";
import { GALLERY, renderGallery } from "./gallery.ts";

test("the gallery shows every kind of chart, each as a picture without an invalid coordinate", () => {
  for (const chart of GALLERY) expect(parseCharts([chart])).toEqual([chart]);
  const page = renderGallery(createTestModel({ sandbox: true }), ENGLISH);
  const titles = [...page.matchAll(/<figure class="chart"><h3>([^<]+)</g)].map(([, title]) => title);
  // The chart without a value is not drawn.
  expect(titles).toEqual(GALLERY.map(({ title }) => title).filter((title) => title !== "Empty"));
  // The page's own script may contain these words.
  expect(page.replaceAll(/<script>.*?<\/script>/gs, "")).not.toMatch(/NaN|Infinity|undefined/);
  expect(renderGallery(createTestModel({ sandbox: true }), wordsOf("pt-BR"))).toContain("US$ ");
});
