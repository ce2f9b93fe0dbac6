import { describe, expect, test } from "bun:test";
import { createExtensionAnswers } from "./extension-answers.ts";

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64");

function start() {
  const events: Readonly<Record<string, unknown>>[] = [];
  const answers = createExtensionAnswers((event) => events.push(event));
  return { answers, events };
}

describe("what facilitators say of extensions", () => {
  test("is logged and counted by facilitator, status and reason", () => {
    const { answers, events } = start();
    const rejected = encode({ bazaar: { status: "rejected", rejectedReason: "description too long" } });
    answers.note("one", rejected);
    answers.note("one", rejected);
    answers.note("two", encode({ bazaar: { status: "success" }, other: { status: "processing" } }));
    expect(answers.list()).toEqual([
      { facilitator: "one", extension: "bazaar", status: "rejected", reason: "description_too_long", count: 2 },
      { facilitator: "two", extension: "bazaar", status: "success", reason: null, count: 1 },
      { facilitator: "two", extension: "other", status: "processing", reason: null, count: 1 },
    ]);
    expect(events).toHaveLength(4);
    expect(events[0]).toEqual({
      event: "extension_answer",
      facilitator: "one",
      extension: "bazaar",
      status: "rejected",
      reason: "description_too_long",
    });
  });

  test.each([
    ["no base64", "%%%"],
    ["no JSON", Buffer.from("nothing").toString("base64")],
    ["a list", encode([])],
    ["nothing at all", encode(null)],
    ["too much", encode({ bazaar: { status: "a".repeat(10_000) } })],
  ])("is only noted as unreadable when it is %s", (_what, header) => {
    const { answers, events } = start();
    answers.note("one", header);
    expect(answers.list()).toEqual([]);
    expect(events).toEqual([{ event: "extension_answer_unreadable", facilitator: "one" }]);
  });

  test("of a kind nobody knows is counted without its words", () => {
    const { answers } = start();
    answers.note("one", encode({ bazaar: { status: "\u001b[31mred" } }));
    answers.note("one", encode({ bazaar: "yes" }));
    expect(answers.list()).toEqual([
      { facilitator: "one", extension: "bazaar", status: "other", reason: null, count: 2 },
    ]);
  });

  test("cannot fill the memory, whatever is said", () => {
    const { answers } = start();
    for (let index = 0; index < 1_000; index++) {
      answers.note("one", encode({ bazaar: { status: "rejected", rejectedReason: `reason ${index}` } }));
    }
    const list = answers.list();
    expect(list.length).toBe(201);
    expect(list[0]).toEqual({ facilitator: "other", extension: "other", status: "other", reason: null, count: 800 });
  });
});
