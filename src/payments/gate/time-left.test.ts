import { expect, test } from "bun:test";
import { createStillClock, START_MS } from "../../../test/helpers/still-clock.ts";
import type { ReadPayment } from "./read-payment.ts";
import { assertTimeLeft } from "./time-left.ts";
import type { ProducedAnswer } from "./types.ts";

const until = (valid_until_ms: number) => ({ signed: { valid_until_ms } }) as ReadPayment;
const clock = createStillClock();

test("a payment has to be good for eight seconds more", () => {
  expect(() => assertTimeLeft({ clock }, until(START_MS + 8_000))).not.toThrow();
  const late = () => assertTimeLeft({ clock }, until(START_MS + 7_999));
  expect(late).toThrow(expect.objectContaining({ code: "deadline_exceeded" }));
});

test("what the buyer's own money has bought elsewhere is handed over with the refusal", () => {
  const passed_on = {
    origin: "https://seller.example",
    network: "eip155:8453",
    asset: "0xusdc",
    pay_to: "0xseller",
    amount_atomic: "10000",
    at: "2026-03-01T12:00:00Z",
  };
  const late = (made: object) => () => assertTimeLeft({ clock }, until(START_MS), made as ProducedAnswer);
  const brought = { code: "deadline_exceeded", options: expect.objectContaining({ passed_on }) };
  expect(late({ body: '{"a":1}', passed_on })).toThrow(expect.objectContaining(brought));
  expect(late({ body: "{}" })).toThrow(expect.objectContaining({ code: "deadline_exceeded", options: {} }));
});
