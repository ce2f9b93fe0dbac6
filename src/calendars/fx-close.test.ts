import { expect, test } from "bun:test";
import { getLastFXClose } from "./fx-week.ts";

test("the last close of currencies is a Friday, 17:00 in New York, over weekends of 48, 47 and 49 hours", () => {
  const closeAt = (text: string) => new Date(getLastFXClose(Date.parse(text))).toISOString().slice(0, 16);
  expect(closeAt("2026-10-30T20:59:59Z")).toBe("2026-10-23T21:00");
  expect(closeAt("2026-10-30T21:00:00Z")).toBe("2026-10-30T21:00");
  expect(closeAt("2026-11-01T21:30:00Z")).toBe("2026-10-30T21:00");
  expect(closeAt("2026-03-08T12:00:00Z")).toBe("2026-03-06T22:00");
  expect(closeAt("2026-11-06T21:30:00Z")).toBe("2026-10-30T21:00");
});
