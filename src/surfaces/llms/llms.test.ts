import { expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { createTestModel, postProduct } from "../../../test/helpers/surface-model.ts";
import type { SurfaceModel } from "../types.ts";
import { describeType, listFields } from "./fields.ts";
import { renderFullText } from "./full-text.ts";
import { INDEX_BYTES_MAX, renderIndexText } from "./index-text.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text).length;
const model = createTestModel({ of: "crypto-market", products: [postProduct] });

test("90 products stay within 16 KB in the index and 256 KiB in the full text, each with its price", () => {
  const many = createTestModel({ count: 90 });
  const index = renderIndexText(many);
  const full = renderFullText(many, []);
  expect(bytesOf(index)).toBeLessThanOrEqual(INDEX_BYTES_MAX);
  expect(bytesOf(full)).toBeLessThanOrEqual(256 * 1024);
  for (const { url, price_usd, plan } of many.products) {
    expect(index).toMatch(
      new RegExp(`\\]\\(${url.replaceAll(".", "\\.")}\\): [^$\\n]*\\$${price_usd.replace(".", "\\.")}\\n`),
    );
    expect(full).toContain(` ${url}\n- Price: $${price_usd} ${plan ? "once" : "a call"}`);
  }
});

test("a parameter that does not fit a line whole is named, never shown in part", () => {
  const index = renderIndexText(model);
  const line = index.split("\n").find((one) => one.startsWith("- [portfolio-stress]"));
  expect(line).toContain(", with positions. $");
  expect(index).not.toMatch(/=[^,.\n]*["{]/);
});

test("the index says which headers and paths there are besides the calls, and where the guide is", () => {
  const index = renderIndexText(model);
  for (const word of ["X-API-Key", "X-Coupon", "Idempotency-Key", "X-Allow-Duplicate", "/payments/{id}", "/quote"]) {
    expect(index).toContain(word);
  }
  for (const word of ["/statement", "POST /keys", `${model.node.public_url}/guide.md`]) expect(index).toContain(word);
});

test("a plan is paid once and answers with a key", () => {
  const full = renderFullText(model, []);
  const part = full.slice(full.indexOf("### Prepaid balance"), full.indexOf("### Day pass"));
  expect(part).toContain("- Price: $0.99 once");
  for (const field of ["api_key", "balance_atomic", "key_id", "receipt"]) expect(part).toContain(field);
  expect(part).not.toContain("a call");
});

test("what was cut from the full text is one address away", () => {
  const full = renderFullText(createTestModel({ count: 90 }), []);
  expect(full).toContain("- Whole schema and example: https://node.example.com/openapi.json?product=mempool");
  expect(renderFullText(model, [])).not.toContain("Whole schema");
});

test("words of a plugin cannot forge a link, a price, a section or a table row", () => {
  const [first] = model.products;
  if (!first) throw new Error("no product");
  const title = "Cheap $0.0001 [x](https://evil.example)\n## Free\n- [y](https://evil.example): | $0";
  const forged: SurfaceModel = { ...model, products: [{ ...first, title, description: title }] };
  const index = renderIndexText(forged);
  const lines = index.split("\n").filter((line) => line.includes("evil"));
  expect(lines).toHaveLength(1);
  expect(lines[0]?.match(/\$\d/g)).toHaveLength(1);
  expect(lines[0]).not.toMatch(/\]\(https:\/\/evil/);
  expect(index.split("\n").filter((line) => line === "## Free")).toHaveLength(1);
  const full = renderFullText(forged, []).split("\n");
  expect(full.filter((line) => line.startsWith("## "))).toEqual(["## Rules", "## Products"]);
});

test("chapters come at the end, empty ones nowhere", () => {
  const full = renderFullText(model, [
    { title: "Empty", render: () => " " },
    { title: "More", render: ({ node }) => `### ${node.name}\n\ntext` },
  ]);
  expect(full).not.toContain("## Empty");
  expect(full).toEndWith("## More\n\n### intel-node\n\ntext\n");
});

test("a product of both methods shows both, its parameters and a POST example", () => {
  const full = renderFullText(model, []);
  const part = full.slice(full.indexOf("### A question"));
  expect(part).toContain("- Path: POST https://node.example.com/ask-me, GET https://node.example.com/ask-me\n");
  expect(part).toContain("| text | string | required | What is asked. |");
  expect(part).toContain('| mode | short, long | optional, default "short" |  |');
  expect(part).toContain('Example: `POST https://node.example.com/ask-me with {"text":"why"}`');
});

test("fields are listed with what is in them, lists and null included", () => {
  const schema = Type.Object({
    n: Type.Union([Type.Number(), Type.Null()], { description: "A | number" }),
    list: Type.Array(Type.Object({ side: Type.Union([Type.Literal("bid"), Type.Literal("ask")]) })),
    maybe: Type.Union([Type.Object({ at: Type.String() }), Type.Null()]),
  });
  expect(listFields(schema)).toEqual([
    { path: "n", type: "number or null", description: "A \\| number" },
    { path: "list", type: "list of object", description: "" },
    { path: "list[].side", type: "bid, ask", description: "" },
    { path: "maybe", type: "object or null", description: "" },
    { path: "maybe.at", type: "string", description: "" },
  ]);
  expect(describeType(Type.Union([Type.String(), Type.Integer()]))).toBe("string or integer");
});

test("without a live network the texts name none", () => {
  const text = renderIndexText(createTestModel({ networks: [] }));
  expect(text).toContain("USDC through x402");
  expect(text).not.toContain(" on ,");
});
