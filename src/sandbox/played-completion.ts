/** How a played model misbehaves. */
export const MODEL_MODES = [
  "none",
  "invent_number",
  "wrong_sign",
  "bad_json",
  "fenced_json",
  "empty",
  "error_in_200",
  "429",
  "500",
  "slow",
  "inject",
  "foreign_name",
] as const;
export type ModelMode = (typeof MODEL_MODES)[number];

interface Message {
  readonly role: string;
  readonly content: string;
}

/** A line of a facts pack in a prompt: "F2 | BTC change, 24h | -3.248 | pct | 2026-11-20". */
const FACT = /^\s*(F\d+) \| ([^|\n]+) \| (-?[\d.]+)(?: \| (\w+))?/gm;
/** A requested block: "summary | at most 60 words | verdict and votes". */
const BLOCK = /^([a-z][a-z0-9_]*) \| at most \d+ words \|/gm;
/** The same block in fixed sentences: "DRAFT summary [F1 F2] [N1] BTC trades at …". */
const DRAFT = /^DRAFT ([a-z][a-z0-9_]*) \[([^\]\n]*)\] \[([^\]\n]*)\] (.+)$/gm;
/** Facts of one block. */
const FACTS_PER_BLOCK = 3;
const INSTRUCTION = /(ignore (?:all )?previous instructions[^|\n]*)/i;
const ECHOED_CHARS = 200;

interface Fact {
  readonly id: string;
  readonly label: string;
  readonly value: number;
  readonly unit: string;
}

const readFacts = (text: string): readonly Fact[] =>
  [...text.matchAll(FACT)].map(([, id = "", label = "", value = "", unit = ""]) => ({
    id,
    label: label.trim(),
    value: Number(value),
    unit,
  }));

function renderValue({ value, unit }: Fact, mode: ModelMode): string {
  const shown = mode === "invent_number" ? value + 70 : mode === "wrong_sign" ? -value : value;
  if (unit === "pct") return `${shown}%`;
  if (unit === "usd") return `${shown < 0 ? "-" : ""}$${Math.abs(shown)}`;
  return unit === "bps" ? `${shown} bps` : String(shown);
}

/** A sentence for one fact, written by a careful or by a careless writer. */
function writeBlock(id: string, facts: readonly Fact[], { mode, text }: Pick<PlayedTask, "mode" | "text">) {
  const sentences = facts.map((fact) => `${fact.label}: ${renderValue(fact, mode)}.`);
  if (mode === "foreign_name") sentences.push("BlackRock sold.");
  if (mode === "inject") sentences.push(INSTRUCTION.exec(text)?.[1] ?? "");
  return { id, text: sentences.join(" ").trim(), facts: facts.map((fact) => fact.id), sources: [] };
}

const readIds = (listed: string): readonly string[] => listed.split(" ").filter((id) => id !== "");

/** The templates' sentences, which a careful writer may keep. */
const readDrafts = (prompt: string) =>
  [...prompt.matchAll(DRAFT)].map(([, id = "", facts = "", sources = "", text = ""]) => {
    return [id, { id, text, facts: readIds(facts), sources: readIds(sources) }] as const;
  });

/** The part of a JSON schema that the played model reads. */
export interface PlayedSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, PlayedSchema>>;
  readonly items?: PlayedSchema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
}

interface PlayedTask {
  readonly facts: readonly Fact[];
  readonly mode: ModelMode;
  readonly text: string;
}

/** A whole number derived from a text, so that the same question gets the same answer. */
const decide = (words: string, below: number): number => Number(Bun.hash(words) % BigInt(Math.max(1, below)));

/** Facts for the next sentences, one after the other. */
const takeFacts = (facts: readonly Fact[], from: number, count: number): readonly Fact[] =>
  Array.from({ length: Math.min(count, facts.length) }, (_, index) => facts[(from + index) % facts.length]).flatMap(
    (one) => one ?? [],
  );

/** A value for a schema: opinions derived from the words of the question, and sentences about the given facts. */
function playSchema(schema: PlayedSchema, name: string, told: PlayedTask): unknown {
  const { facts, text } = told;
  if (schema.enum) return schema.enum[decide(`${name}${text}`, schema.enum.length)];
  const type = typeof schema.type === "string" ? schema.type : schema.type?.[0];
  switch (type) {
    case "object": {
      const { properties = {} } = schema;
      // A sentence, with the facts it shows beside it.
      const is_sentence = "text" in properties && "facts" in properties;
      const block = is_sentence
        ? writeBlock("", takeFacts(facts, decide(`${name}${text}`, facts.length), 1), told)
        : {};
      return Object.fromEntries(
        Object.entries(properties).map(([key, inner]) => [
          key,
          Object.hasOwn(block, key) ? block[key as keyof typeof block] : playSchema(inner, `${name}.${key}`, told),
        ]),
      );
    }
    case "array": {
      const count = Math.min(2, schema.maxItems ?? 2);
      const { items = {} } = schema;
      return Array.from({ length: count }, (_, index) => playSchema(items, `${name}.${index}`, told));
    }
    case "integer":
    case "number": {
      const { minimum = 0, maximum = 100 } = schema;
      return minimum + decide(`${name}${text}`, Math.floor(maximum - minimum) + 1);
    }
    case "boolean":
      return true;
    default:
      return takeFacts(facts, decide(name, facts.length), 1)[0]?.label ?? "what is known";
  }
}

/**
 * Writes the played model's answer. For JSON, these are blocks from the given facts, or values for another schema
 * derived from the words of the question; otherwise an echo of the question. The same words give the same answer, so
 * that a demo needs no model and a test can predict the answer.
 * @param schema of the wanted JSON; true: JSON without a stated schema; false: text.
 */
export function playCompletion(messages: readonly Message[], schema: PlayedSchema | boolean, mode: ModelMode): string {
  const text = messages.map(({ content }) => content).join("\n");
  if (mode === "empty") return "";
  if (mode === "bad_json") return '{"blocks": [';
  if (schema === false) {
    const asked = messages.findLast(({ role }) => role === "user")?.content ?? "";
    return `The sandbox plays this model. It was asked: ${asked.slice(0, ECHOED_CHARS)}`;
  }
  const told = { facts: readFacts(text), mode, text };
  const drafts = new Map(mode === "none" || mode === "fenced_json" ? readDrafts(text) : []);
  const ids = [...text.matchAll(BLOCK)].map(([, id = ""]) => id);
  const is_other = schema !== true && schema.properties !== undefined && !("blocks" in schema.properties);
  const answer = JSON.stringify(
    is_other
      ? playSchema(schema, "", told)
      : {
          blocks: ids.map(
            (id, index) =>
              drafts.get(id) ?? writeBlock(id, takeFacts(told.facts, index * FACTS_PER_BLOCK, FACTS_PER_BLOCK), told),
          ),
        },
  );
  return mode === "fenced_json" ? `\`\`\`json\n${answer}\n\`\`\`` : answer;
}
