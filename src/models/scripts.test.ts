import { expect, test } from "bun:test";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "..", "..");
const [MODELS, PHRASED] = ["src/models/models.test.ts", "src/catalog/phrased.test.ts"];
const DOOR = "src/plugins/ai/chat-completions/product.test.ts";

/** The twenty bad days that a model may give a node, each with the test that lives it. */
const SCRIPTS: readonly (readonly [file: string, test: string])[] = [
  [MODELS, "1: the first fails, the second answers"],
  [MODELS, "2: a short pause it asks for is waited out"],
  [MODELS, "3: a long one is not, and the model is left alone for as long"],
  [MODELS, "4: what it calls the limit is learnt once"],
  [MODELS, "5: an empty account, told inside an answer, shuts it off for a quarter of an hour"],
  [MODELS, "6: an empty answer and one of thoughts alone are none"],
  [MODELS, "7: all fail: an error of the buyer's view, and nothing else"],
  [MODELS, "8: one that hangs is given up after its own time"],
  [MODELS, "9: after three failures in a row it is asked once, half a minute later"],
  [PHRASED, "a first answer with the wrong direction is asked for again (script 10)"],
  [PHRASED, "an invented figure in both leaves the template, and says why (script 11)"],
  [PHRASED, "good blocks stay where others are bad twice (script 12)"],
  [PHRASED, "fenced JSON is taken at once (script 13)"],
  [PHRASED, "a suspicious headline never reaches the model and is never sold (script 14)"],
  [PHRASED, "without a model, or when no model answers, templates write it all (scripts 15 and 19)"],
  ["src/plugins/ai/council-deep/product.test.ts", "seats that fail twice keep their rule beside them and do not count"],
  ["src/plugins/ai/deep-think/product.test.ts", "twenty buyers of one council at once are one set of calls"],
  [DOOR, "what is not sold is refused before any payment, in OpenAI's form"],
  [MODELS, "19: what a day may cost is spent: only free ones are asked, else none; a restart forgets nothing"],
  [DOOR, "the same payment fetches the same bytes, and asks no model again"],
];

test("each of the twenty scripts is lived by a test", async () => {
  expect(SCRIPTS).toHaveLength(20);
  for (const [index, [file, name]] of SCRIPTS.entries()) {
    const text = await Bun.file(join(ROOT, file)).text();
    expect([index + 1, text.includes(name)]).toEqual([index + 1, true]);
  }
});
