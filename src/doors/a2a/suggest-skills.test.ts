import { expect, test } from "bun:test";
import { createTestModel } from "../../../test/helpers/surface-model.ts";
import { createSkillSuggestions } from "./suggest-skills.ts";
import type { TaskPart } from "./task.ts";

interface Suggested {
  readonly skill: string;
  readonly price_usd: string;
  readonly parameters: readonly { readonly name: string; readonly required: boolean }[];
  readonly example: { readonly skill: string; readonly params: object };
}

const model = createTestModel({});
const suggest = createSkillSuggestions(() => model);

const textOf = (parts: readonly TaskPart[]): string => parts.map((part) => ("text" in part ? part.text : "")).join("");
const skillsOf = (parts: readonly TaskPart[]): readonly Suggested[] =>
  parts.flatMap((part) => ("data" in part ? (part.data.skills as Suggested[]) : []));

test.each([
  ["What is the price of gold?"],
  ["what will the Copom do"],
  ["quanto vale o dólar hoje?"],
  ["is this token a rug pull?"],
])("a sentence is answered with the three nearest skills, their prices and parameters: %s", (sentence) => {
  const parts = suggest(sentence);
  const skills = skillsOf(parts);
  expect(skills.length).toBeGreaterThan(0);
  expect(skills.length).toBeLessThanOrEqual(3);
  for (const { skill, price_usd, parameters, example } of skills) {
    const product = model.products.find(({ skill_id }) => skill_id === skill);
    if (!product) throw new Error(`no skill ${skill}`);
    expect(price_usd).toBe(product.price_usd);
    expect(parameters.map(({ name }) => name)).toEqual(Object.keys(product.params.properties));
    expect(parameters.filter(({ required }) => required).map(({ name }) => name)).toEqual(
      product.params.required ?? [],
    );
    expect(example).toEqual({ skill, params: product.example.params });
    expect(textOf(parts)).toContain(`- ${skill}: ${product.title}`);
    for (const { name } of parameters) expect(textOf(parts)).toContain(name);
  }
});

test("words of nothing that is sold name no skill, and say where all are listed", () => {
  const parts = suggest("xyzzy");
  expect(skillsOf(parts)).toEqual([]);
  expect(textOf(parts)).toContain("/.well-known/agent-card.json");
});
