export const SEVERITIES = ["info", "warning", "critical"] as const;
export type Severity = (typeof SEVERITIES)[number];

/** Something that is wrong as long as it is told. */
export interface Condition {
  /** The same for as long as it is the same trouble, such as "facilitator:main". Its first word is the event. */
  readonly id: string;
  readonly severity: Severity;
  /** One line. Never a secret, a buyer or what a buyer asked for. */
  readonly title: string;
  /** What it means and what to do about it. */
  readonly text: string;
  /** How long it must last before anybody is told, ms. */
  readonly for_ms: number;
}

/** Something that happened, and is told once for ever. */
export interface Happening {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

/** What goes out. */
export interface AlertMessage {
  /** The same for every try: receivers know a repetition by it. */
  readonly id: string;
  readonly event: string;
  readonly kind: "opened" | "closed" | "told";
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
  readonly wants: (message: AlertMessage) => boolean;
  /** @throws Error when it was not taken; the text holds no secret. */
  send(message: AlertMessage, now_ms: number): Promise<void>;
}
