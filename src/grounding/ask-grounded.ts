import type { SentenceBlock } from "./facts.ts";
import type { Guard } from "./guard.ts";
import { type PromptMessage, readJSON, writeCorrection } from "./prompt.ts";
import type { Violation } from "./violations.ts";
import { judgeOrigin } from "./write-blocks.ts";

/** What a model is asked for besides prose: its judgement, in separate fields, with sentences that support it. */
export interface GroundedQuestion<T> {
  readonly messages: readonly PromptMessage[];
  readonly max_tokens: number;
  readonly temperature: number;
  readonly class: "fast" | "judge";
  /** Id of the model that is asked first. */
  readonly prefer?: string | undefined;
  readonly json: { readonly name: string; readonly schema: object };
  /** The judgement an answer states, with each of its sentences as a block; null when the answer has another form. */
  readonly read: (answer: Readonly<Record<string, unknown>>) => GroundedAnswer<T> | null;
  readonly guard: Guard;
}

export interface GroundedAnswer<T> {
  readonly value: T;
  readonly blocks: readonly SentenceBlock[];
}

export interface Grounded<T> {
  readonly value: T;
  readonly provider_id: string;
  readonly model: string;
  readonly attempts: number;
}

/** The part of a model that `askGrounded` needs. */
export interface GroundedModel {
  complete(
    request: Pick<GroundedQuestion<unknown>, "messages" | "max_tokens" | "temperature" | "class" | "json"> & {
      readonly prefer?: string;
    },
  ): Promise<{
    readonly text: string;
    readonly provider_id: string;
    readonly model: string;
    readonly attempts: number;
    readonly noteFindings?: ((findings: readonly (Violation & { readonly block: string })[]) => void) | undefined;
  }>;
}

/** The result of the last attempt: what is wrong with each sentence of the answer. */
const judge = ({ guard }: { readonly guard: Guard }, blocks: readonly SentenceBlock[]) =>
  blocks.flatMap((block) =>
    [...judgeOrigin(block), ...guard.check(block, { by_model: true })].map(
      (fault): Violation & { readonly block: string } => ({
        ...fault,
        block: block.id,
      }),
    ),
  );

/**
 * Asks a model for a judgement of which the guard accepts every sentence. A second attempt is told what was wrong with
 * the first. If the guard refuses that too, the answer is null: nothing of a refused answer is used.
 * @throws NodeError as the model does.
 */
export async function askGrounded<T>(model: GroundedModel, question: GroundedQuestion<T>): Promise<Grounded<T> | null> {
  const { max_tokens, temperature, json, prefer } = question;
  const messages = [...question.messages];
  let attempts = 0;
  for (let round = 0; round < 2; round += 1) {
    const request = { messages, max_tokens, temperature, class: question.class, json };
    const made = await model.complete(prefer === undefined ? request : { ...request, prefer });
    attempts += made.attempts;
    const said = readJSON(made.text);
    const answer = said && question.read(said);
    const faults = answer ? judge(question, answer.blocks) : [{ rule: "form", text: "", block: "answer" } as const];
    made.noteFindings?.(faults);
    const { provider_id, model: name } = made;
    if (answer && faults.length === 0) return { value: answer.value, provider_id, model: name, attempts };
    messages.push(...writeCorrection(made.text, faults));
  }
  return null;
}
