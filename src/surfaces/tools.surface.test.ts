import { describe, expect, test } from "bun:test";
import { createTestModel } from "../../test/helpers/surface-model.ts";
import { surface } from "./tools.surface.ts";

type Entry = { readonly url?: string; readonly url_template?: string; readonly price_usd?: string } & {
  readonly default_arguments: Readonly<Record<string, string>>;
  readonly function: { readonly name: string; readonly parameters: { readonly properties: object } };
};

const model = createTestModel();
const list = (query: string): readonly Entry[] => {
  const rendered = surface.answer?.(new URLSearchParams(query), model) ?? null;
  return rendered === null ? [] : JSON.parse(String(rendered.body)).tools;
};
const namesOf = (query: string) => list(query).map((entry) => entry.function.name);

describe("/tools.json", () => {
  test("finds by words, best first, at most ten", () => {
    expect(namesOf("q=what will the Copom do")[0]).toBe("br_curve");
    expect(namesOf("q=crypto").length).toBe(10);
    expect(namesOf("q=zzzz")).toEqual([]);
  });

  test("keeps a category, a price and names, all of them together", () => {
    expect(namesOf("category=macro")).toEqual(["event_playbook", "geo_alpha", "macro_calendar"]);
    const cheap = list("max_price=0.01");
    expect(cheap.length).toBeGreaterThan(0);
    for (const { price_usd } of cheap) expect(Number(price_usd)).toBeLessThanOrEqual(0.01);
    expect(namesOf("names=fear-greed,/regime,fear_greed")).toEqual(["fear_greed", "regime"]);
    expect(namesOf("names=fear_greed,macro_calendar&category=macro")).toEqual(["macro_calendar"]);
    expect(namesOf("set=macro&q=FOMC").length).toBeLessThanOrEqual(3);
  });

  test("has a pair of functions that find and call all products", () => {
    const [find, call, ...others] = list("set=core");
    expect(others).toEqual([]);
    expect(find).toMatchObject({ url: "https://node.example.com/tools.json", price_usd: "0" });
    expect(call).toMatchObject({
      url_template: "https://node.example.com/{+path}",
      default_arguments: { view: "brief" },
    });
    expect(namesOf("set=core,macro")).toHaveLength(5);
  });

  test("calls are brief by default, but where that leaves out most of what is sold", () => {
    const entries = new Map(list("max_price=1000").map((entry) => [entry.function.name, entry]));
    expect(entries.get("fear_greed")?.default_arguments).toEqual({ view: "brief" });
    for (const name of ["web_search", "ai_news", "day_pass"]) {
      expect(entries.get(name)?.default_arguments).toEqual({});
    }
    const properties = entries.get("fear_greed")?.function.parameters.properties;
    expect(properties).toMatchObject({ view: { enum: ["brief", "full"] }, fields: { type: "string" } });
    expect(entries.get("day_pass")?.function.parameters.properties).not.toHaveProperty("view");
  });

  test.each([
    ["querry=x", "unknown_parameter"],
    ["catgory=macro", "unknown_parameter"],
    ["q=a&q=b", "invalid_parameter"],
    ["category=makro", "invalid_parameter"],
    ["set=coer", "invalid_parameter"],
    ["names=fear_gred", "invalid_parameter"],
    ["names=", "invalid_parameter"],
    ["max_price=cheap", "invalid_parameter"],
    ["format=cobol", "invalid_parameter"],
  ])("refuses ?%s as %s", (query, code) => {
    expect(() => list(query)).toThrow(expect.objectContaining({ code }));
  });
});
