import { expect, test } from "bun:test";
import { registry } from "../plugins/registry.gen.ts";
import { findOwnPaths } from "./self-payment.ts";

test("the node pays itself where a product says so, and only if the operator wants it", () => {
  const pathsOf = (mode: "paid" | "self-payment") => findOwnPaths({ bootstrap_trust: { mode } }, { known: registry });
  expect(pathsOf("paid")).toEqual([]);
  expect(pathsOf("self-payment")).toEqual(["/bootstrap-trust"]);
});
