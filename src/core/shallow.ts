/** Whether nothing is nested deeper; deeper values could exhaust the stack or the time of code that walks them. */
export function isShallow(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return depth > 0 && Object.values(value).every((member) => isShallow(member, depth - 1));
}
