import type { AlertCondition } from "../types.ts";
import type { AlertParts } from "./alert-parts.ts";

/** A source that answered within this time was reached. */
const REACHED_MS = 20_000;
/** Of the sources that were called so many do not answer when nobody is reached. */
const SILENT_SHARE = 0.5;
/** What cannot be well while nobody is reached. */
const NEEDS_NETWORK: ReadonlySet<string> = new Set(
  "facilitator network source provider product models dataset".split(" "),
);
/** How soon after its return it is believed to be back. */
const OVER_MS = 60_000;

const eventOf = (id: string): string => id.split(":")[0] ?? id;

/**
 * Whether this machine reaches nobody: no facilitator answers, no source has answered of late, and most of those
 * that were called do not.
 */
function reachesNobody({ core: { upstream, clock }, money: { pool } }: CauseParts): boolean {
  const facilitators = pool.status();
  if (facilitators.length === 0 || facilitators.some(({ ok }) => ok)) return false;
  const called = upstream.status().filter(({ calls }) => calls > 0);
  const since_ms = clock.now() - REACHED_MS;
  const reached = called.some(({ last_ok_at }) => last_ok_at !== undefined && Date.parse(last_ok_at) > since_ms);
  const silent = called.filter(({ ok }) => !ok).length;
  return silent > 0 && !reached && silent >= SILENT_SHARE * called.length;
}

interface CauseParts {
  readonly core: Pick<AlertParts["core"], "upstream" | "clock" | "catalog">;
  readonly money: Pick<AlertParts["money"], "pool">;
}

/**
 * Each condition with what explains it, and the cause that only all of them together show.
 * @param was_offline that was so before a restart, and nobody has been reached since.
 */
export function nameCauses(
  conditions: readonly AlertCondition[],
  parts: CauseParts,
  was_offline: boolean,
): readonly AlertCondition[] {
  const is_found = reachesNobody(parts);
  const is_offline = is_found || was_offline;
  const ids = new Set(conditions.map(({ id }) => id));
  const explained = conditions.map((condition): AlertCondition => {
    const because = is_offline && NEEDS_NETWORK.has(eventOf(condition.id)) ? "offline" : causeOf(condition, ids, parts);
    return because === null ? condition : { ...condition, because };
  });
  return is_found ? [describeOffline(parts), ...explained] : explained;
}

function causeOf({ id, subjects = [] }: AlertCondition, ids: ReadonlySet<string>, parts: CauseParts): string | null {
  const event = eventOf(id);
  if (event === "network") {
    // One that has never answered may settle any.
    const down = parts.money.pool.status().filter(({ ok }) => !ok);
    const silent = down.find(({ networks }) => networks.length === 0 || networks.includes(id.slice("network:".length)));
    const cause = silent && `facilitator:${silent.id}`;
    return cause !== undefined && ids.has(cause) ? cause : null;
  }
  if (event !== "provider" && event !== "product") return null;
  const { products } = parts.core.catalog;
  const known = (name: string) => products.find((one) => (event === "provider" ? one.path : one.id) === name);
  const lacksSource = (name: string): boolean =>
    known(name)?.definition.requires.some(
      (alternatives) => alternatives.length > 0 && alternatives.every(({ id: one }) => isShut(one, parts)),
    ) === true;
  return ids.has("source") && subjects.every(lacksSource) ? "source" : null;
}

const isShut = (provider: string, { core: { upstream } }: CauseParts): boolean => upstream.shutSince(provider) !== null;

function describeOffline({ core: { upstream }, money: { pool } }: CauseParts): AlertCondition {
  const called = upstream.status().filter(({ calls }) => calls > 0);
  const silent = called.filter(({ ok }) => !ok).length;
  const facilitators = pool.status().length;
  const text =
    `No facilitator (of ${facilitators}) and ${silent} of ${called.length} sources do not answer. ` +
    "Nothing can be paid. " +
    "See this machine's network, its name server and its firewall. What follows from it is not told one by one.";
  return {
    id: "offline",
    severity: "critical",
    title: "this machine reaches nobody",
    text,
    for_ms: 0,
    over_ms: OVER_MS,
  };
}
