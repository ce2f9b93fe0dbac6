import { describe, expect, test } from "bun:test";
import { fc } from "../../../../test/helpers/properties.ts";
import { NodeError } from "../../../core/errors.ts";
import { parsePositions, renderPositions } from "./positions.ts";

const parse = (value: unknown) => parsePositions(JSON.stringify(value));

describe("positions", () => {
  test("tickers are brought to one form; numbers and decimal text are quantities", () => {
    expect(
      parse([
        { asset: " $btc ", quantity: 0.5 },
        { asset: "ETH/USD", quantity: "4.25" },
        { asset: "SOL", quantity: -50 },
      ]),
    ).toEqual([
      { asset: "BTC", quantity: 0.5 },
      { asset: "ETH", quantity: 4.25 },
      { asset: "SOL", quantity: -50 },
    ]);
  });

  test("positions of one asset are added up, wrapped forms included", () => {
    expect(
      parse([
        { asset: "BTC", quantity: 1 },
        { asset: "ETH", quantity: 2 },
        { asset: "XBT", quantity: "0.5" },
        { asset: "WETH", quantity: -0.5 },
      ]),
    ).toEqual([
      { asset: "BTC", quantity: 1.5 },
      { asset: "ETH", quantity: 1.5 },
    ]);
  });

  test("what was read once is read the same again", () => {
    const item = fc.record({
      asset: fc.constantFrom("BTC", "eth", "$SOL", "XBT", "LINK/USD"),
      quantity: fc.integer({ min: 1, max: 1_000_000 }),
    });
    fc.assert(
      fc.property(fc.array(item, { minLength: 1, maxLength: 50 }), (items) => {
        const positions = parse(items);
        expect(parsePositions(renderPositions(positions))).toEqual(positions);
      }),
    );
  });

  test.each([
    ["text that is not JSON", "{"],
    ["an object", "{}"],
    ["an empty list", "[]"],
    ["null", "null"],
    ["a number", "5"],
    ["a quantity of 0", '[{"asset":"BTC","quantity":0}]'],
    ["a quantity too small to have a value", '[{"asset":"BTC","quantity":1e-300}]'],
    ["positions that all but cancel out", "[0.1,0.2,-0.3]".replace(/-?0\.\d/g, '{"asset":"BTC","quantity":$&}')],
    ["a quantity of 0 in text", '[{"asset":"BTC","quantity":"0.00"}]'],
    ["a quantity beyond all money", '[{"asset":"BTC","quantity":1e16}]'],
    ["an infinite quantity", '[{"asset":"BTC","quantity":1e999}]'],
    ["a quantity in words", '[{"asset":"BTC","quantity":"half"}]'],
    ["a quantity with an exponent in text", '[{"asset":"BTC","quantity":"1e5"}]'],
    ["no quantity", '[{"asset":"BTC"}]'],
    ["no asset", '[{"quantity":1}]'],
    ["an asset that is not a ticker", '[{"asset":"BTC; drop","quantity":1}]'],
    ["an asset of no letters", '[{"asset":"$","quantity":1}]'],
    ["a further field", '[{"asset":"BTC","quantity":1,"leverage":3}]'],
    ["positions that cancel out", '[{"asset":"BTC","quantity":1},{"asset":"XBT","quantity":-1}]'],
    ["51 items", JSON.stringify(Array.from({ length: 51 }, () => ({ asset: "BTC", quantity: 1 })))],
    ["a list in a list", '[[{"asset":"BTC","quantity":1}]]'],
  ])("%s is refused", (_, text) => {
    try {
      parsePositions(text);
    } catch (error) {
      if (!(error instanceof NodeError)) throw error;
      expect(error.code).toBe("invalid_parameter");
      expect(error.options.param).toBe("positions");
      expect(error.options.details?.allowed).toBeDefined();
      return;
    }
    throw new Error("was not refused");
  });
});
