import { expect, test } from "bun:test";
import { readSecurity } from "./calendar.ts";

const read = (type: string, term: string): string => {
  const security = readSecurity(type, term);
  if (!security) return "other";
  return [security.years, security.is_reopened ? "again" : "new", security.is_indexed ? "indexed" : "nominal"].join(
    " ",
  );
};

test("a note or bond of 10 or 30 years is known by what is left of it, new or sold again", () => {
  expect(["10-Year", "9-Year 11-Month", "9-Year 10-Month"].map((term) => read("Note", term))).toEqual([
    ...["10 new nominal", "10 again nominal", "10 again nominal"],
  ]);
  expect(["30-Year", "29-Year 11-Month", "29-Year 10-Month"].map((term) => read("Bond", term))).toEqual([
    ...["30 new nominal", "30 again nominal", "30 again nominal"],
  ]);
});

test("an indexed one has its own name, whether its type says so or only what is left of its term", () => {
  expect(read("TIPS Note", "10-Year")).toBe("10 new indexed");
  expect(["9-Year 10-Month", "9-Year 8-Month"].map((term) => read("TIPS Note", term))).toEqual([
    ...["10 again indexed", "10 again indexed"],
  ]);
  // The Treasury's own table calls the bond of 2026-08-20 (912810US5) a Bond.
  expect(read("Bond", "29-Year 6-Month")).toBe("30 again indexed");
});

test("bills, floating ones and other terms are none", () => {
  const others = ["Bill 13-Week", "CMB 42-Day", "FRN Note 1-Year 10-Month", "Note 7-Year", "Bond 19-Year 10-Month"];
  for (const other of others) {
    const [, type = "", term = ""] = /^(\D+) (\d.*)$/.exec(other) ?? [];
    expect(read(type, term)).toBe("other");
  }
});
