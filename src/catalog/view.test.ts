import { describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import type { Envelope } from "./envelope.ts";
import { createParamsParser } from "./params.ts";
import { applyView, readView, type View, viewFor } from "./view.ts";

const Data = Type.Object({
  n: Type.Number(),
  rows: Type.Union([Type.Array(Type.Object({ coin: Type.String(), parts: Type.Array(Type.Number()) })), Type.Null()]),
  by_coin: Type.Record(Type.String(), Type.Object({ x: Type.Number() })),
});
const envelope: Envelope = {
  product: "p",
  node_id: "n",
  as_of: "2026-01-01T00:00:00.000Z",
  generated_at: "2026-01-01T00:00:00.000Z",
  delayed: false,
  sources: ["/a", "/b"].map((path) => ({
    provider: "one",
    url: `https://a.example${path}`,
    fetched_at: "t",
    ok: true,
  })),
  warnings: ["n: w"],
  data: { n: 1, rows: [{ coin: "A", parts: [1, 2] }], by_coin: { A: { x: 1 } } },
};
const WHOLE: View = { is_brief: false, fields: [], key: "" };
const USUAL: View = { is_brief: true, fields: [], key: "" };
const see = (given: { view?: unknown; fields?: unknown }, long: readonly string[] = []) =>
  applyView(envelope, readView(given, Data) ?? WHOLE, long) as Envelope & { view: unknown };

describe("a view of an answer", () => {
  test("brief: sources by name, without the long tables, and says so", () => {
    const { data, sources, view, warnings } = see({ view: "brief" }, ["rows.parts", "by_coin"]);
    expect(data).toEqual({ n: 1, rows: [{ coin: "A" }] });
    expect(sources as unknown).toEqual([{ provider: "one", ok: true }]);
    expect(view).toEqual({ brief: true, left_out: ["rows.parts", "by_coin"] });
    expect(warnings).toEqual(envelope.warnings);
  });

  test("fields: those of the data and no others, through lists, nulls and tables by name", () => {
    expect(see({ fields: "rows.coin,n" }).data).toEqual({ n: 1, rows: [{ coin: "A" }] });
    expect(see({ fields: "by_coin.A.x" }).data).toEqual({ by_coin: { A: { x: 1 } } });
    expect(see({ fields: "rows,rows.coin" }).data).toEqual({ rows: [{ coin: "A", parts: [1, 2] }] });
    expect(see({ fields: "n" }).sources).toEqual(envelope.sources);
    // Fields asked for by name are included, long or not.
    expect(see({ view: "brief", fields: "by_coin" }, ["by_coin"]).data).toEqual({ by_coin: { A: { x: 1 } } });
  });

  test("has one name however it is written; the whole answer has no name", () => {
    expect(readView({ fields: "rows,n" }, Data)?.key).toBe(readView({ fields: "n,rows,n" }, Data)?.key);
    expect(readView({ view: "full" }, Data)).toBeUndefined();
  });

  test("is the brief one of a product whose usual answer it is, unless the whole is asked for", () => {
    const ask = (given: { view?: unknown; fields?: unknown }) => viewFor(readView(given, Data, "brief"), "brief");
    expect([ask({}), ask({ view: "brief" })]).toEqual([USUAL, USUAL]);
    const whole = ask({ view: "full" });
    expect(whole).toMatchObject({ is_brief: false, fields: [] });
    // Two requests, so a payment for one does not pay for the other.
    expect(whole?.key).not.toBe(USUAL.key);
    expect(applyView(envelope, whole ?? USUAL, ["rows"])).toBe(envelope);
    expect(ask({ fields: "n" })).toMatchObject({ is_brief: true, fields: ["n"] });
    expect(viewFor(undefined)).toBeUndefined();
  });

  test("of a field the data has not is refused, naming the nearest", () => {
    const refused = (fields: unknown) => () => readView({ fields }, Data);
    expect(refused("row")).toThrow('Did you mean "rows"?');
    expect(refused("rows.coins")).toThrow('Did you mean "coin"?');
    expect(refused("n.a")).toThrow("has not");
    for (const wrong of ["", "a,,b", "a b", 1, "n,".repeat(400)]) expect(refused(wrong)).toThrow("must be names");
    expect(() => readView({ view: "short" }, Data)).toThrow('"view" must be brief or full');
  });

  test("is asked for in a query, and in a body or its query, not in both", () => {
    const parser = createParamsParser(Type.Object({ q: Type.Optional(Type.String()) }), undefined, { data: Data });
    const { view } = parser.fromQuery("q=a&fields=n&format=json");
    expect(view?.fields).toEqual(["n"]);
    expect(parser.fromBody({ q: "a", fields: "n" }).view).toEqual(view);
    expect(parser.fromBody({ q: "a" }, "fields=n&preview=1").view).toEqual(view);
    expect(() => parser.fromBody({ fields: "n" }, "fields=n")).toThrow("more than once");
    expect(() => parser.fromBody({}, "q=a")).toThrow('Unknown parameter "q"');
    expect(() => parser.fromQuery("format=xml")).toThrow('"format" must be json');
    expect(parser.fromQuery("format=json").key).toBe(parser.defaults.key);
  });
});
