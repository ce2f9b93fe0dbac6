import { createDayCiter } from "./cite-days.ts";
import { hashPack, listCitations, type NumberLocale, type SentenceBlock } from "./facts.ts";
import { createGuard, type Guard } from "./guard.ts";
import {
  ANSWER_SCHEMA,
  type Assignment,
  createToken,
  type PromptMessage,
  promptVersion,
  readBlocks,
  writeCorrection,
  writeMessages,
} from "./prompt.ts";
import type { WrittenAnswer, WrittenBlock } from "./schema.ts";
import { createSentences, type SentenceWriter } from "./sentences.ts";
import { isSuspicious } from "./untrusted.ts";
import type { Violation } from "./violations.ts";

/** A part of a text: its subject, its longest length, and the sentences used when no model writes it. */
export interface BlockPlan {
  readonly id: string;
  readonly about: string;
  readonly words_max: number;
  readonly template: (write: SentenceWriter) => void;
}

/** The job to write one text. */
export interface WritingPlan extends Omit<Assignment, "blocks" | "drafts"> {
  readonly blocks: readonly BlockPlan[];
  /** Keeps the templates' sentences from the model, so that it finds words of its own. */
  readonly is_free?: boolean;
}

/** The part of a model that this file needs. */
export interface WritingModel {
  complete(request: {
    readonly messages: readonly PromptMessage[];
    readonly max_tokens: number;
    readonly temperature?: number;
    readonly class?: "writer";
    readonly json?: { readonly name: string; readonly schema: object };
  }): Promise<{
    readonly text: string;
    readonly provider_id: string;
    readonly model: string;
    readonly attempts: number;
    readonly noteFindings?: ((findings: readonly (Violation & { readonly block: string })[]) => void) | undefined;
  }>;
}

/** A written text, with its warnings and how it was made. */
export interface Writing {
  readonly written: WrittenAnswer;
  readonly warnings: readonly string[];
}

const DISCLAIMERS: Readonly<Record<NumberLocale, string>> = {
  en: "Information computed from the sources named; no investment advice.",
  "pt-BR": "Informação calculada a partir das fontes citadas; não é recomendação de investimento.",
};
/** Estimated tokens for a word, including the JSON around it. */
const TOKENS_PER_WORD = 3;
const TOKENS_MAX = 4_000;

interface Draft {
  readonly block: SentenceBlock;
  readonly faults: readonly Violation[];
}

/** The blocks that templates write. A block that is empty, or goes beyond its facts, is missing, with the reason. */
function writeTemplates({ pack, locale, blocks }: WritingPlan, guard: Guard) {
  const written = new Map<string, SentenceBlock>();
  const warnings: string[] = [];
  for (const { id, template } of blocks) {
    const write = createSentences(pack, locale);
    template(write);
    const block = write.block(id);
    const [fault] = block ? guard.check(block) : [];
    if (block && !fault) written.set(id, block);
    else
      warnings.push(
        `blocks.${id}: ${fault ? `prose_rejected, ${fault.rule} "${fault.text}"` : "its facts are missing"}`,
      );
  }
  return { written, warnings };
}

/** Further violations that only a model's block can have, because a model may repeat orders of a foreign text. */
export function* judgeOrigin({ text, facts }: SentenceBlock): Generator<Violation> {
  if (facts.length === 0) yield { rule: "ungrounded", text: "" };
  if (isSuspicious(text)) yield { rule: "instruction", text: text.slice(0, 60) };
}

const judgeAll = (plan: WritingPlan, guard: Guard, answer: string): ReadonlyMap<string, Draft> => {
  const read = readBlocks(answer);
  return new Map(
    plan.blocks.flatMap(({ id, words_max }) => {
      const block = read.get(id);
      return block
        ? [
            [
              id,
              { block, faults: [...judgeOrigin(block), ...guard.check(block, { words_max, by_model: true })] },
            ] as const,
          ]
        : [];
    }),
  );
};

const NOBODY: WrittenAnswer["writer"] = {
  provider_id: null,
  model: null,
  attempts: 0,
  regenerated: false,
  violations_first_attempt: 0,
  prompt_version: null,
};

interface ModelDrafts {
  readonly good: ReadonlyMap<string, SentenceBlock>;
  readonly writer: WrittenAnswer["writer"];
  readonly refused: readonly string[];
}

/** Lets a model write, in at most two attempts; the second is told what the guard found in the first. */
async function writeByModel(
  plan: WritingPlan,
  { guard, drafts }: { readonly guard: Guard; readonly drafts: readonly SentenceBlock[] },
  model: WritingModel,
): Promise<ModelDrafts> {
  const messages = [...writeMessages({ ...plan, drafts }, createToken())];
  const words = plan.blocks.reduce((sum, { words_max }) => sum + words_max, 0);
  const ask = () =>
    model.complete({
      messages,
      max_tokens: Math.min(TOKENS_MAX, words * TOKENS_PER_WORD + 200),
      temperature: 0.3,
      class: "writer",
      json: { name: "blocks", schema: ANSWER_SCHEMA },
    });
  const good = new Map<string, SentenceBlock>();
  const keep = (drafts: ReadonlyMap<string, Draft>) => {
    for (const [id, { block, faults }] of drafts) if (faults.length === 0 && !good.has(id)) good.set(id, block);
  };
  const first = await ask();
  const judged = judgeAll(plan, guard, first.text);
  const found = [...judged].flatMap(([block, { faults }]) => faults.map((fault) => ({ ...fault, block })));
  first.noteFindings?.(found);
  keep(judged);
  let { provider_id, model: name, attempts } = first;
  const is_incomplete = good.size < plan.blocks.length;
  let refused = found;
  if (is_incomplete) {
    messages.push(...writeCorrection(first.text, found));
    const second = await ask();
    attempts += second.attempts;
    ({ provider_id, model: name } = second);
    const again = judgeAll(plan, guard, second.text);
    keep(again);
    refused = [...again].flatMap(([block, { faults }]) => faults.map((fault) => ({ ...fault, block })));
    second.noteFindings?.(refused);
  }
  return {
    good,
    refused: refused
      .filter(({ block }) => !good.has(block))
      .map(({ block, rule }) => `blocks.${block}: prose_rejected:${rule}`),
    writer: {
      provider_id,
      model: name,
      attempts,
      regenerated: is_incomplete,
      violations_first_attempt: found.length,
      prompt_version: promptVersion({ ...plan, drafts }),
    },
  };
}

/** The blocks that are sold: each by its model, else by its template. */
function assemble(
  plan: WritingPlan,
  templates: ReadonlyMap<string, SentenceBlock>,
  { good, writer }: ModelDrafts,
): WrittenAnswer {
  const citeDays = createDayCiter(plan.pack, plan.locale);
  const blocks = plan.blocks.flatMap(({ id }): WrittenBlock[] => {
    const by_model = good.get(id);
    const block = by_model ?? templates.get(id);
    if (!block) return [];
    const { text, sources } = block;
    const facts = [...block.facts, ...citeDays(block)];
    return [{ id, text, facts: [...facts], sources: [...sources], written_by: by_model ? "model" : "template" }];
  });
  const by_model = blocks.filter(({ written_by }) => written_by === "model").length;
  const { pack } = plan;
  return {
    blocks,
    facts: pack.facts.map((fact) => ({ ...fact })),
    citations: listCitations(pack).map((one) => ({ ...one })),
    written_by: by_model === 0 ? "template" : by_model === blocks.length ? "model" : "mixed",
    writer: by_model === 0 ? { ...NOBODY, attempts: writer.attempts } : writer,
    pack_hash: hashPack(pack),
    disclaimer: DISCLAIMERS[plan.locale],
  };
}

const NO_DRAFTS: ModelDrafts = { good: new Map(), writer: NOBODY, refused: [] };

/** Writes a text by its templates. Pure. */
export function writeByTemplates(plan: WritingPlan): Writing {
  const { written, warnings } = writeTemplates(plan, createGuard(plan.pack, plan.locale));
  return { written: assemble(plan, written, NO_DRAFTS), warnings };
}

/**
 * Writes a text by a model. A block falls back to its template when there is no model, or when the guard refuses the
 * model's block twice. A model that fails never makes the text fail.
 */
export async function writeBlocks(plan: WritingPlan, model: WritingModel | null): Promise<Writing> {
  if (!model) return writeByTemplates(plan);
  const guard = createGuard(plan.pack, plan.locale, plan.foreign);
  const templates = writeTemplates(plan, guard);
  // A model is asked only for blocks whose facts exist.
  const blocks = plan.blocks.filter(({ id }) => templates.written.has(id));
  if (blocks.length === 0)
    return { written: assemble(plan, templates.written, NO_DRAFTS), warnings: templates.warnings };
  try {
    const drafts = plan.is_free ? [] : blocks.flatMap(({ id }) => templates.written.get(id) ?? []);
    const made = await writeByModel({ ...plan, blocks }, { guard, drafts }, model);
    const warnings = [...templates.warnings, ...new Set(made.refused)];
    return { written: assemble(plan, templates.written, made), warnings };
  } catch (error) {
    const why = error instanceof Error ? error.message.slice(0, 120) : "failed";
    const warnings = [...templates.warnings, `writer.model: ${why}`];
    return { written: assemble(plan, templates.written, NO_DRAFTS), warnings };
  }
}

/** A text in Markdown: its title, and its blocks under their headings. */
export function renderMarkdown(
  title: string,
  blocks: readonly { readonly heading: string; readonly text: string }[],
): string {
  return [`# ${title}`, ...blocks.map(({ heading, text }) => `## ${heading}\n\n${text}`)].join("\n\n");
}
