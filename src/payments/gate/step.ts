import type { GateParts } from "./parts.ts";
import type { PaidAnswer } from "./types.ts";

/** What docs/architecture.md says of a step. */
interface StepText {
  /** Its file has the same name. */
  readonly id: string;
  readonly does: string;
  /** What a buyer gets when his call ends here. */
  readonly ends: string;
}

/** An answer that was paid for before. It ends the call: the steps behind it are not taken. */
export interface KnownAnswer {
  readonly answer: PaidAnswer;
}

/** What a step tells those behind it, if anything. */
type Facts = object | undefined;

/**
 * A step that looks at a call and tells what it learned. One that returns no promise is not waited for: two such steps
 * in a row are one moment, in which no other call is served.
 */
export interface PlainStep<Context, Learned extends Facts = undefined> extends StepText {
  /** The steps that are taken while this one holds a place for them. */
  readonly inside?: readonly AnyStep[];
  /**
   * @returns what the steps behind it know besides, or the answer the call ends with.
   * @throws NodeError, which ends the call
   */
  readonly run: (gate: GateParts, context: Context) => Learned | KnownAnswer | Promise<Learned | KnownAnswer>;
}

/** A step around all those behind it: it may answer in their place, and sees what comes of them. */
export interface AroundStep<Context, Next, Answer extends PaidAnswer = PaidAnswer> extends StepText {
  /** @param next takes the steps behind it: once for a call, or not at all. */
  readonly around: (gate: GateParts, context: Context, next: (context: Next) => Promise<PaidAnswer>) => Promise<Answer>;
}

type AnyPlainStep = PlainStep<never, Facts>;
type AnyAroundStep = AroundStep<never, unknown>;
export type AnyStep = AnyPlainStep | AnyAroundStep;

/** What a step needs to know of a call. */
type NeedOf<Step> =
  Step extends AroundStep<infer Context, infer _Next, infer _Answer>
    ? Context
    : Step extends PlainStep<infer Context, infer _Learned>
      ? Context
      : never;

/** What is known of a call behind a step. */
type KnownBehind<Context, Step> =
  Step extends AroundStep<infer _Need, infer Next, infer _Answer>
    ? Next
    : Step extends PlainStep<infer _Need, infer Learned>
      ? Learned extends object
        ? Context & Learned
        : Context
      : never;

/** The same list, unless a step needs what no step before it tells. */
type InOrder<Context, Steps extends readonly AnyStep[]> = Steps extends readonly [
  infer First extends AnyStep,
  ...infer Rest extends readonly AnyStep[],
]
  ? Context extends NeedOf<First>
    ? readonly [First, ...InOrder<KnownBehind<Context, First>, Rest>]
    : readonly [never]
  : readonly [];

/** A list of steps that does not compile unless each finds what it needs; `Context` is what the first one is given. */
export const inOrder =
  <Context>() =>
  <const Steps extends readonly AnyStep[]>(...steps: Steps & InOrder<Context, Steps>): Steps =>
    steps;

/** A list with the steps inside of others, in the order in which they are taken. */
export const flattenSteps = (steps: readonly AnyStep[]): readonly AnyStep[] =>
  steps.flatMap((step) => ("inside" in step && step.inside ? [step, ...flattenSteps(step.inside)] : [step]));

type Behind<Answer> = (context: object) => Promise<Answer>;

/** Some plain steps, what becomes of a call behind them, and of one that ended at one of them. */
interface PlainSteps<End> {
  readonly steps: readonly AnyPlainStep[];
  readonly behind: (context: object) => End | Promise<End>;
  readonly end: (known: KnownAnswer) => End;
}

const isKnown = (learned: object): learned is KnownAnswer => "answer" in learned;

async function takePlainSteps<End>(
  gate: GateParts,
  given: object,
  { steps, behind, end }: PlainSteps<End>,
): Promise<End> {
  let context = given;
  for (const step of steps) {
    // The list was checked by its type when it was made.
    const made = step.run(gate, context as never);
    const learned = made instanceof Promise ? await made : made;
    if (learned === undefined) continue;
    if (isKnown(learned)) return end(learned);
    context = { ...context, ...learned };
  }
  return behind(context);
}

/**
 * Takes the steps inside of another one.
 * @returns all that is known behind the last of them, or the answer the call ends with.
 */
export const takeInside = <Known extends object>(
  gate: GateParts,
  steps: readonly AnyPlainStep[],
  context: object,
): Promise<Known | KnownAnswer> =>
  takePlainSteps<Known | KnownAnswer>(gate, context, {
    steps,
    behind: (known) => known as Known,
    end: (known) => known,
  });

/**
 * Makes one function of a list of steps.
 * @throws Error in place of an answer when no step gave one: such a list is a mistake
 */
export function composeSteps<Context extends object, Answer extends PaidAnswer>(
  gate: GateParts,
  steps: readonly AnyStep[],
): (context: Context) => Promise<Answer> {
  let behind: Behind<PaidAnswer> = () => Promise.reject(new Error("no step of the gate answered"));
  let plain: AnyPlainStep[] = [];
  const joinPlain = () => {
    if (plain.length === 0) return;
    const [steps_here, next] = [plain, behind];
    const joined = { steps: steps_here, behind: next, end: ({ answer }: KnownAnswer) => answer };
    behind = (context) => takePlainSteps(gate, context, joined);
    plain = [];
  };
  for (const step of steps.toReversed()) {
    if ("run" in step) {
      plain.unshift(step);
      continue;
    }
    joinPlain();
    const next = behind;
    behind = (context) => step.around(gate, context as never, next as (context: unknown) => Promise<PaidAnswer>);
  }
  joinPlain();
  const first = behind;
  return (context) => first(context) as Promise<Answer>;
}
