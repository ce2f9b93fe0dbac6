import { describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { NodeError } from "../core/errors.ts";
import { createParamsParser } from "./params.ts";

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

  test("with an unknown parameter is refused and told the nearest", () => {
    const error = refusal(() => parser.fromQuery("symbl=BTC"));
    expect(error.code).toBe("unknown_parameter");
    expect(error.options.param).toBe("symbl");
    expect(error.message).toContain('"symbol"');
  });

  test("with a repeated parameter is refused, reserved ones too", () => {
    expect(refusal(() => parser.fromQuery("symbol=BTC&symbol=ETH")).options.param).toBe("symbol");
    expect(refusal(() => parser.fromQuery("x402Version=1&x402Version=2")).options.param).toBe("x402Version");
  });

  test.each(["days=0", "days=366", "days=1.5", "days=1e2", "days=abc", "days=", "side=hold", "preview=2", "preview="])(
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
  test("is checked without turning text into numbers", () => {
    expect(parser.fromBody({ days: 5 }).params).toEqual({ symbol: "SOL", days: 5 });
    expect(refusal(() => parser.fromBody({ days: "5" })).options.param).toBe("days");
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
    expect(refusal(() => positions.fromBody({ positions: null })).code).toBe("invalid_parameter");
  });
});
