/**
 * How many times as often code must have run as usual before it is compiled. Nearly all code of a start runs a few
 * times only; compiling it costs processor time at the start, and memory that stays in use. Measured with 5, 20 and
 * 100 (docs/performance/start.md).
 */
const PATIENCE = 20;

/** Says that what runs now, in this thread, is a start: until `endStart` the runtime is slow to compile. */
export const beginStart = (): void => Bun.unsafe.setJITPolicy(PATIENCE);

/** From now on what runs often is compiled as soon as usual. Nothing changes where no start was begun. */
export const endStart = (): void => Bun.unsafe.setJITPolicy(1);
