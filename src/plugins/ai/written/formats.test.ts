import { expect, test } from "bun:test";
import { formatsOf } from "../../../catalog/view.ts";
import { product as composable } from "../agent-composable/product.ts";
import { product as morning } from "../global-morning-brief/product.ts";

test("the bundle and the morning brief are sold as JSON and as Markdown", () => {
  for (const { data } of [composable, morning]) expect(formatsOf(data)).toEqual(["json", "md"]);
});
