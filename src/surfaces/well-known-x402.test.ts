import { describe, expect, test } from "bun:test";
import { createTestModel } from "../../test/helpers/surface-model.ts";
import { renderDNSRecord } from "./dns-txt.ts";
import type { SurfaceModel } from "./types.ts";
import { surface } from "./well-known-x402.surface.ts";

const parse = (model: SurfaceModel) => {
  const rendered = surface.render(model);
  if (!("body" in rendered)) throw new Error("one form");
  return JSON.parse(String(rendered.body)) as Record<string, unknown>;
};

describe("the list of older crawlers", () => {
  const model = createTestModel({ origin_signatures: ["0x01", "abc"] });
  const list = parse(model);

  test("has a number for a version and plain addresses of this host, as they insist", () => {
    expect(list.version).toBe(1);
    expect(list.resources).toEqual(model.products.map(({ url }) => url));
    for (const url of list.resources as string[]) expect(new URL(url).host).toBe("node.example.com");
  });

  test("says of every product what it costs and is called with", () => {
    expect(list.endpoints).toEqual(
      model.products.map(({ path, method, id, description, price_usd }) => {
        return { path, method, name: id, description, price: `$${price_usd}` };
      }),
    );
  });

  test("lists as free what answers to a bare call", () => {
    const listed = list.free_endpoints as string[];
    expect(listed).toContain("/get-pricing");
    expect(listed).toEqual(model.free.filter(({ asks }) => !asks).map(({ path }) => path));
    for (const { path } of model.products) expect(listed).not.toContain(path);
  });

  test("carries the signatures over the origin, outside a sandbox", () => {
    expect(list.ownershipProofs).toEqual(["0x01", "abc"]);
    expect(parse(createTestModel())).not.toHaveProperty("ownershipProofs");
    const sandbox = parse(createTestModel({ sandbox: true, origin_signatures: ["0x01"] }));
    expect(sandbox).not.toHaveProperty("ownershipProofs");
    expect(sandbox.sandbox).toBe(true);
  });

  test("names a contact only when there is one", () => {
    expect(list.contact).toBe("ops@node.example.com");
    expect(parse(createTestModel({ node: { contact_email: null } }))).not.toHaveProperty("contact");
  });
});

describe("the DNS record", () => {
  const record = (public_url: string, count = 1) => {
    const { node, networks } = createTestModel();
    return renderDNSRecord({ node: { ...node, public_url }, networks: networks.slice(0, count) });
  };

  test("leads from the domain to the list", () => {
    expect(record("https://node.example.com")).toEqual({
      name: "_x402.node.example.com",
      value: "v=x402-1; wk=https://node.example.com/.well-known/x402; k=resource-server; net=eip155:8453; scheme=exact",
    });
  });

  test("fits one string of a record on every network", () => {
    const { value = "" } = record(`https://${"a".repeat(60)}.${"b".repeat(60)}.example.com`, 3) ?? {};
    expect(value.length).toBeLessThanOrEqual(255);
    expect(value).toEndWith("k=resource-server; scheme=exact");
    expect(record("https://node.example.com", 3)?.value).toContain("net=eip155:8453,solana:");
  });

  test.each(["http://127.0.0.1:8790", "http://[::1]:8790", "http://localhost:8790", "https://node.example.com:8443"])(
    "does not exist for %s",
    (url) => {
      expect(record(url)).toBeNull();
    },
  );
});
