/**
 * The seed of tests that draw their inputs. The same for everybody, so that a green run stays green for whoever
 * repeats it; TEST_LONG=1 draws a new one each time, and TEST_SEED=n repeats what that found.
 */
export const TEST_SEED = Number(process.env.TEST_SEED ?? (process.env.TEST_LONG ? Date.now() % 2 ** 31 : 20261121));
