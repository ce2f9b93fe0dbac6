import { expect, test } from "bun:test";
import { createTestModel } from "../../test/helpers/surface-model.ts";
import { surfaces } from "./texts.surface.ts";
import { renderAboutText, renderTermsText } from "./texts.ts";
import type { Rendered, SurfaceModel } from "./types.ts";

const formsOf = (path: string, model: SurfaceModel) => {
  const surface = surfaces.find((one) => one.path === path);
  const [html, data, markdown] = (surface?.render(model) ?? []) as readonly Rendered[];
  return { html: String(html?.body), data: JSON.parse(String(data?.body)), markdown: String(markdown?.body) };
};

test("terms name every source of what is sold, with its reuse terms and the text it wants to be named by", () => {
  const model = createTestModel();
  const { html, data, markdown } = formsOf("/terms", model);
  const providers = new Map(model.products.flatMap((one) => one.providers.map((provider) => [provider.id, provider])));
  expect(providers.size).toBeGreaterThan(5);
  for (const { id, title, terms } of providers.values()) {
    expect(data.data_sources).toContainEqual(expect.objectContaining({ id, terms: terms.class, note: terms.note }));
    for (const text of [title, terms.note, terms.attribution?.text ?? ""]) expect(markdown).toContain(text);
    expect(html).toContain(Bun.escapeHTML(title).replaceAll("&#x27;", "&#39;"));
  }
});

test("terms say the same in all three forms", () => {
  const model = createTestModel();
  const { html, data, markdown } = formsOf("/terms", model);
  for (const block of renderTermsText(model).blocks) {
    if (block.kind !== "heading") continue;
    expect(html).toContain(`<h2>${block.text}</h2>`);
    expect(markdown).toContain(`\n## ${block.text}\n`);
    expect(data.sections.map(({ title }: { title: string }) => title)).toContain(block.text);
  }
});

test("a name with markup in it stays text", () => {
  const { html } = formsOf("/about", createTestModel({ node: { name: "<script>alert(1)</script>" } }));
  expect(html).not.toContain("<script");
  expect(html).toContain("&lt;script&gt;");
});

test("about gives key, version and contact, and links to every free path that a plain GET answers", () => {
  const model = createTestModel({ node: { security_contact: "security@example.com" } });
  const { data, markdown } = formsOf("/about", model);
  expect(data).toMatchObject({
    node_id: model.node.node_id,
    version: "0.1.0",
    key: { id: "did:web:node.example.com#node-1", ed25519: model.node.public_key },
    operator: { contact: "ops@node.example.com", security: "security@example.com" },
  });
  expect(markdown).toContain("To report a weakness: security@example.com.");
  const wanted = model.free.filter(({ asks, methods }) => !asks && methods.includes("GET")).map(({ path }) => path);
  expect(data.links.map(({ url }: { url: string }) => url)).toEqual(
    wanted.map((path) => `https://node.example.com${path}`),
  );
});

test("about says of each wallet whether it is proven and how to check, of each key until when it signed", () => {
  const [base, solana] = [
    { network: "eip155:8453", wallet: "base", address: "0xabc", status: "proven" as const },
    { network: "solana:5eykt", wallet: "solana", address: "So1", status: "unproven" as const },
  ] as const;
  const proof = { method: "eip191", expires_at: "2027-01-01T00:00:00Z" };
  const key = { name: "node-0", public_key: "AAAA", retired_at: "2026-05-01T00:00:00Z", compromised: true };
  const model = {
    ...createTestModel({ node: { retired_keys: [key] } }),
    wallets: [{ ...base, ...proof }, solana],
  };
  const { data, markdown } = formsOf("/about", model);
  for (const text of [
    "0xabc on eip155:8453: proven by its own signature (eip191), until 2027-01-01T00:00:00Z",
    "So1 on solana:5eykt: not proven to be this node's",
    "Earlier key: did:web:node.example.com#node-0, until 2026-05-01T00:00:00Z. What it signed proves nothing any more.",
    "https://node.example.com/.well-known/verify-manifest",
    "intel-node verify https://node.example.com",
  ]) {
    expect(markdown).toContain(text);
  }
  expect(data.wallets.map(({ status }: { status: string }) => status)).toEqual(["proven", "unproven"]);
  expect(markdown).toMatch(/## What is simulated\s+Nothing\./);
  expect(data.simulated).toBe(false);
});

test("only a sandbox says that it is one", () => {
  for (const render of [renderTermsText, renderAboutText]) {
    expect(JSON.stringify(render(createTestModel({ sandbox: true })))).toContain("sandbox");
    expect(JSON.stringify(render(createTestModel()).blocks)).not.toContain("This is a sandbox");
  }
  expect(formsOf("/terms", createTestModel({ sandbox: true })).data.sandbox).toBe(true);
  expect(formsOf("/terms", createTestModel()).data.sandbox).toBeUndefined();
});

test("without a contact nothing is made up", () => {
  const { data, markdown } = formsOf("/about", createTestModel({ node: { contact_email: null } }));
  expect(data.operator.contact).toBeNull();
  expect(markdown).toContain("The operator gives no public contact.");
});
