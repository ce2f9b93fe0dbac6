import { expect, test } from "bun:test";
import { readSecurity } from "./calendar.ts";

const read = (type: string, term: string, issue_date?: string): string => {
  const security = readSecurity(type, term, issue_date);
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

test("an indexed one has its own name, whether its type says so or only its remaining term", () => {
  expect(read("TIPS Note", "10-Year")).toBe("10 new indexed");
  expect(["9-Year 10-Month", "9-Year 8-Month"].map((term) => read("TIPS Note", term))).toEqual([
    ...["10 again indexed", "10 again indexed"],
  ]);
  // The Treasury's own table calls the bond of 2026-08-20 (912810US5) a Bond.
  expect(read("Bond", "29-Year 6-Month")).toBe("30 again indexed");
});

test("an indexed one that is called a note like any other is known by its day of issue", () => {
  // The Treasury's table of 2026 has no "TIPS" in its types: 91282CPU9, sold on 2026-05-21, is one.
  expect(read("Note", "9-Year 8-Month", "2026-05-29")).toBe("10 again indexed");
  // New in January and July, sold again in March and September with what is left of a nominal one in April and October.
  expect(read("Note", "10-Year", "2026-01-30")).toBe("10 new indexed");
  expect(read("Note", "9-Year 10-Month", "2026-03-31")).toBe("10 again indexed");
  // A last day of the month that is a Saturday moves into the next one.
  expect(read("Bond", "30-Year", "2027-03-01")).toBe("30 new indexed");
  // Nominal ones are issued in the middle of the month, or on the business day after.
  expect(read("Note", "9-Year 10-Month", "2024-04-15")).toBe("10 again nominal");
  expect(read("Note", "10-Year", "2026-11-16")).toBe("10 new nominal");
  expect(read("Bond", "30-Year", "2026-02-17")).toBe("30 new nominal");
  // Without a day that can be read the type is all there is.
  expect(read("Note", "10-Year", "null")).toBe("10 new nominal");
});

test("bills, floating ones and other terms are left out", () => {
  const others = ["Bill 13-Week", "CMB 42-Day", "FRN Note 1-Year 10-Month", "Note 7-Year", "Bond 19-Year 10-Month"];
  for (const other of others) {
    const [, type = "", term = ""] = /^(\D+) (\d.*)$/.exec(other) ?? [];
    expect(read(type, term)).toBe("other");
  }
});
