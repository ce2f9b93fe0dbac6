import { expect, test } from "bun:test";
import { createStillClock } from "../../../test/helpers/still-clock.ts";
import { refuse } from "../refusal.ts";
import { createFaults } from "./faults.ts";

const CLIENT = "192.0.2.1";
const HASH = "payload";
const POOR = refuse("insufficient_funds", "insufficient_funds", "Fund it.");
const FORGED = refuse("invalid_payment", "invalid_signature", "Sign it.");

function create(limitOf: (client: string) => string | null = (client) => client) {
  const clock = createStillClock();
  return { clock, faults: createFaults({ clock, limitOf }) };
}

test("a payment is refused five times in a minute, then turned away until the minute is over", () => {
  const { clock, faults } = create();
  for (let times = 1; times <= 5; times += 1) {
    expect(() => faults.assertNew(CLIENT, HASH)).not.toThrow();
    expect(faults.count(CLIENT, HASH, POOR)).toBe(times);
    clock.advance(1_000);
  }
  const refused = () => faults.assertNew(CLIENT, HASH);
  expect(refused).toThrow(expect.objectContaining({ code: "rate_limited", options: { retry_after_s: 55 } }));
  expect(() => faults.assertNew("192.0.2.2", HASH)).not.toThrow();
  expect(() => faults.assertNew(CLIENT, "another payload")).not.toThrow();
  clock.advance(54_999);
  expect(refused).toThrow(expect.objectContaining({ options: { retry_after_s: 1 } }));
  clock.advance(1);
  expect(refused).not.toThrow();
  expect(faults.count(CLIENT, HASH, POOR)).toBe(1);
});

test("a payment that no facilitator could judge is turned away as one that is refused", () => {
  const { faults } = create();
  for (let times = 0; times < 5; times += 1) faults.countUnjudged(CLIENT, HASH);
  expect(() => faults.assertNew(CLIENT, HASH)).toThrow("too often");
});

test("the same reason counts for other payments of a client, and for one that could not be read", () => {
  const { faults } = create();
  expect(faults.count(CLIENT, "one", POOR)).toBe(1);
  expect(faults.count(CLIENT, "two", POOR)).toBe(2);
  expect(faults.count(CLIENT, null, POOR)).toBe(3);
  expect(faults.count(CLIENT, "one", FORGED)).toBe(2);
  expect(faults.count("192.0.2.2", "one", POOR)).toBe(1);
});

test("a wrong signature stays wrong: it is refused as before, without a look; an empty wallet can be funded", () => {
  const { clock, faults } = create();
  faults.count(CLIENT, HASH, FORGED);
  expect(() => faults.assertNew(CLIENT, HASH)).toThrow(FORGED);
  faults.count(CLIENT, "poor", POOR);
  expect(() => faults.assertNew(CLIENT, "poor")).not.toThrow();
  clock.advance(60_000);
  expect(() => faults.assertNew(CLIENT, HASH)).not.toThrow();
});

test("addresses that count as one share it; one that is not limited is told how often, and never turned away", () => {
  const { faults } = create((client) => (client.startsWith("10.") ? null : "192.0.2.0/24"));
  for (let times = 0; times < 5; times += 1) faults.count(`192.0.2.${times}`, HASH, POOR);
  expect(() => faults.assertNew("192.0.2.9", HASH)).toThrow("too often");
  for (let times = 1; times <= 9; times += 1) expect(faults.count("10.0.0.1", HASH, POOR)).toBe(times);
  expect(() => faults.assertNew("10.0.0.1", HASH)).not.toThrow();
  expect(faults.count("10.0.0.2", HASH, POOR)).toBe(1);
});

test("a clock that was set back begins anew", () => {
  const { clock, faults } = create();
  for (let times = 0; times < 5; times += 1) faults.count(CLIENT, HASH, POOR);
  clock.advance(-1);
  expect(() => faults.assertNew(CLIENT, HASH)).not.toThrow();
});
