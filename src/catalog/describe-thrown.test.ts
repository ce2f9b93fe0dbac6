import { expect, test } from "bun:test";
import { NodeError } from "../core/errors.ts";
import { explainThrown } from "./describe-thrown.ts";

test("the operator hears the fault of a product, not only that it has one", () => {
  const error = new NodeError("product_failed", "own failed by a fault of its own.", {
    cause: "charts must be a list",
  });
  expect(explainThrown(error)).toBe("own failed by a fault of its own. The fault: charts must be a list");
  expect(explainThrown(new NodeError("no_history", "Not yet."))).toBe("Not yet.");
  expect(explainThrown("x")).toBe("x");
});
