/** How much CPU time the guard takes for 90 kB of text, ordinary and hostile: `bun bench/grounding.ts`. */
import { createPack } from "../src/grounding/facts.ts";
import { createGuard } from "../src/grounding/guard.ts";
import { cleanUntrusted, isSuspicious } from "../src/grounding/untrusted.ts";

const BYTES = 90_000;
/** A node judges texts all day long: what its first few cost in compiling is not what they cost. */
const WARM_UP = 15;
const RUNS = 25;
const builder = createPack({ windows: ["24h"], subjects: { BTC: ["Bitcoin"] }, identifiers: ["S&P 500"] });
for (let n = 1; n <= 120; n += 1) {
  const about = n % 2 === 0 ? "BTC" : null;
  builder.add({
    name: `f${n}`,
    label: `fact ${n}`,
    unit: "pct",
    value: n * 1.37,
    from: "x",
    as_of: "2026-11-20",
    about,
  });
}
const pack = builder.build();
const guard = createGuard(pack, "en");
const facts = pack.facts.map(({ id }) => id);

const TEXTS: Readonly<Record<string, string>> = {
  prose: "Bitcoin rose 1.37% in 24h, while the S&P 500 fell 2.74% on 2026-11-20, per the desk. ",
  figures: "1.37% ",
  "digits and marks": "1,1.1,",
  quotes: '"a b c d e ',
  letters: "a",
  capitals: "Aa ",
  signs: "-$-$",
  brackets: "<[(",
  comparisons: "higher than ",
};
for (const [name, text] of Object.entries(TEXTS)) {
  const long = text.repeat(Math.ceil(BYTES / text.length)).slice(0, BYTES);
  const times: number[] = [];
  for (let run = -WARM_UP; run < RUNS; run += 1) {
    const start = process.cpuUsage();
    guard.check({ id: "b", text: long, facts, sources: [] });
    if (run >= 0) times.push(process.cpuUsage(start).user / 1_000);
  }
  const start = process.cpuUsage();
  cleanUntrusted(long, { chars_max: 500 });
  isSuspicious(long);
  const cleaned = process.cpuUsage(start).user / 1_000;
  const [median = 0] = times.toSorted((a, b) => a - b).slice(RUNS >> 1);
  console.info(`${name}: guard ${median.toFixed(1)} ms, cleaning ${cleaned.toFixed(1)} ms`);
}
