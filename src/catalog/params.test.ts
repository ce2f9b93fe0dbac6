import { describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { NodeError } from "../core/errors.ts";
import { createParamsParser } from "./params.ts";
import { asksForPreview } from "./sent-values.ts";

const parser = createParamsParser(
  Type.Object({
    symbol: Type.Optional(Type.String({ default: "SOL", maxLength: 12 })),
    days: Type.Optional(Type.Integer({ minimum: 1, maximum: 365 })),
    side: Type.Optional(Type.Union([Type.Literal("buy"), Type.Literal("sell")])),
  }),
  (params) => ({ ...params, symbol: (params.symbol ?? "").toUpperCase() }),
);

const refusal = (run: () => unknown): NodeError => {
  try {
    run();
  } catch (error) {
    if (error instanceof NodeError) return error;
    throw error;
  }
  throw new Error("was not refused");
};

describe("a query", () => {
  test("without parameters means the defaults", () => {
    expect(parser.fromQuery("").params).toEqual({ symbol: "SOL" });
  });

  test("that means the same has the same key", () => {
    expect(parser.fromQuery("symbol=btc&days=5").key).toBe(parser.fromQuery("days=5&symbol=BTC").key);
    expect(parser.fromQuery("symbol=btc").key).not.toBe(parser.fromQuery("symbol=eth").key);
  });

  test("may carry preview and x402Version without becoming another request", () => {
    expect(parser.fromQuery("x402Version=1&symbol=SOL").key).toBe(parser.defaults.key);
  });

  test("with an unknown parameter is refused and names the nearest", () => {
    const error = refusal(() => parser.fromQuery("symbl=BTC"));
    expect(error.code).toBe("unknown_parameter");
    expect(error.options.param).toBe("symbl");
    expect(error.message).toContain('"symbol"');
  });

  test("with a repeated parameter is refused, reserved ones too", () => {
    expect(refusal(() => parser.fromQuery("symbol=BTC&symbol=ETH")).options.param).toBe("symbol");
    expect(refusal(() => parser.fromQuery("x402Version=1&x402Version=2")).options.param).toBe("x402Version");
  });

  test.each(["days=0", "days=366", "days=1.5", "days=1e2", "days=abc", "side=hold", "preview=2", "preview=no"])(
    "with %s is refused, naming the parameter",
    (query) => {
      const error = refusal(() => parser.fromQuery(query));
      expect(error.code).toBe("invalid_parameter");
      expect(error.options.param).toBe(query.split("=")[0] ?? "");
    },
  );

  test("cannot reach into the prototype", () => {
    expect(refusal(() => parser.fromQuery("__proto__=1")).code).toBe("unknown_parameter");
    expect(refusal(() => parser.fromQuery("constructor=1")).code).toBe("unknown_parameter");
  });
});

describe("a body", () => {
  test("says the same as a query that says the same", () => {
    expect(parser.fromBody({ days: 5 }).params).toEqual({ symbol: "SOL", days: 5 });
    expect(parser.fromBody({ days: "5" }).params).toEqual({ symbol: "SOL", days: 5 });
    expect(refusal(() => parser.fromBody({ days: "5 days" })).options.param).toBe("days");
  });

  test.each([[null], [[]], ["text"], [5]])("that is %p is refused", (body: unknown) => {
    expect(refusal(() => parser.fromBody(body)).options.param).toBe("body");
  });
});

test("a required parameter that is left out is only reported: probes send nothing", () => {
  const strict = createParamsParser(Type.Object({ q: Type.String() }));
  expect(strict.fromQuery("").missing).toEqual(["q"]);
});

describe("a parameter that holds JSON", () => {
  const positions = createParamsParser(
    Type.Object({ positions: Type.String({ contentMediaType: "application/json", maxLength: 3_000 }) }),
  );
  const list = [{ asset: "BTC", quantity: 0.5 }];
  const text = JSON.stringify(list);

  test("is text in a query, and the value itself, its text, or the whole body in a body", () => {
    const asked = positions.fromQuery(`positions=${encodeURIComponent(text)}`);
    expect(asked.params).toEqual({ positions: text });
    for (const body of [list, { positions: list }, { positions: text }]) {
      expect(positions.fromBody(body)).toEqual(asked);
    }
  });

  test("has its own limit, in a query and in a body", () => {
    const long = (count: number) => `"${"a".repeat(count - 2)}"`;
    expect(positions.fromQuery(`positions=${long(3_000)}`).missing).toEqual([]);
    expect(refusal(() => positions.fromQuery(`positions=${long(3_001)}`)).code).toBe("invalid_parameter");
    expect(refusal(() => positions.fromBody([long(3_001)])).code).toBe("invalid_parameter");
  });

  test("does not make a list of other products' bodies", () => {
    expect(refusal(() => parser.fromBody([1])).options.param).toBe("body");
    expect(refusal(() => parser.fromBody({ symbol: ["BTC"] })).options.param).toBe("symbol");
  });

  test("left out is missing", () => {
    expect(positions.fromBody({}).missing).toEqual(["positions"]);
    expect(positions.fromBody({ positions: null }).missing).toEqual(["positions"]);
  });
});

describe("one rule reads what is sent, in a query as in a body", () => {
  const address = "^(0x[0-9a-f]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$";
  const rule = createParamsParser(
    Type.Object({
      event: Type.Optional(Type.Union([Type.Literal("FOMC"), Type.Literal("cpi")])),
      symbol: Type.Optional(Type.String({ pattern: "^[A-Z]{2,6}$", default: "BTC" })),
      chain: Type.Optional(Type.String({ pattern: "^[a-z-]+$" })),
      mint: Type.Optional(Type.String({ pattern: address })),
      words: Type.Optional(Type.String({ maxLength: 50 })),
      exact: Type.Optional(Type.Boolean()),
      days: Type.Integer({ minimum: 1 }),
    }),
  );
  const both = (given: Record<string, unknown>) => {
    const query = new URLSearchParams(
      Object.entries(given).map(([name, value]): [string, string] => [name, `${value}`]),
    );
    return [rule.fromQuery(`${query}`), rule.fromBody(given)].map(({ params, missing }) => ({ ...params, missing }));
  };
  const days = { days: 1, missing: [] };

  test.each([
    ["another case", { event: "fomc" }, { symbol: "BTC", event: "FOMC" }],
    ["another case of a lower one", { event: "CPI" }, { symbol: "BTC", event: "cpi" }],
    ["lower case for an upper-case value", { symbol: "sol" }, { symbol: "SOL" }],
    ["upper case for a lower-case value", { chain: "Base" }, { symbol: "BTC", chain: "base" }],
    ["blanks around a name", { symbol: " sol " }, { symbol: "SOL" }],
    ["an empty value", { symbol: "", event: "" }, { symbol: "BTC" }],
    ["a value of blanks", { symbol: "  ", words: " " }, { symbol: "BTC" }],
    ["a truth in capitals", { exact: "TRUE" }, { symbol: "BTC", exact: true }],
    ["words of the buyer's own", { words: "Wait for It" }, { symbol: "BTC", words: "Wait for It" }],
  ])("%s", (_, given, wanted) => {
    for (const read of both({ ...given, days: 1 })) expect(read).toEqual({ ...wanted, ...days });
  });

  test("the case of an address that means something is never changed", () => {
    const wrong = "l".repeat(32);
    expect(refusal(() => rule.fromQuery(`days=1&mint=${wrong}`)).options.param).toBe("mint");
  });

  test("an empty value of a required parameter is refused as invalid, not as missing", () => {
    for (const given of [{ days: "" }, { days: " " }]) {
      expect(refusal(() => both(given)).options.param).toBe("days");
      expect(refusal(() => rule.fromBody(given)).options.param).toBe("days");
    }
    expect(rule.fromBody({ days: null }).missing).toEqual(["days"]);
  });

  test.each([
    "preview=true",
    "preview=TRUE",
    "preview=1",
    "preview=false",
    "preview=",
    "view=FULL",
    "view=",
    "format=JSON",
  ])("%s is taken", (query) => {
    expect(rule.fromQuery(`days=1&${query}`).params).toEqual({ symbol: "BTC", days: 1 });
    expect(asksForPreview(query)).toBe(/true|1/i.test(query));
  });
});
