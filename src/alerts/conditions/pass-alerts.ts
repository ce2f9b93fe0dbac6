import type { AlertBook } from "../alert-book.ts";
import { eventOf } from "../plan-messages.ts";
import { findConditions, findHappenings } from "./alert-conditions.ts";
import type { AlertParts } from "./alert-parts.ts";
import { judgeOne, mergeSame } from "./judge-conditions.ts";
import { isUnseen } from "./unseen-alerts.ts";

/**
 * Looks for what is wrong now, reports it, and sends what is due. A failed read or write is itself reported and
 * delays nothing else.
 */
export async function passAlerts(parts: AlertParts, book: AlertBook): Promise<void> {
  const [{ conditions, unseen }, sales] = await Promise.all([
    findConditions(parts, book.list().some(({ id }) => id === "offline") && isUnseen({ id: "offline" }, parts)),
    judgeOne({ name: "sales", reads_ledger: true }, parts, () => findHappenings(parts, book)),
  ]);
  const all = "fault" in sales ? mergeSame([...conditions, sales.fault]) : conditions;
  book.update(all, (id, subjects) => unseen.has(eventOf(id)) || isUnseen({ id, subjects }, parts));
  for (const happening of "found" in sales ? sales.found : []) book.tell(happening);
  await book.deliver();
}
