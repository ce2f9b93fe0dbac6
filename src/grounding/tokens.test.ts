import { expect, test } from "bun:test";
import fc from "fast-check";
import { readTokens } from "./tokens.ts";

/** The definition of a token as one pattern. The reader itself goes by character codes where a text is ASCII. */
const TOKEN = /(\p{L}[\p{L}\p{M}\p{N}]*)|(\p{N}(?:[\p{N}.,]*\p{N})?)|\S/gu;
const kindOf = ([, word, digits]: RegExpMatchArray) =>
  word !== undefined ? "word" : digits !== undefined ? "digits" : "mark";

test("splitting by character codes gives the same tokens as the pattern", () => {
  const piece = fc.oneof(
    fc.constantFrom(..."aZ09 .,;:-$%()|\n\té\u0301ºª½٣²\u2028\u00a0€😀", "1.5", "1,,", "b2", "a\u0301"),
    fc.string({ unit: "binary", maxLength: 3 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const text = pieces.join("");
      const wanted = [...text.matchAll(TOKEN)].map((match) => [match[0], kindOf(match)]);
      expect(readTokens(text).map((token) => [token.text, token.kind])).toEqual(wanted);
    }),
  );
});

test("a sentence ends at a full stop before a space, a clause at punctuation or a conjunction", () => {
  const tokens = readTokens("BTC rose 3.5% on decrypt.co, and ETH fell. It ended");
  const at = (text: string) => tokens.find((one) => one.text === text);
  expect([at("decrypt")?.sentence, at("co")?.sentence, at("It")?.sentence]).toEqual([0, 0, 1]);
  expect([at("BTC")?.clause, at("ETH")?.clause, at("It")?.clause]).toEqual([0, 2, 3]);
});
