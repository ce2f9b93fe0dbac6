import { rmSync } from "node:fs";
import { join } from "node:path";
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { writeSecretFile } from "../../files/secret-file.ts";
import { SELF } from "../../releases/own-program.ts";

const Step = Type.Object({
  step: Type.Integer(),
  title: Type.String(),
  lines: Type.Array(Type.String()),
  checks: Type.Array(Type.Object({ what: Type.String(), ok: Type.Boolean() })),
});
/** One step of a sale, as `intel-node demo` prints it. */
export type SaleStep = Static<typeof Step>;

export interface TestSale {
  /** Whether every check of every step passed. */
  readonly ok: boolean;
  readonly steps: readonly SaleStep[];
  /** The error output, if the sale did not finish. */
  readonly error: string | null;
}

/** Shorter than a browser's timeout. */
const TIME_MS_MAX = 110_000;
const ERROR_CHARS_MAX = 1_000;

function readStep(line: string): SaleStep | null {
  const told: unknown = line.startsWith("{") ? JSON.parse(line) : null;
  return Value.Check(Step, told) ? told : null;
}

/**
 * Runs a complete sale with a draft of the configuration, on sandbox money, in a separate process, so that nothing of
 * it gets into this node's folder or books.
 * @param self command line of this program.
 */
export async function runTestSale(draft: string, data_dir: string, self: readonly string[] = SELF): Promise<TestSale> {
  const file = join(data_dir, "setup-sale.toml");
  writeSecretFile(file, draft);
  try {
    const child = Bun.spawn([...self, "demo", "--json", "--no-history", "--config", file], {
      stdio: ["ignore", "pipe", "pipe"],
      timeout: TIME_MS_MAX,
    });
    const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    const steps = out.split("\n").flatMap((line) => readStep(line.trim()) ?? []);
    const error = code === 0 ? null : err.trim().slice(-ERROR_CHARS_MAX);
    return { ok: code === 0 && steps.length > 0, steps, error };
  } finally {
    rmSync(file, { force: true });
  }
}
