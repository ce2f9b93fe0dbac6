import { expect, test } from "bun:test";
import { createTestModel } from "../../test/helpers/surface-model.ts";
import { listDigestChanges, type MethodFamily, renderMethod } from "./methodology.ts";
import { ENGLISH } from "./words.ts";

const AT_MS = Date.UTC(2026, 8, 1, 12);
const family: MethodFamily = {
  id: "risk",
  title: "Portfolio risk",
  text: "# Risk\nHow it is made.",
  products: ["mempool"],
  is_named: true,
  digests: { risk: `aa${"0".repeat(62)}`, "model m-1": "bb" },
};
const noted = [
  {
    at_ms: AT_MS,
    changes: [
      { kind: "method", method: "model m-1", from: "cc", to: "bb" } as const,
      { kind: "method", method: "regime", from: "dd", to: "ee" } as const,
      { kind: "contract", product: "mempool" } as const,
    ],
  },
];

test("a family of methods shows its own current and earlier digests, and no others", () => {
  const changes = listDigestChanges(noted, family);
  expect(changes).toEqual([{ at_ms: AT_MS, name: "model m-1", from: "cc", to: "bb" }]);
  const page = renderMethod({ model: createTestModel(), words: ENGLISH, changes, sample: null }, family);
  expect(page).toContain(`<code title="${family.digests.risk}">aa00000000000000…</code>`);
  expect(page).toContain(">2026-09-01</span> 12:00 UTC</time> · model m-1");
  expect(page).not.toContain("No change was noted");
  expect(renderMethod({ model: createTestModel(), words: ENGLISH, changes: [], sample: null }, family)).toContain(
    "No change was noted",
  );
});
