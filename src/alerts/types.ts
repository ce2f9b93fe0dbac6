import type { Severity } from "../config/alert-events.ts";

/** Something that is wrong for as long as it is reported. */
export interface AlertCondition {
  /** The same for as long as it is the same trouble, such as "facilitator:main". Its first word is the event. */
  readonly id: string;
  readonly severity: Severity;
  /** One line. Never a secret, a buyer or what a buyer asked for. */
  readonly title: string;
  /** What it means and what to do about it. */
  readonly text: string;
  /** How long it must last before it is reported, ms. */
  readonly for_ms: number;
  /** How long it must be gone before its end is reported, ms; ten minutes unless given. */
  readonly over_ms?: number;
  /** What it has taken hold of, such as the providers that do not answer: more of them are reported. */
  readonly subjects?: readonly string[];
  /** A fact that stays for days: nobody is reminded of it. */
  readonly once?: true;
  /** Id of the trouble that explains this one: then only that one is reported. */
  readonly because?: string;
}

/** Something that happened, and is reported once for ever. */
export interface Happening {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

/** What goes out. */
export interface AlertMessage {
  /** The same for every try: receivers know a repetition by it. */
  readonly id: string;
  /** "summary" for a message that holds several. */
  readonly event: string;
  /** Ids of all it tells of, such as "facilitator:main". */
  readonly alerts: readonly string[];
  /** "reminded": it is still so. */
  readonly kind: "opened" | "reminded" | "closed" | "told";
  readonly severity: Severity;
  readonly title: string;
  readonly text: string;
  /** ISO 8601. */
  readonly at: string;
}

/** One way to reach the operator. */
export interface AlertChannel {
  /** "ntfy 1": how it is named to the operator; holds no address. */
  readonly name: string;
  /** The same as long as it leads to the same place, wherever it is in the configuration; the name unless given. */
  readonly key?: string;
  readonly wants: (message: Pick<AlertMessage, "event" | "severity">) => boolean;
  /** How often it is reminded of what is critical, ms; four hours unless given. */
  readonly remind_ms?: number;
  /** Whether what can wait waits now. */
  readonly isQuiet?: (now_ms: number) => boolean;
  /** @throws Error when it was not taken; the text holds no secret. */
  send(message: AlertMessage, now_ms: number): Promise<void>;
}
