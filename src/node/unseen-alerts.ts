import { getOwn } from "../core/own.ts";
import { type AlertParts, isBackupLate } from "./alert-conditions.ts";
import type { Outside } from "./look-outside.ts";
import { isModelUnseen } from "./model-conditions.ts";

const OUTSIDE: Readonly<Record<string, keyof Outside>> = {
  certificate: "certificate_ends_ms",
  clock: "clock_off",
  version: "newest_version",
};

/**
 * Whether an open alert cannot be judged now: a start forgets which product failed and what was seen outside, and it
 * would close what has not mended and open it again.
 */
export function isUnseen(id: string, { core, money, outside, ...parts }: AlertParts): boolean {
  const [event, subject] = id.split(/:(.*)/s);
  const looked = getOwn(OUTSIDE, id);
  if (looked !== undefined) return !outside.hasSeen(looked);
  switch (event) {
    // One that fails again is told of after ten minutes: until then it has not mended either.
    case "product":
    case "provider":
      return core.catalog.products.some(
        (one) => subject === (event === "product" ? one.id : one.path) && core.last_run.get(one.id) !== true,
      );
    // A start has no calls behind it: until one was answered, nothing is known.
    case "source":
      return !core.upstream
        .status()
        .some(({ provider, last_ok_at }) => last_ok_at !== undefined && subject?.split("+").includes(provider));
    case "dataset":
      return (
        !core.refused_datasets.has(subject ?? "") &&
        core.catalog.plugins.some(({ datasets = [] }) => datasets.some(({ name }) => name === subject))
      );
    // What does not answer warns of nothing.
    case "gas":
      return money.pool.status().some((one) => !one.ok && subject?.startsWith(`${one.id}:`));
    // The time a node has after its start to make one is no backup.
    case "backup":
      return isBackupLate({ ...parts, core }, 0);
    default:
      return isModelUnseen(id, core.models);
  }
}
