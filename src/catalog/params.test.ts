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
