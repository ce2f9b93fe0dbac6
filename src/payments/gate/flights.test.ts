import { expect, test } from "bun:test";
import { createFlights, type NewFlight } from "./flights.ts";
import type { PaidAnswer } from "./types.ts";

const ANSWER: PaidAnswer = {
  body: "{}",
  receipt_id: "rcp_1",
  settlement: { transaction: "0xtx", network: "eip155:8453", payer: "0xpayer" },
};

const flightOf = (replay_key: string, more: Partial<NewFlight> = {}): NewFlight => ({
  replay_key,
  payload_hash: replay_key,
  fingerprint: "request",
  payer: "0xpayer",
  names: { identifier: null, proof: null },
  may_repeat: false,
  ...more,
});
const named = (identifier: string) => ({ names: { identifier, proof: null } });

/** Work that ends when it is told to. */
function createWork() {
  const { promise, resolve } = Promise.withResolvers<PaidAnswer>();
  return { work: () => promise, end: () => resolve(ANSWER) };
}

test("a payment in flight is found by its key until it has its answer", async () => {
  const flights = createFlights();
  const { work, end } = createWork();
  const flight = flights.start(flightOf("a"), work);
  expect([flights.find("a"), flights.find("b"), flights.size]).toEqual([flight, undefined, 1]);
  let is_idle = false;
  const idle = flights.idle().then(() => {
    is_idle = true;
  });
  await Bun.sleep(0);
  expect(is_idle).toBe(false);
  end();
  expect(await flight.answer).toEqual(ANSWER);
  await idle;
  expect([flights.find("a"), flights.size]).toEqual([undefined, 0]);
  expect(await flight.signed).toBe(false);
});

test("one that fails leaves nothing behind, and says so to those that wait", async () => {
  const flights = createFlights();
  const flight = flights.start(flightOf("a"), () => Promise.reject(new Error("no data")));
  await expect(flight.answer).rejects.toThrow("no data");
  expect(flights.listOlder(flights.start(flightOf("b"), createWork().work))).toEqual([]);
});

test("whether the payer signed is known as soon as it was looked at", async () => {
  const flights = createFlights();
  const { work, end } = createWork();
  const flight = flights.start(flightOf("a"), work);
  flight.noteSigned(true);
  expect(await flight.signed).toBe(true);
  end();
  await flight.answer;
  expect(await flight.signed).toBe(true);
});

test("older ones of the same payer wait for nobody: those for the same request, or under the same name", () => {
  const flights = createFlights();
  const start = (key: string, more?: Partial<NewFlight>) => flights.start(flightOf(key, more), createWork().work);
  const first = start("first");
  start("other request", { fingerprint: "another" });
  start("other payer", { payer: "0xother" });
  const of_name = start("of a name", { ...named("order-1"), fingerprint: "another" });
  const last = start("last", named("order-1"));
  expect(flights.listOlder(last)).toEqual([first, of_name]);
  expect(flights.listOlder(first)).toEqual([]);
  const repeat = start("repeat", { may_repeat: true });
  expect(flights.listOlder(repeat)).toEqual([]);
  expect(flights.listOlder(start("repeat of a name", { ...named("order-1"), may_repeat: true }))).toEqual([
    of_name,
    last,
  ]);
});

test("a payment has company while another one of its payer is in flight, whichever came first", async () => {
  const flights = createFlights();
  const [one, two] = [createWork(), createWork()];
  const first = flights.start(flightOf("a"), one.work);
  expect(first.had_company).toBe(false);
  expect(flights.start(flightOf("x", { payer: "0xother" }), createWork().work).had_company).toBe(false);
  const second = flights.start(flightOf("b", { fingerprint: "another" }), two.work);
  expect([first.had_company, second.had_company]).toEqual([true, true]);
  one.end();
  two.end();
  await Promise.all([first.answer, second.answer]);
  expect(flights.start(flightOf("c"), createWork().work).had_company).toBe(false);
});
