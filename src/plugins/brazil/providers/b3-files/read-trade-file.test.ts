import { expect, test } from "bun:test";
import { isUnusable } from "../../../../catalog/unusable.ts";
import { createWorld } from "../../../../sandbox/world.ts";
import { VECTOR_DATE } from "../../curve/vector.ts";
import { readTradeFile } from "./read-trade-file.ts";
import { renderTradeFile } from "./simulator.ts";

const world = createWorld("test", () => Date.UTC(2026, 0, 13));
const DAY = { date: VECTOR_DATE };
const whole = renderTradeFile(world, VECTOR_DATE);

test("a final file is read; a preliminary one is refused, whatever its rows say", () => {
  expect(isUnusable(readTradeFile(whole, DAY))).toBe(false);
  expect(readTradeFile(renderTradeFile(world, VECTOR_DATE, "Preliminar"), DAY)).toMatchObject({
    why: expect.stringContaining("not final"),
  });
  for (const state of ["Preliminar Final?", "Parcial", ""])
    expect(readTradeFile(whole.replace(/^(Status do Arquivo:).*/, `$1 ${state}`), DAY)).toMatchObject({
      why: expect.stringContaining("not final"),
    });
  expect(readTradeFile(whole.slice(whole.indexOf("\n") + 1), DAY)).toMatchObject({
    why: expect.stringContaining("state of the file"),
  });
});

test("a file of another day, cut off, or with a column gone is refused", () => {
  expect(readTradeFile(whole, { date: "2026-01-02" })).toMatchObject({
    why: expect.stringContaining("it holds a row of"),
  });
  expect(readTradeFile(whole.replace("AdjstdQtTax", "Other"), DAY)).toMatchObject({
    why: expect.stringContaining("columns are missing: AdjstdQtTax"),
  });
  expect(isUnusable(readTradeFile(whole.slice(0, whole.length / 2), DAY))).toBe(true);
});
