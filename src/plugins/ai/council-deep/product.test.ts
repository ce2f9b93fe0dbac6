import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import type { CompletionRequest } from "intel-node";
import { createPlayedWriter, type PlayedCall } from "../../../../test/helpers/played-writer.ts";
import { asSold } from "../../../../test/helpers/settled.ts";
import { createSimulatedNode, type SimulatedNode } from "../../../../test/helpers/simulated-node.ts";
import { computeCouncilDeep as draft } from "./compute.ts";
import { fetchCouncilDeep } from "./fetch.ts";
import { CouncilDeepSchema } from "./schema.ts";
import { findMajority } from "./seats.ts";

const computeCouncilDeep = asSold(CouncilDeepSchema, draft);

// What HTTP makes of it, a budget that ends in its middle included, is in ../deep-think/product.test.ts.
let node: SimulatedNode;
beforeAll(() => {
  node = createSimulatedNode({ now_ms: Date.UTC(2026, 9, 1, 12, 24, 56) });
});
afterAll(() => node.close());

/** The seat of a call, by its prompt; null for the chair. */
const seatOf = ({ messages }: CompletionRequest) => /You hold the (\w+) seat/.exec(messages[0]?.content ?? "")?.[1];
const isSecond = ({ messages }: CompletionRequest) => messages[1]?.content.includes("NOTES: what the others") === true;

async function debate(callOf: (seat: string | undefined, request: CompletionRequest) => PlayedCall = () => "none") {
  const model = createPlayedWriter((request) => callOf(seatOf(request), request));
  const inputs = await fetchCouncilDeep({ ...node.createContext(), model }, "BTC");
  const { data, warnings } = computeCouncilDeep(inputs);
  expect([...Value.Errors(CouncilDeepSchema, data)]).toEqual([]);
  return { data, warnings, requests: model.requests };
}

describe("GET /council-deep", () => {
  test("is two rounds of seats and a chair, by arithmetic anybody can repeat", async () => {
    const { data, requests } = await debate();
    expect(data.rounds).toHaveLength(2);
    const [first, second] = data.rounds;
    for (const round of data.rounds) {
      const weights = new Map(data.seats.map(({ seat, weight }) => [seat, weight]));
      const sign = { bullish: 1, neutral: 0, bearish: -1 } as const;
      const votes = round.seats.map(({ seat, vote, confidence }) => [weights.get(seat) ?? 0, sign[vote] * confidence]);
      const total = votes.reduce((sum, [weight = 0]) => sum + weight, 0);
      const score = votes.reduce((sum, [weight = 0, value = 0]) => sum + weight * value, 0) / total;
      expect(round.score).toBeCloseTo(score, 1);
    }
    expect(data.convergence).toBeCloseTo((first?.dispersion ?? 0) - (second?.dispersion ?? 0), 1);
    for (const { seat, from, to } of data.changed_votes) {
      expect([from, to]).toEqual([
        ...[first?.seats.find((one) => one.seat === seat)?.vote, second?.seats.find((one) => one.seat === seat)?.vote],
      ] as never);
    }
    // Each seat sees its own facts alone, and the contrarian all.
    const told = (seat: string) => requests.find((one) => seatOf(one) === seat)?.messages[1]?.content ?? "";
    expect(told("sentiment")).toContain("fear and greed");
    expect(told("sentiment")).not.toContain("50-day average");
    expect(told("contrarian")).toContain("50-day average");
    expect(data.seats.find(({ seat }) => seat === "contrarian")?.model?.vote).not.toBe(
      findMajority(Object.fromEntries((first?.seats ?? []).map(({ seat, ...vote }) => [seat, vote]))),
    );
  });

  test("seats that fail twice keep their rule beside them and do not count (script 16)", async () => {
    const { data, warnings } = await debate((seat) =>
      seat === "risk" || seat === "contrarian" ? "foreign_name" : "none",
    );
    const failed = data.seats.filter(({ seat }) => seat === "risk" || seat === "contrarian");
    for (const { seat, rule, model } of failed) {
      expect([seat, rule !== null, model]).toEqual([seat, true, null]);
    }
    expect(warnings).toContain("seats[risk].model, seats[contrarian].model: no vote that keeps to the facts");
    expect(data.rounds[0]?.quorum_met).toBe(true);
    expect(data.rounds[0]?.seats.map(({ seat }) => seat)).not.toContain("risk");
  });

  test("without models in the second round the first decides, and the chair has templates", async () => {
    const { data, warnings } = await debate((seat, request) => (!seat || isSecond(request) ? "down" : "none"));
    expect(data).toMatchObject({ decided_in: 1, convergence: null, written_by: "template" });
    expect(data.score).toBe(data.rounds[0]?.score ?? Number.NaN);
    for (const field of ["rounds", "convergence"]) {
      expect(warnings).toContain(`${field}: too few seats spoke in the second round; the first decides`);
    }
  });

  test("all models down mid-way through the first round: nothing to sell", async () => {
    let calls = 0;
    const dying = debate(() => {
      calls += 1;
      return calls > 3 ? "down" : "none";
    });
    expect(await dying.catch((error) => error)).toMatchObject({ code: "upstream_unavailable" });
  });

  test("an invention of a model is published nowhere", async () => {
    for (const mode of ["invent_number", "foreign_name", "empty"] as const) {
      const refused = await debate(() => mode).catch((error) => error);
      expect([mode, refused.code]).toEqual([mode, "upstream_unavailable"]);
    }
  });
});
