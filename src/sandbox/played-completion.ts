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

/** A line of a facts pack as prompts hold it: "F2 | BTC change, 24h | -3.248 | pct | 2026-11-20". */
const FACT = /^\s*(F\d+) \| ([^|\n]+) \| (-?[\d.]+)(?: \| (\w+))?/gm;
/** A block that is wanted: "BLOCK summary". */
const BLOCK = /^\s*BLOCK ([a-z][a-z0-9_]*)/gm;
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

/** One sentence a fact: what a careful writer would say, and what a careless one makes of it. */
function writeBlock(id: string, facts: readonly Fact[], { mode, text }: { mode: ModelMode; text: string }): object {
  const sentences = facts.map((fact) => `${fact.label}: ${renderValue(fact, mode)}.`);
  if (mode === "foreign_name") sentences.push("BlackRock sold.");
  if (mode === "inject") sentences.push(INSTRUCTION.exec(text)?.[1] ?? "");
  return { id, text: sentences.join(" ").trim(), facts: facts.map((fact) => fact.id), sources: [] };
}

/**
 * What the played model says: blocks from the facts it was given where JSON is wanted, else an echo of the question.
 * The same words give the same answer, so that a demo needs no model and a test knows what comes.
 */
export function playCompletion(messages: readonly Message[], wants_json: boolean, mode: ModelMode): string {
  const text = messages.map(({ content }) => content).join("\n");
  if (mode === "empty") return "";
  if (mode === "bad_json") return '{"blocks": [';
  if (!wants_json) {
    const asked = messages.findLast(({ role }) => role === "user")?.content ?? "";
    return `The sandbox plays this model. It was asked: ${asked.slice(0, ECHOED_CHARS)}`;
  }
  const facts = readFacts(text);
  const ids = [...text.matchAll(BLOCK)].map(([, id = ""]) => id);
  const answer = JSON.stringify({ blocks: ids.map((id) => writeBlock(id, facts.slice(0, 4), { mode, text })) });
  return mode === "fenced_json" ? `\`\`\`json\n${answer}\n\`\`\`` : answer;
}
