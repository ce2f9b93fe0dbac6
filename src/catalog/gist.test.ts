import { describe, expect, test } from "bun:test";
import { listGistFaults } from "./check-gist.ts";
import { type TellGist, tellGist } from "./gist.ts";

interface Tide {
  readonly port: string;
  readonly height_m: number | null;
}
const AS_OF = "2026-11-18T15:00:00Z";
const gist: TellGist<Tide> = ({ port, height_m }, { en, pt, fig, name, day, pick }) => ({
  headline: { value: height_m, unit: "m", sense: pick("high water", "maré alta") },
  text:
    en`the tide at ${name(port)} reached ${fig(height_m, "number")} m on ${day()}` ??
    pt`a maré em ${name(port)} chegou a ${fig(height_m, "number")} m em ${day()}`,
});
const product = { title: "Tide", gist };
const answer = { data: { port: "Santos", height_m: 1.4 }, as_of: AS_OF };

describe("the gist of an answer", () => {
  test("is one sentence and one figure, in the language that is asked for", () => {
    expect(tellGist(product, answer)).toEqual({
      text: "The tide at Santos reached 1.4 m on 2026-11-18.",
      headline: { value: 1.4, unit: "m", sense: "high water" },
    });
    expect(tellGist(product, { ...answer, lang: "pt" })?.text).toBe("A maré em Santos chegou a 1,4 m em 18/11/2026.");
  });

  test("is title and day where a figure is missing, or the product's own words fail", () => {
    const data = { port: "Santos", height_m: null };
    expect(tellGist(product, { ...answer, data })?.text).toBe("Tide: this answer is of 2026-11-18.");
    const failing = {
      title: "Tide",
      gist: () => {
        throw new Error("a fault");
      },
    };
    expect(tellGist(failing, answer)).toEqual({ text: "Tide: this answer is of 2026-11-18.", headline: null });
  });

  test("is not there for a product that tells none", () => {
    expect(tellGist({ title: "Tide" }, answer)).toBeNull();
  });
});

describe("the check of a gist", () => {
  const faultsOf = (tell: TellGist<Tide>) => listGistFaults({ title: "Tide", gist: tell }, answer).join("\n");

  test("takes a true one", () => {
    expect(faultsOf(gist)).toBe("");
  });

  test.each<[string, TellGist<Tide>, string]>([
    [
      "a figure that is not in the data",
      (_, { en, fig, name }) => ({
        headline: { value: 1.4, unit: "m", sense: null },
        text: en`the tide at ${name("Santos")} reached ${fig(2.5, "number")} m`,
      }),
      "2.5 is not in the data",
    ],
    [
      "a figure typed by hand",
      (_, { en, fig, name }) => ({
        headline: { value: 1.4, unit: "m", sense: null },
        text: en`the tide at ${name("Santos")} reached ${fig(1.4, "number")} m of 9 m`,
      }),
      'not_in_facts: "9"',
    ],
    [
      "a headline that is not a figure of the data",
      (data, teller) => ({
        ...gist(data, teller),
        headline: { value: 3, unit: "ports", sense: null },
      }),
      "headline.value 3 is not in the data",
    ],
    [
      "two sentences",
      (_, { en, fig, name }) => ({
        headline: { value: 1.4, unit: "m", sense: null },
        text: en`the tide reached ${fig(1.4, "number")} m. It was at ${name("Santos")}`,
      }),
      "more than one sentence",
    ],
    [
      "no subject",
      (_, { en, fig }) => ({
        headline: { value: 1.4, unit: "m", sense: null },
        text: en`the tide reached ${fig(1.4, "number")} m`,
      }),
      "names no subject",
    ],
  ])("finds %s", (_, tell, fault) => {
    expect(faultsOf(tell)).toContain(fault);
  });
});
