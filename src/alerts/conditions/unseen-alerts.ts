import { getOwn } from "../../core/own.ts";
import { isBackupLate } from "./alert-conditions.ts";
import type { AlertParts } from "./alert-parts.ts";
import type { Outside } from "./look-outside.ts";
import { isModelUnseen } from "./model-conditions.ts";

const OUTSIDE: Readonly<Record<string, keyof Outside>> = {
  certificate: "certificate_ends_ms",
  clock: "clock_off",
  version: "newest_version",
};

/** An open alert: its id, and what it has taken hold of. */
interface OpenTrouble {
  readonly id: string;
  readonly subjects?: readonly string[] | undefined;
}

/**
 * Whether an open alert cannot be judged now: a start forgets which product failed and what was seen outside, and it
 * would close what has not mended and open it again.
 */
export function isUnseen(trouble: OpenTrouble, parts: AlertParts): boolean {
  try {
    return isUnknown(trouble, parts);
  } catch {
    // A condition that cannot be looked at has not ended; the look that failed is itself reported.
    return true;
  }
}

function isUnknown({ id, subjects = [] }: OpenTrouble, { core, money, outside, ...parts }: AlertParts): boolean {
  const [event, subject] = id.split(/:(.*)/s);
  const looked = getOwn(OUTSIDE, id);
  if (id === "clock" && core.clock_watch?.judge() === null) return false;
  if (looked !== undefined) return !outside.hasSeen(looked);
  switch (event) {
    // One that fails again is told of after ten minutes: until then it has not mended either.
    case "product":
    case "provider":
      return core.catalog.products.some(
        (one) => subjects.includes(event === "product" ? one.id : one.path) && core.last_run.get(one.id) !== true,
      );
    // A start has no calls behind it: until one was answered, nothing is known.
    case "source":
      return subjects.some((name) => !wasReached(name.split("+"), core));
    // Until somebody was reached, nobody is.
    case "offline":
      return !money.pool.status().some(({ ok }) => ok) && !core.upstream.status().some((one) => one.last_ok_at);
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
      if (subject === "copy") return core.ledger.copied !== null && core.ledger.copied.snapshot_ms === null;
      return isBackupLate({ ...parts, core }, 0);
    default:
      return isModelUnseen(id, core.models);
  }
}

/** Whether one of some sources has answered since the start, or is no longer asked. */
const wasReached = (ids: readonly string[], { upstream, catalog }: AlertParts["core"]): boolean =>
  !ids.some((id) => catalog.providers.some((provider) => provider.id === id)) ||
  upstream.status().some(({ provider, last_ok_at }) => last_ok_at !== undefined && ids.includes(provider));
