import { expect, test } from "bun:test";
import { EXIT } from "../src/commands/exit-codes.ts";
import { ERRORS } from "../src/core/errors.ts";
import { readSource } from "./helpers/source-files.ts";

test("every error code is documented with an anchor", () => {
  const text = readSource("docs/errors.md");
  expect(Object.keys(ERRORS).filter((code) => !text.includes(`<a id="${code}"></a>`))).toEqual([]);
});

test("every exit code is in the operator's table", () => {
  const text = readSource("docs/operator.md");
  expect(Object.values(EXIT).filter((code) => !text.includes(`| ${code} |`))).toEqual([]);
});
