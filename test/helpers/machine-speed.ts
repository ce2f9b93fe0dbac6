/**
 * How fast this machine is now, by a fixed piece of work: what tests may take before they are called hanging is
 * scaled by it. It proves nothing, so it need not be exact.
 */

/** What the work takes on two quiet cores of the machines this project is built on, ms. */
const REFERENCE_MS = 145;
const ROUNDS = 14;
const WORK = "the same work on every machine ".repeat(20_000);

function work(): void {
  const words = WORK.split(" ");
  new Bun.CryptoHasher("sha256").update(JSON.stringify(words.sort())).digest();
}

/**
 * The speed as a share of the reference: 1 on such a machine, 0.4 on one that takes two and a half times as long.
 * @param read_ms the clock it is measured by: the wall clock unless given, which counts the load of the machine, too.
 */
export function measureSpeed(read_ms: () => number = () => performance.now()): number {
  // The first round compiles.
  work();
  const began_ms = read_ms();
  for (let round = 0; round < ROUNDS; round += 1) work();
  return REFERENCE_MS / (read_ms() - began_ms);
}
