import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { type Static, Type } from "@sinclair/typebox";
import { createSimulatedNode, type SimulatedNode } from "../../test/helpers/simulated-node.ts";
import { closed } from "../core/schema-fields.ts";
import { createEditions, findEditionHour } from "./editions.ts";

const HOURS = { zone: "America/New_York", times: ["08:15", "19:45"] };
const utc = (text: string) => Date.parse(`${text}Z`);
let says = "";
let node: SimulatedNode;

const Params = Type.Object(
  { question: Type.Optional(Type.String()), format: Type.Optional(Type.Literal("json")) },
  closed,
);
const { definition, makeDue, list } = createEditions(
  { name: "test/editions", hours: HOURS, sold_for: "6h", keep: "90d" },
  {
    path: "/written",
    title: "Written",
    description: "A text.",
    category: "test",
    tags: [],
    price_usd: "0.10",
    params: Params,
    data: Type.Object({ text: Type.String() }, closed),
    example: { params: {}, as_of: "2026-01-01T00:00:00Z", data: { text: "x" } },
    providers: [],
    requires: [],
    ttl: "15m",
    deadline_ms: 1_000,
    preview: { every: "24h" },
    async fetch() {
      if (says === "") throw new Error("nothing to write of");
      return says;
    },
    compute: (inputs: string, { now_ms }) => ({ as_of_ms: now_ms, warnings: ["text: short"], data: { text: inputs } }),
  },
);

/** The answer that a buyer gets at a moment. */
async function sell(params: Static<typeof Params> = {}): Promise<string> {
  const context = node.createContext();
  const inputs = await definition.fetch(context, params);
  return definition.compute(inputs, { params, now_ms: context.now_ms }).data.text;
}
const setTime = (text: string) => node.clock.advance(utc(text) - node.clock.now());

beforeEach(() => {
  says = "first";
  node = createSimulatedNode({ now_ms: utc("2026-03-02T00:00") });
});
afterEach(() => node.close());

describe("editions", () => {
  test("answer the plain call in any form, and no call with parameters", async () => {
    setTime("2026-03-02T13:15");
    await makeDue(node.createContext());
    says = "second";
    expect([await sell(), await sell({ format: "json" }), await sell({ question: "why?" })]).toEqual([
      ...["first", "first", "second"],
    ]);
  });

  test("come out at their local hour in the weeks of both summer-time changes", () => {
    const hourAt = (text: string) => new Date(findEditionHour(HOURS, utc(text))).toISOString().slice(0, 16);
    // New York's clocks go on at 7:00 UTC on 8 March 2026, and back at 6:00 UTC on 1 November.
    expect(hourAt("2026-03-07T13:14:59")).toBe("2026-03-07T00:45");
    expect(hourAt("2026-03-07T13:15:00")).toBe("2026-03-07T13:15");
    expect(hourAt("2026-03-08T12:14:59")).toBe("2026-03-08T00:45");
    expect(hourAt("2026-03-08T12:15:00")).toBe("2026-03-08T12:15");
    expect(hourAt("2026-03-09T00:00:00")).toBe("2026-03-08T23:45");
    expect(hourAt("2026-10-31T12:15:00")).toBe("2026-10-31T12:15");
    expect(hourAt("2026-11-01T12:15:00")).toBe("2026-10-31T23:45");
    expect(hourAt("2026-11-01T13:15:00")).toBe("2026-11-01T13:15");
  });

  test("two a day through both weeks, each at its hour, once, and kept as it was", async () => {
    const made: string[] = [];
    for (const week of ["2026-03-06", "2026-10-30"]) {
      setTime(`${week}T00:00`);
      for (let run = 0; run < 4 * 24 * 4; run += 1) {
        says = `of ${new Date(node.clock.now()).toISOString().slice(0, 16)}`;
        if (await makeDue(node.createContext())) made.push(says.slice(3));
        node.clock.advance(900_000);
      }
    }
    expect(made).toEqual([
      // Of the evening before: the first run came within three hours of it.
      ...["2026-03-06T00:45", "2026-03-06T13:15", "2026-03-07T00:45", "2026-03-07T13:15", "2026-03-08T00:45"],
      ...["2026-03-08T12:15", "2026-03-08T23:45", "2026-03-09T12:15", "2026-03-09T23:45"],
      ...["2026-10-30T00:00", "2026-10-30T12:15", "2026-10-30T23:45", "2026-10-31T12:15", "2026-10-31T23:45"],
      ...["2026-11-01T13:15", "2026-11-02T00:45", "2026-11-02T13:15"],
    ]);
    const kept = await list(node.createContext(), "30d");
    expect(kept.map(({ value }) => value.data)).toEqual(made.slice(-kept.length).map((one) => ({ text: `of ${one}` })));
    says = "something else";
    expect(await makeDue(node.createContext())).toBe(false);
  });

  test("is sold while it is young; else, and until the edition of an hour is there, calls are made anew", async () => {
    setTime("2026-03-03T13:15");
    expect(await makeDue(node.createContext())).toBe(true);
    says = "later";
    expect(await sell()).toBe("first");
    setTime("2026-03-03T19:15");
    expect(await sell()).toBe("first");
    setTime("2026-03-03T19:16");
    expect(await sell()).toBe("later");
    setTime("2026-03-04T00:45");
    expect(await sell()).toBe("later");
  });

  test("one that fails is tried again, for three hours, and no older edition is invented", async () => {
    setTime("2026-03-03T13:15");
    says = "";
    await expect(makeDue(node.createContext())).rejects.toThrow("nothing to write of");
    says = "second try";
    setTime("2026-03-03T16:15");
    expect(await makeDue(node.createContext())).toBe(true);
    setTime("2026-03-04T04:00");
    expect(await makeDue(node.createContext())).toBe(false);
    expect((await list(node.createContext(), "30d")).map(({ at_ms }) => at_ms)).toEqual([utc("2026-03-03T13:15")]);
  });
});
