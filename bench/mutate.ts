import { plugin } from "bun";

/** Loaded before a test by bench/mutations.ts: one file is read with the change that `MUTATE` names. */
const given = process.env.MUTATE;
if (given !== undefined) {
  const { file, from, old, mutated } = JSON.parse(given) as Record<"file" | "old" | "mutated", string> & {
    from: number;
  };
  plugin({
    name: "mutate",
    setup(build) {
      build.onLoad({ filter: /compute\.ts$/ }, async ({ path }) => {
        const text = await Bun.file(path).text();
        if (path !== file) return { contents: text, loader: "ts" };
        if (text.slice(from, from + old.length) !== old) throw new Error(`${path} is another file now`);
        return { contents: text.slice(0, from) + mutated + text.slice(from + old.length), loader: "ts" };
      });
    },
  });
}
