import type { GuardRule } from "./types.ts";

/** Ends a fetch; its message is for people and names no resolved address. */
export class GuardError extends Error {
  override readonly name = "GuardError";
  readonly rule: GuardRule;

  constructor(rule: GuardRule, message: string, options?: ErrorOptions) {
    super(message, options);
    this.rule = rule;
  }
}
