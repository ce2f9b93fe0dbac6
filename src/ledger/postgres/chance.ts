/** A number from 0 up to 1, to keep nodes from trying again in step. */
export const chance = (): number => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32;
