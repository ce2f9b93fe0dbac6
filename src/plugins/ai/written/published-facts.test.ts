import { describe, expect, test } from "bun:test";
import { createGuard, createPack } from "intel-node";
import { subjectsOf, toDrafts, windowsOf } from "./published-facts.ts";

const fact = (name: string, label: string, value: number) => ({
  id: "F1",
  name,
  label,
  value,
  unit: "pct" as const,
  kind: "level" as const,
  about: null,
  window: null,
  from: "/br-curve",
  as_of: "2026-09-28",
});
const FACTS = [
  fact("di_10y", "DI rate of 10y", 13.3396),
  fact("real_2y", "real rate of 2 years", 7.1),
  fact("core", "core inflation, 12-month", 3.25),
  fact("btc", "Bitcoin dominance", 58.5),
];

describe("facts that another product published", () => {
  test("name the periods that their labels contain", () => {
    expect(windowsOf(FACTS)).toEqual(["10y", "2y", "12m"]);
  });

  test("can be named by their labels, and no other period beside them", () => {
    const builder = createPack({ windows: windowsOf(FACTS), subjects: subjectsOf(FACTS) });
    builder.addAll(toDrafts("brief", FACTS));
    const pack = builder.build();
    const guard = createGuard(pack, "en");
    const check = (id: string, text: string) => guard.check({ id: "answer", text, facts: [id], sources: [] });
    for (const { id, label, value } of pack.facts)
      expect([label, check(id, `${label}: ${value}%.`)]).toEqual([label, []]);
    expect(check("F1", "DI rate of 5y: 13.3396%.")).toEqual([{ rule: "unknown_window", text: "5y" }]);
  });
});
