import { expect, test } from "bun:test";
import { settled } from "../../../../test/helpers/settled.ts";
import { computeLaunchRisk } from "./compute.ts";
import type { LaunchRiskData } from "./schema.ts";

const UNSEEN = { origins: new Map<string, string>(), launches: 0, watch: null };

test("base rates are shares of the tokens judged, and null where none was", () => {
  const of = (verdicts: readonly string[]) =>
    settled<LaunchRiskData>(computeLaunchRisk({ read_at_ms: 1, ...UNSEEN, single: null, stored: [], verdicts })).data
      .base_rates;
  expect(of(["AVOID", "AVOID", "WATCH", "SIZE"])).toEqual({
    avoid_share_24h: 0.5,
    watch_share_24h: 0.25,
    size_share_24h: 0.25,
    n: 4,
  });
  expect(of([])).toMatchObject({ avoid_share_24h: null, n: 0 });
  expect(
    settled<LaunchRiskData>(
      computeLaunchRisk({ read_at_ms: 1, ...UNSEEN, single: null, stored: [], verdicts: [] }),
    ).warnings.join(),
  ).toContain("base_rates.size_share_24h: this node judged no launch");
});
