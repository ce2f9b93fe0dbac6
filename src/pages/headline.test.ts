import { expect, test } from "bun:test";
import { findHeadline, showHeadline } from "./headline.ts";
import { ENGLISH, wordsOf } from "./words.ts";

test.each([
  [{ value: 54_050.29, unit: "usd", sense: "BTC" }, "$54,050.29", "US$ 54.050,29"],
  [{ value: 0.4627, unit: "ratio", sense: "right" }, "46.3%", "46,3%"],
  [{ value: 33, unit: "of 100", sense: "fear" }, "33 of 100", "33 of 100"],
  [{ value: "chop", unit: null, sense: "sideways" }, "chop", "chop"],
])("the headline %j reads %s", (headline, english, portuguese) => {
  expect(showHeadline(headline, ENGLISH)).toEqual({ name: headline.sense, value: english, is_bare: true });
  expect(showHeadline(headline, wordsOf("pt-BR"))?.value).toBe(portuguese);
});

test("without a value only its meaning is shown, and without both nothing", () => {
  const none = { value: null, unit: null, sense: "none passed" };
  expect(showHeadline(none, ENGLISH)).toEqual({ name: "", value: "none passed", is_bare: false });
  expect(showHeadline({ ...none, sense: null }, ENGLISH)).toBeNull();
});

test("a product without a headline shows the field that sums it up, or nothing without a figure", () => {
  expect(findHeadline({ data: { verdict: "CLEAR" } }, ENGLISH)?.value).toBe("CLEAR");
  expect(findHeadline({ headline: null, data: { rows: [{ a: 1 }, { a: 2 }] } }, ENGLISH)).toBeNull();
});
