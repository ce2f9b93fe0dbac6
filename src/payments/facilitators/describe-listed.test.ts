import { expect, test } from "bun:test";
import { describeListed } from "./describe-listed.ts";

const kindOf = (network: string, scheme = "exact") => ({ network, scheme, extra: {} });

test("what is listed is named, with the scheme where it is another one", () => {
  const kinds = [kindOf("eip155:1"), kindOf("eip155:1", "upto")];
  expect(describeListed({ kinds })).toBe("it lists eip155:1, eip155:1 (upto)");
});

test("networks of version 1 alone are named as such", () => {
  const told = describeListed({ kinds: [], old_networks: ["base", "base"] });
  expect(told).toBe("it lists no network in version 2 of x402, and in version 1 base");
});

test("a stranger's names are short, few and plain", () => {
  const kinds = Array.from({ length: 50 }, (_, index) => kindOf(`\u001b[2J${index}${"x".repeat(99)}`));
  const told = describeListed({ kinds });
  expect(told).toMatch(/^[ -~]{1,700}$/);
  expect(told).toEndWith(" and 42 more");
});
