import { expect, test } from "bun:test";
import { compile, loadCompiled } from "./usdc-token.ts";

test("the compiled token is that of its source", async () => {
  expect(loadCompiled()).toEqual(await compile());
});
