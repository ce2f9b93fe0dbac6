import type { AlertCondition } from "../types.ts";
import type { AlertParts } from "./alert-parts.ts";

const MINUTE_MS = 60_000;
/** What is shut off for less may be back at the next call. */
const SOURCE_MS = 15_000;
const NAMED_MAX = 8;
/** From this share of all products on nobody waits for the morning. */
const CRITICAL_SHARE = 0.5;

const nameSome = (names: readonly string[]): string => {
  const more = names.length > NAMED_MAX ? ` and ${names.length - NAMED_MAX} more` : "";
  return `${names.slice(0, NAMED_MAX).join(", ")}${more}`;
};
const renderCount = (count: number, all: number): string =>
  `${count} of ${all} ${all === 1 ? "product" : "products"} ${count === 1 ? "has" : "have"} no source`;

/** Products that lack a source now, by the sources they lack: "a+b" where one of the two would do. */
function findSilent({ catalog, clock, upstream }: AlertParts["core"]): ReadonlyMap<string, readonly string[]> {
  const paths_of = new Map<string, string[]>();
  for (const { path, definition } of catalog.products) {
    for (const alternatives of definition.requires) {
      const ids = alternatives.map(({ id }) => id);
      const since_ms = ids.map((id) => upstream.shutSince(id) ?? clock.now());
      if (ids.length === 0 || clock.now() - Math.max(...since_ms) < SOURCE_MS) continue;
      const name = ids.join("+");
      paths_of.set(name, [...(paths_of.get(name) ?? []), path]);
    }
  }
  return paths_of;
}

/**
 * Sources that nothing can stand in for and that do not answer, before the products are off sale: one trouble, however
 * many they are.
 */
export function findSources({ core }: Pick<AlertParts, "core">): readonly AlertCondition[] {
  const silent = findSilent(core);
  const names = [...silent.keys()];
  const [first] = names;
  if (first === undefined) return [];
  const paths = [...new Set([...silent.values()].flat())];
  const all = core.catalog.products.length;
  const lack = renderCount(paths.length, all);
  const title =
    names.length > 1 ? lack : `${first.replaceAll("+", ", ")} ${first.includes("+") ? "do" : "does"} not answer`;
  const who = names.length > 1 ? `Silent: ${nameSome(names.map((name) => name.replaceAll("+", " and ")))}. ` : "";
  const text = `${who}${lack}: ${nameSome(paths)}. What cannot be made is not charged, and comes back by itself.`;
  const severity = paths.length > 1 && paths.length >= CRITICAL_SHARE * all ? "critical" : "warning";
  return [{ id: "source", severity, title, text, for_ms: 0, subjects: names }];
}

interface ProductParts {
  readonly core: Pick<AlertParts["core"], "catalog" | "clock" | "failing_since">;
  readonly states: AlertParts["states"];
}

/** Products off sale for want of a source, and those every run of which fails. */
export function findProducts({ core, states }: ProductParts): readonly AlertCondition[] {
  const { failing_since, clock, catalog } = core;
  const shut = states.read().unavailable;
  const [first] = shut;
  const all = catalog.products.length;
  const off_sale: readonly AlertCondition[] =
    first === undefined
      ? []
      : [
          {
            id: "provider",
            severity: "warning",
            title: shut.length === 1 ? `${first.path} has no source and is off sale` : renderCount(shut.length, all),
            text: `${nameSome(shut.map(({ path, why }) => `${path}: ${why}`))}. What is off sale comes back by itself.`,
            for_ms: 0,
            subjects: shut.map(({ path }) => path),
          },
        ];
  // What asks nobody but the address a buyer names fails when that address does: no fault of this node.
  const asks = (id: string): boolean =>
    catalog.products.some((product) => product.id === id && product.providers.length > 0);
  const failing = [...failing_since]
    .filter(([id, since_ms]) => asks(id) && clock.now() - since_ms >= 10 * MINUTE_MS)
    .map(([id]) => id);
  return failing.length === 0 ? off_sale : [...off_sale, describeFailing(failing)];
}

const describeFailing = (failing: readonly string[]): AlertCondition => ({
  id: "product",
  severity: "warning",
  title: failing.length === 1 ? `every run of ${failing[0]} fails` : `every run of ${failing.length} products fails`,
  text: `${nameSome(failing)}: for ten minutes and more. Nobody was charged. The log says why (product_failed).`,
  for_ms: 0,
  subjects: failing,
});
