import { membersOf, publicParameter } from "../../core/public-schema.ts";
import { priceText } from "../../surfaces/price-text.ts";
import { productSearchOf } from "../../surfaces/product-search.ts";
import type { SurfaceModel, SurfaceProduct } from "../../surfaces/types.ts";
import type { TaskPart } from "./task.ts";

/** What the node says to a sentence that names no skill: the nearest skills, for people and for programs. */
export type SuggestSkills = (sentence: string) => readonly TaskPart[];

const SUGGESTED_MAX = 3;

/** The skills that the one search of the catalog finds for a sentence, each with its price and how it is called. */
export function createSkillSuggestions(model: () => SurfaceModel): SuggestSkills {
  return (sentence) => {
    const found = productSearchOf(model()).find(sentence, SUGGESTED_MAX);
    return [{ text: renderText(found) }, { data: { skills: found.map(describeSkill) } }];
  };
}

const HOW = 'Send a data part {"skill": id, "params": {…}} to this task, or one of the skill\'s examples as text.';

function renderText(found: readonly SurfaceProduct[]): string {
  if (found.length === 0)
    return `No skill is found by these words; /.well-known/agent-card.json lists them all. ${HOW}`;
  const lines = found.map((product) => {
    const { skill_id, title, params } = product;
    const required: readonly string[] = params.required ?? [];
    const names = Object.keys(membersOf(params)).map((name) => (required.includes(name) ? `${name} (required)` : name));
    const takes = names.length > 0 ? `parameters: ${names.join(", ")}` : "no parameters";
    return `- ${skill_id}: ${title}, ${priceText(product)}; ${takes}`;
  });
  return ["These words name no skill. The nearest are:", ...lines, HOW].join("\n");
}

function describeSkill(product: SurfaceProduct) {
  const { skill_id, title, description, price_usd, params, example } = product;
  const required: readonly string[] = params.required ?? [];
  return {
    skill: skill_id,
    title,
    description,
    price_usd,
    price: priceText(product),
    parameters: Object.entries(membersOf(params)).map(([name, schema]) => {
      return { name, required: required.includes(name), ...publicParameter(schema) };
    }),
    example: { skill: skill_id, params: example.params },
  };
}
