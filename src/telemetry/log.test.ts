import { expect, test } from "bun:test";
import { createLog, type LogFields } from "./log.ts";

function write(fields: LogFields, secrets: readonly string[] = []): { text: string; line: Record<string, unknown> } {
  const texts: string[] = [];
  createLog({ level: "info", format: "json", secrets, write: (text) => texts.push(text) }).info(fields);
  const text = texts.join("");
  return { text, line: JSON.parse(text) };
}

test("a line is one JSON object: level, time, fields, event", () => {
  const { text, line } = write({ event: "settle", payment: "pay_1", amount: 10n, left_out: undefined, none: null });
  const time = /"time":"([^"]+)"/.exec(text)?.[1] ?? "";
  expect(text).toBe(`{"level":"info","time":"${time}","payment":"pay_1","amount":"10","none":null,"event":"settle"}\n`);
  expect(new Date(String(line.time)).toISOString()).toBe(time);
  expect(Object.keys(write({ event: "bare" }).line)).toEqual(["level", "time", "event"]);
});

test("what JSON has no form for is written all the same", () => {
  const own: Record<string, unknown> = {};
  own.self = own;
  expect(write({ event: "circular", own }).line).toMatchObject({ event: "circular", own: { self: "[Circular]" } });
  expect(write({ event: "deep", given: { amount: 1n } }).line).toMatchObject({ event: "deep", given: { amount: 1 } });
});

test("no value forges a line, orders a terminal about or shows a secret", () => {
  const { text, line } = write({ event: "odd\n{", why: new Error("a\u001b[2Jb\u202ec\u2028d"), sent: "key-123456" }, [
    "key-123456",
  ]);
  expect(text.trimEnd().split("\n")).toHaveLength(1);
  for (const hidden of ["\u001b", "\u202e", "\u2028", "key-123456"]) expect(text).not.toContain(hidden);
  expect(line).toMatchObject({ event: "odd\n{", why: "a\u001b[2Jb\\u202ec\\u2028d", sent: "***" });
});
