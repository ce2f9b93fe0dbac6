import { describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { keptPreviewOf } from "./kept-preview.ts";
import { createParamsParser } from "./params.ts";

/** A product that needs a mint and takes a chain, which is solana by default. */
const params = createParamsParser(
  Type.Object({ mint: Type.String(), chain: Type.String({ default: "solana" }) }),
  ({ mint, chain }) => ({ mint: mint.toLowerCase(), chain }),
);
const first = params.fromBody({ mint: "aaa" });
const second = params.fromBody({ mint: "bbb", chain: "base" });
const product = { params, previewRequests: () => [first, second] as const };
const keptFor = (search: string) => keptPreviewOf(product, params.fromQuery(search))?.params ?? null;

describe("the kept preview that answers a call", () => {
  test("is the first where nothing is named", () => {
    expect(keptFor("")).toEqual(first.params);
    expect(keptFor("preview=1")).toEqual(first.params);
  });

  test("is the one of the same parameters, however they are spelt", () => {
    expect(keptFor("mint=AAA")).toEqual(first.params);
    expect(keptFor("mint=Bbb&chain=base&preview=1")).toEqual(second.params);
  });

  test("agrees with the parameters that are named where some are missing", () => {
    expect(keptFor("chain=base")).toEqual(second.params);
    expect(keptFor("chain=solana")).toEqual(first.params);
    expect(keptFor("chain=tron")).toBeNull();
  });

  test("is not given for another subject, even if everything else agrees", () => {
    expect(keptFor("mint=ccc")).toBeNull();
    expect(keptFor("mint=aaa&chain=base")).toBeNull();
  });
});
