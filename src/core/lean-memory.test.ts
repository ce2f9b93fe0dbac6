import { expect, test } from "bun:test";
import { keepLean } from "./lean-memory.ts";

const MIB = 2 ** 20;

test("memory is handed back from a size on, and again when it has grown past what that left", () => {
  let fire = (): void => undefined;
  let resident = 100;
  let is_busy = false;
  const released: number[] = [];
  const stop = keepLean({
    timers: {
      elapsed_ms: () => 0,
      after(_ms, look) {
        fire = look;
        return () => {
          fire = () => undefined;
        };
      },
    },
    isBusy: () => is_busy,
    from_mib: 200,
    step_mib: 20,
    most_mib: 380,
    every_ms: 1,
    readResident: () => resident * MIB,
    release: () => released.push(resident),
  });
  const see = (mib: number): void => {
    resident = mib;
    fire();
  };
  for (const mib of [150, 199, 210, 190, 205, 209, 211, 250, 240, 255, 261]) see(mib);
  // 210 is above 200 and leaves 190; 211 is 20 above that; 250 shows that nothing came of it, so 270 would be next.
  expect(released).toEqual([210, 211]);
  see(271);
  is_busy = true;
  for (const mib of [260, 300, 359]) see(mib);
  expect(released).toEqual([210, 211, 271]);
  see(360);
  expect(released).toEqual([210, 211, 271, 360]);
  // Left at 340: four steps past 360 would be 440, and from 380 on a release no longer waits for calls.
  for (const mib of [340, 379, 380]) see(mib);
  expect(released).toEqual([210, 211, 271, 360, 380]);
  // Left at 375, which is what there is: not at every look.
  for (const mib of [375, 394, 395]) see(mib);
  expect(released).toEqual([210, 211, 271, 360, 380, 395]);
  stop();
  see(900);
  expect(released).toEqual([210, 211, 271, 360, 380, 395]);
});
