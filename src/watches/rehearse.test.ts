import { expect, test } from "bun:test";
import { readCondition } from "./condition.ts";
import { rehearse } from "./rehearse.ts";

const samples = [10, 30, 31, null, 5, 40].map((value, index) => ({ at_ms: index, data: { value } }));
const OVER = readCondition({ field: "value", op: ">", value: 20 });

test("a state is told when it begins to hold, and at each sample where it is to be repeated", () => {
  expect(rehearse({ condition: OVER, repeat: false }, samples)).toEqual({
    samples: 6,
    from_ms: 0,
    to_ms: 5,
    told_ms: [1, 5],
    unknown: 1,
  });
  expect(rehearse({ condition: OVER, repeat: true }, samples).told_ms).toEqual([1, 2, 5]);
});

test("a change is told each time; without a condition each sample is", () => {
  const crossed = readCondition({ field: "value", op: "crossed", value: 20, direction: "down" });
  expect(rehearse({ condition: crossed, repeat: false }, samples).told_ms).toEqual([4]);
  expect(rehearse({ condition: null, repeat: false }, samples).told_ms).toHaveLength(6);
});

test("of no samples nothing is said", () => {
  const nothing = { samples: 0, from_ms: 0, to_ms: 0, told_ms: [], unknown: 0 };
  expect(rehearse({ condition: OVER, repeat: false }, [])).toEqual(nothing);
});
