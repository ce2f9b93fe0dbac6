import { renderTime } from "../../core/clock.ts";
import type { SourceChange } from "../../upstream/shape-watch.ts";
import type { AlertCondition } from "../types.ts";

/** So many members are named in an alert. */
const NAMED_MAX = 8;
const nameSome = (what: string, paths: readonly string[]): readonly string[] => {
  const more = paths.length > NAMED_MAX ? ` and ${paths.length - NAMED_MAX} more` : "";
  return paths.length > 0 ? [`${what} ${paths.slice(0, NAMED_MAX).join(", ")}${more}`] : [];
};

/** Answers that are still read, and are no longer what they always were. */
export const findSourceChanges = (changes: readonly SourceChange[]): readonly AlertCondition[] =>
  changes.map(({ key, provider, endpoint, since_ms, gone, came, other }) => ({
    id: `source-changed:${key}`,
    severity: "warning",
    title: `${provider} answers ${endpoint ?? "a question"} in another shape`,
    text:
      `Since ${renderTime(since_ms)}: ` +
      [...nameSome("gone:", gone), ...nameSome("other kind:", other), ...nameSome("came:", came)].join("; ") +
      ". It is still read; see whether its figures are right. After a week this is taken as usual.",
    for_ms: 0,
  }));
