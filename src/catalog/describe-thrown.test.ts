import { expect, test } from "bun:test";
import { NodeError } from "../core/errors.ts";
import { explainThrown } from "./describe-thrown.ts";

test("the operator is shown the fault of a product, not only that it failed", () => {
  const error = new NodeError("product_failed", "own failed because of its own fault.", {
    cause: "charts must be a list",
  });
  expect(explainThrown(error)).toBe("own failed because of its own fault. The fault: charts must be a list");
  expect(explainThrown(new NodeError("no_history", "Not yet."))).toBe("Not yet.");
  expect(explainThrown("x")).toBe("x");
});
