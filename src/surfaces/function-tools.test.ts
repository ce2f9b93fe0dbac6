import { describe, expect, test } from "bun:test";
import { createTestModel, postProduct } from "../../test/helpers/surface-model.ts";
import { renderTool, TOOL_FORMATS } from "./function-tools.ts";
import { describePreviewsOf } from "./preview-text.ts";
import type { SurfaceProduct } from "./types.ts";

const model = createTestModel({ products: [postProduct] });
const find = (id: string) => model.products.find((one) => one.id === id) as SurfaceProduct;
const ask = find("ask-me");

const VIEW = {
  view: { type: "string", enum: ["brief", "full"] },
  fields: { type: "string", description: "Only these members of data: a,b.c" },
};

test("OpenAI and Anthropic get the product's own parameter schemas, closed to others", () => {
  const own = JSON.parse(JSON.stringify(postProduct.params));
  const preview = {
    type: "string",
    enum: ["1"],
    description: "1 = free, delayed data, of the parameters in preview_of",
  };
  const schema = { ...own, properties: { ...own.properties, preview, ...VIEW }, additionalProperties: false };
  expect(renderTool(ask, "anthropic")).toMatchObject({ name: "ask_me", input_schema: schema });
  expect(renderTool(ask, "openai")).toMatchObject({
    type: "function",
    function: { name: "ask_me", parameters: schema },
  });
});

test("Gemini gets one type each, words as enum, numbers named, null as nullable", () => {
  const { parameters } = renderTool(ask, "gemini") as { parameters: { properties: Record<string, unknown> } };
  expect(parameters.properties).toEqual({
    text: { type: "string", minLength: 1, description: "What is asked." },
    mode: { type: "string", enum: ["short", "long"] },
    days: { type: "integer", description: "One of: 1, 7." },
    limit: { type: "integer", description: "At most.", nullable: true },
    preview: { type: "string", enum: ["1"], description: "1 = free, delayed data, of the parameters in preview_of" },
    ...VIEW,
  });
  expect(parameters).toMatchObject({ type: "object", required: ["text"] });
});

/** Every key of every schema below a value; names of properties are no keywords. */
function keywordsOf(schema: unknown, found = new Set<string>()): Set<string> {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return found;
  for (const [key, value] of Object.entries(schema)) {
    found.add(key);
    if (key === "properties") for (const inner of Object.values(value as object)) keywordsOf(inner, found);
    else keywordsOf(value, found);
  }
  return found;
}

describe.each([...TOOL_FORMATS])("%s", (format) => {
  const tools = model.products.map((product) => JSON.parse(JSON.stringify(renderTool(product, format))));

  test("every name is one that model APIs take, and no two are the same", () => {
    const names = tools.map((tool) => (tool.function ?? tool).name);
    for (const name of names) expect(name).toMatch(/^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/);
    expect(new Set(names).size).toBe(names.length);
  });

  test("every description ends with price and preview, and what the preview is of", () => {
    for (const [index, tool] of tools.entries()) {
      const product = model.products[index];
      if (!product) throw new Error(`no product ${index}`);
      const of = describePreviewsOf(product);
      const kept = of === null ? "" : `, kept only for ${of}`;
      expect((tool.function ?? tool).description).toEndWith(
        `Costs $${product.price_usd} a call; preview=1 shows free, delayed data${kept}.`,
      );
    }
    const posted = JSON.stringify(renderTool(ask, format));
    expect(posted).toContain("preview=1 shows free, delayed data, kept only for text=");
  });
});

test("a path too long or beginning with a digit still has a name that model APIs take, a different one each", () => {
  const nameOf = (skill_id: string) => renderTool({ ...ask, skill_id }, "gemini").name;
  const long = "a".repeat(80);
  expect(nameOf("24h_change")).toBe("p_24h_change");
  for (const end of ["b", "c"]) expect(nameOf(long + end)).toMatch(/^a{55}_[0-9a-f]{8}$/);
  expect(nameOf(`${long}b`)).not.toBe(nameOf(`${long}c`));
  expect(nameOf("b".repeat(64))).toBe("b".repeat(64));
});

test("Gemini gets no keyword that it does not know", () => {
  const known = ["type", "properties", "required", "enum", "description", "nullable", "items", "default"].concat([
    "minimum",
    "maximum",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "pattern",
  ]);
  for (const product of model.products) {
    const { parameters } = renderTool(product, "gemini");
    expect([...keywordsOf(parameters)].filter((key) => !known.includes(key))).toEqual([]);
  }
});

test("a schema in no shape a product may have is still one type for Gemini", () => {
  const params = {
    ...postProduct.params,
    required: undefined,
    properties: {
      tags: { type: "array", items: { anyOf: [{ const: "a" }, { const: "b" }] }, uniqueItems: true },
      either: { anyOf: [{ type: "integer", minimum: 1 }, { type: "string" }], description: "Number or name." },
      free: { type: "object", additionalProperties: true },
      inner: { type: "object", properties: { n: { type: "number", exclusiveMinimum: 0 } }, required: ["n"] },
    },
  } as unknown as SurfaceProduct["params"];
  const { parameters } = renderTool({ ...ask, params }, "gemini") as { parameters: { properties: object } };
  expect(parameters.properties).toMatchObject({
    tags: { type: "array", items: { type: "string", enum: ["a", "b"] } },
    either: { type: "integer", minimum: 1, description: "Number or name." },
    free: { type: "string" },
    inner: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
  });
});
