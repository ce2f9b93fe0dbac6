import { expect, test } from "bun:test";
import { createStillClock } from "../../test/helpers/still-clock.ts";
import { simulator as ecb } from "../upstream/providers/ecb/simulator.ts";
import { simulator as fred } from "../upstream/providers/fred/simulator.ts";
import { createWorld } from "./world.ts";

const DAY_MS = 86_400_000;
const NOW_MS = Date.UTC(2026, 9, 1, 12);
const clock = createStillClock();
const world = createWorld("test", clock.now);
/** A new world, which nothing has read yet. */
const createFresh = () => createWorld("test", clock.now);

const ASKED = [
  { simulator: fred, path: "/graph/fredgraph.csv", query: "id=DGS10&cosd=2024-01-03" },
  { simulator: fred, path: "/graph/fredgraph.csv", query: "id=CPIAUCSL&cosd=2024-01-03" },
  { simulator: fred, path: "/graph/fredgraph.csv", query: "id=ICSA&cosd=2024-01-03" },
  { simulator: ecb, path: "/EXR/D.USD+BRL.EUR.SP00.A", query: "startPeriod=2025-12-20" },
];

test.each(ASKED)("a file that has grown is the one that is written anew: $query", ({ simulator, path, query }) => {
  const request = { method: "GET", path, query: new URLSearchParams(query), headers: new Headers(), body: undefined };
  // On, back, and on again, over hours, weekends and months.
  for (const days of [0, 0.2, 1, 3.5, 40, 12, 400]) {
    clock.set(NOW_MS + days * DAY_MS);
    const answer = simulator.respond(request, world);
    expect(answer).toEqual(simulator.respond(request, createFresh()));
    expect("text" in answer && answer.text.split("\n").length).toBeGreaterThan(20);
  }
});
