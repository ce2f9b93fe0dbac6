import { expect, test } from "bun:test";
import { assertOperator } from "./status.ts";

const TOKEN = "t".repeat(43);
const opens = (authorization: string | null, token: string): boolean => {
  try {
    assertOperator(new Headers(authorization === null ? {} : { authorization }), token);
    return true;
  } catch {
    // Refused, whatever for: no error is shown.
    return false;
  }
};

test("only the token opens", () => {
  expect(opens(`Bearer ${TOKEN}`, TOKEN)).toBe(true);
  for (const given of [null, "", "Bearer", "Bearer ", `Bearer ${TOKEN}t`, `Bearer ${TOKEN.slice(1)}`, TOKEN]) {
    expect({ given, opens: opens(given, TOKEN) }).toEqual({ given, opens: false });
  }
});

test.each(["", " ", "\n", "\ufeff", "\0", "\u200b"])("a token of %j would open to nobody", (token) => {
  for (const given of [null, "", "Bearer", "Bearer ", `Bearer${token.replaceAll(/[^\x20]/g, "")}`]) {
    expect(opens(given, token)).toBe(false);
  }
});
