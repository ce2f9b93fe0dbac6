import { expect, test } from "bun:test";
import { createStillClock } from "../../test/helpers/still-clock.ts";
import { createAdminSessions } from "./sessions.ts";

const TOKEN = "of the operator";
const create = () => createAdminSessions({ clock: createStillClock(), operator_token: TOKEN });
const tryTen = (sessions: ReturnType<typeof create>, client: string): void => {
  for (let n = 0; n < 10; n += 1) expect(sessions.login(`wrong ${n}`, client)).toBeNull();
};

test("wrong tokens of others, from however many networks, lock nobody else out", () => {
  const sessions = create();
  for (let n = 0; n < 200; n += 1) tryTen(sessions, `203.0.${n}.7`);
  expect(sessions.login(TOKEN, "198.51.100.4")).toBeString();
});

test("a network that guessed waits, whichever of its addresses it comes from", () => {
  const sessions = create();
  tryTen(sessions, "2001:db8:1:2ff::1");
  expect(() => sessions.login(TOKEN, "2001:db8:1:201::9")).toThrow("Too many wrong tokens");
  expect(sessions.login(TOKEN, "2001:db8:1:300::9")).toBeString();
});
