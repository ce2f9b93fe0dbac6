import { isNodeError } from "../core/errors.ts";
import type { Completion, CompletionRequest, Model, ModelMessage } from "./model.ts";

/** What the guard found in a model's words. */
export interface GuardFinding {
  readonly block: string;
  readonly rule: string;
  readonly text: string;
}

/** One question to a model and its outcome: what a written answer rests on besides its facts. */
export interface ModelTurn {
  readonly messages: readonly ModelMessage[];
  readonly max_tokens: number;
  readonly temperature: number | null;
  /** Its raw words; null where it gave none. */
  readonly text: string | null;
  /** Id of the configured model, and what its host calls it; null where none answered. */
  readonly provider_id: string | null;
  readonly model: string | null;
  readonly finish_reason: string | null;
  /** Code of the error where none answered. */
  readonly error: string | null;
  /** What of its text was refused, and why; null when no guard read it. */
  readonly findings: readonly GuardFinding[] | null;
}

/** As kept of one run. */
export interface WrittenBy {
  readonly turns: readonly ModelTurn[];
  /** Further ones were not kept: more than there is room for. */
  readonly left_out: number;
}

type Turn = { -readonly [K in keyof ModelTurn]: ModelTurn[K] };

/** Characters kept of one run: a debate of several models has a tenth of it. */
const CHARS_MAX = 400_000;
const FINDINGS_MAX = 100;

/** A model whose questions and answers are written down. */
export function noteTurns(model: Model): { readonly model: Model; readonly read: () => WrittenBy | null } {
  const turns: Turn[] = [];
  let chars = 0;
  let left_out = 0;

  const begin = ({ messages, max_tokens, temperature }: CompletionRequest): Turn => {
    const turn: Turn = {
      // A second attempt adds to the list of the first.
      messages: messages.map(({ role, content }) => ({ role, content })),
      max_tokens,
      temperature: temperature ?? null,
      text: null,
      provider_id: null,
      model: null,
      finish_reason: null,
      error: null,
      findings: null,
    };
    chars += messages.reduce((sum, { content }) => sum + content.length, 0);
    if (chars > CHARS_MAX) left_out += 1;
    else turns.push(turn);
    return turn;
  };
  const end = (turn: Turn, { text, provider_id, model: name, finish_reason }: Completion): void => {
    Object.assign(turn, { text, provider_id, model: name, finish_reason });
    chars += text.length;
  };

  return {
    read: () => (turns.length + left_out === 0 ? null : { turns, left_out }),
    model: {
      async complete(request) {
        const turn = begin(request);
        const made = await model.complete(request).catch((error: unknown) => {
          turn.error = isNodeError(error) ? error.code : "failed";
          throw error;
        });
        end(turn, made);
        return withNote(made, (findings) => {
          turn.findings = findings.slice(0, FINDINGS_MAX).map(({ block, rule, text }) => ({ block, rule, text }));
        });
      },
    },
  };
}

/** Not enumerable: a product that keeps a completion among its inputs does not keep this function. */
const withNote = (made: Completion, noteFindings: NonNullable<Completion["noteFindings"]>): Completion =>
  Object.defineProperty({ ...made }, "noteFindings", { value: noteFindings, enumerable: false });
