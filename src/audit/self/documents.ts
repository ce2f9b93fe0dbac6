import { canonicalJSON, sha256Hex } from "../../core/hash.ts";
import { listAt, membersAt, textAt, valueAt } from "../../core/json-values.ts";
import { ANSWERED, answerOf, documentOf, MANIFESTS, pathOf, tellStatus } from "../facts.ts";
import { findSchemaFault } from "../json-schema.ts";
import { listSold, PRICE_LISTS, readAskedPrices } from "../prices.ts";
import { broken, type Finding, gather, type SelfRule, warning } from "../rule.ts";
import { SHAPES } from "./shapes.ts";

const prices: SelfRule = {
  id: "prices",
  scope: "self",
  title: "every document states the price that the 402 answer asks for",
  weight: 10,
  check(facts) {
    const asked = new Map(facts.products.map((path) => [path, new Set(readAskedPrices(facts, path))]));
    const torn = [...asked]
      .filter(([, amounts]) => amounts.size > 1)
      .map(([path]) => `${path} asks for several amounts`);
    const differing = PRICE_LISTS.flatMap(({ path: document, read }) =>
      read(facts).flatMap(({ path, price }) => {
        const amounts = asked.get(path);
        if (!amounts || amounts.size === 0 || amounts.has(price)) return [];
        return [`${document} says ${price} for ${path}, the 402 asks for ${[...amounts].join(", ")}`];
      }),
    );
    return gather([...torn, ...new Set(differing)], "broken", {
      what: "prices differ",
      fix: "Restart the node, and let no proxy keep documents longer than their Cache-Control allows.",
    });
  },
};

const complete: SelfRule = {
  id: "complete",
  scope: "self",
  title: "every document lists every product, and nothing else",
  weight: 5,
  check(facts) {
    const sold = listSold(facts);
    const faults = PRICE_LISTS.filter(({ path }) => answerOf(facts, path).status === 200).flatMap(({ path, read }) => {
      const listed = new Set(read(facts).map((one) => one.path));
      return sold.filter((product) => !listed.has(product)).map((product) => `${path} lacks ${product}`);
    });
    return gather(faults, "broken", {
      what: "catalogs differ",
      fix: "Restart the node: all documents are rendered from one catalog at once.",
    });
  },
};

const walk: SelfRule = {
  id: "walk",
  scope: "self",
  title: "every link in every document leads somewhere, and every product asks for its price",
  weight: 10,
  check(facts) {
    const sold = new Set(facts.products);
    const state = (link: string) => answerOf(facts, link).status;
    const slow = facts.links.filter((link) => answerOf(facts, link).is_late);
    const dead = facts.links.filter((link) => !slow.includes(link) && (state(link) === 404 || state(link) === 0));
    const failing = facts.links.filter((link) => state(link) >= 500);
    const free = facts.links.filter((link) => sold.has(link) && state(link) !== 402 && state(link) !== 0);
    return [
      ...gather(
        dead.map((link) => `${link} answers ${tellStatus(answerOf(facts, link))}`),
        "broken",
        {
          what: "dead links",
          fix: "Let the proxy in front pass every path on; if it does, report this as a fault of the node.",
        },
      ),
      ...gather(
        free.map((link) => `${link} answers ${state(link)}`),
        "broken",
        {
          what: "products without a price",
          fix: "Let the proxy in front leave status codes alone.",
        },
      ),
      ...gather(slow, "warning", {
        what: "links that take too long",
        fix: "See what else keeps this machine busy, and run the audit again.",
      }),
      ...gather(
        failing.map((link) => `${link} answers ${state(link)}`),
        "warning",
        {
          what: "links that fail now",
          fix: "See /live for upstreams and networks that do not answer, and run the audit again.",
        },
      ),
    ];
  },
};

const shapes: SelfRule = {
  id: "shapes",
  scope: "self",
  title: "every document is there and has the form its readers expect",
  weight: 6,
  check(facts) {
    const faults = SHAPES.flatMap(({ path, schema, check }): readonly Finding[] => {
      const answer = answerOf(facts, path);
      const { status, text } = answer;
      const fix = "Let the proxy in front pass this path on as it is; if it does, report this as a fault of the node.";
      if (status !== 200) return [broken(`${path} answers ${tellStatus(answer)}`, fix)];
      const fault = schema === null ? null : findSchemaFault(schema, documentOf(facts, path));
      const more = fault ?? check?.(facts, text) ?? null;
      return more === null ? [] : [broken(`${path}: ${more}`, fix)];
    });
    return faults;
  },
};

const openAPI: SelfRule = {
  id: "openapi",
  scope: "self",
  title: "OpenAPI says of every operation whether it costs something and how it is paid",
  weight: 5,
  check(facts) {
    const document = documentOf(facts, "/openapi.json");
    if (document === undefined) return [broken("/openapi.json cannot be read", "See the rule shapes.")];
    const operations = membersAt(document, "paths").flatMap(([path, item]) =>
      membersAt(item)
        .filter(([method]) => /^(get|post|put|patch|delete)$/.test(method))
        .map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
    );
    const faults = operations.flatMap(({ name, operation }) => {
      const fault = findOperationFault(operation);
      return fault === null ? [] : [`${name} ${fault}`];
    });
    const ids = operations.map(({ operation }) => textAt(operation, "operationId")).filter((id) => id !== "");
    const contact = valueAt(document, "info", "contact", "email") ?? valueAt(document, "info", "contact", "url");
    return [
      ...gather(faults, "broken", { what: "operations", fix: "Report this as a fault of the node." }),
      ...(new Set(ids).size < ids.length
        ? [broken("an operationId is used twice", "Rename one of the products.")]
        : []),
      ...(contact === undefined
        ? [warning("OpenAPI names no contact", "Set node.contact_email: registries ask for one.")]
        : []),
    ];
  },
};

function findOperationFault(operation: unknown): string | null {
  const security = valueAt(operation, "security");
  if (!Array.isArray(security)) return "does not say whether it needs payment";
  const payment = valueAt(operation, "x-payment-info");
  // Who signs in with his wallet pays nothing.
  const is_free = security.every((one) => valueAt(one, "siwx") !== undefined && valueAt(one, "x402") === undefined);
  if (payment === undefined) return is_free ? null : "asks for security without a price";
  // A price that follows from the call is represented by the lowest one.
  const member = textAt(payment, "price", "mode") === "dynamic" ? "min" : "amount";
  if (!/^\d+(\.\d+)?$/.test(textAt(payment, "price", member))) return "has a price that is no decimal string";
  if (!/^[A-Z]{3}$/.test(textAt(payment, "price", "currency"))) return "has a currency that is not three letters";
  const protocols = listAt(payment, "protocols");
  if (protocols.length === 0 || protocols.some((one) => typeof one !== "object")) return "names protocols as words";
  if (valueAt(operation, "responses", "402") === undefined) return "has no 402 answer";
  return security.some((one) => valueAt(one, "x402") !== undefined) ? null : "does not offer x402 as security";
}

const canonical: SelfRule = {
  id: "canonical-manifest",
  scope: "self",
  title: "x402.json is served in its canonical form and its digest is told with it",
  weight: 2,
  check(facts) {
    const { text, headers } = answerOf(facts, "/.well-known/x402.json");
    const document = documentOf(facts, "/.well-known/x402.json");
    if (document === undefined) return [broken("/.well-known/x402.json cannot be read", "See the rule shapes.")];
    const digest = `sha-256=:${Buffer.from(sha256Hex(text), "hex").toString("base64")}:`;
    const fix = "Let no proxy rewrite JSON or headers: the node's signature is over these very bytes.";
    return [
      ...(canonicalJSON(document) === text ? [] : [broken("the bytes of x402.json are not canonical", fix)]),
      ...(headers["repr-digest"] === digest ? [] : [broken("Repr-Digest is not the digest of x402.json", fix)]),
    ];
  },
};

const foreign: SelfRule = {
  id: "own-address",
  scope: "self",
  title: "documents name the node's own address, whatever address they were asked at",
  weight: 3,
  check(facts) {
    const urls = [
      ...listAt(documentOf(facts, "/.well-known/x402.json"), "resources").map((one) => textAt(one, "url")),
      ...listAt(documentOf(facts, "/.well-known/x402"), "resources").map(String),
      ...listAt(documentOf(facts, "/bazaar.json"), "items").map((one) => textAt(one, "resource")),
      textAt(documentOf(facts, "/openapi.json"), "servers", 0, "url"),
      textAt(documentOf(facts, "/.well-known/mcp.json"), "endpoint"),
      textAt(documentOf(facts, "/.well-known/agent-card.json"), "url"),
    ];
    const others = [...new Set(urls)].filter((url) => url !== "" && pathOf(facts, url) === null);
    return gather(others, "broken", {
      what: "addresses of somebody else",
      fix: "Set node.public_url to the address buyers use.",
    });
  },
};

/** A DID document has the members its own specification gives it. */
const UNMARKED: readonly string[] = ["/.well-known/did.json"];

const sandbox: SelfRule = {
  id: "sandbox",
  scope: "self",
  title: "a sandbox says so in every document, and nothing else does",
  weight: 0,
  check(facts) {
    const marked = [...MANIFESTS, ...ANSWERED].filter((path) => {
      const document = documentOf(facts, path);
      const is_listed = document !== undefined && !UNMARKED.includes(path);
      // OpenAPI takes members of others only with this prefix.
      const says = valueAt(document, "sandbox") ?? valueAt(document, "x-sandbox");
      return is_listed && (says === true) !== facts.sandbox;
    });
    return gather(marked, "broken", {
      what: facts.sandbox ? "documents of a sandbox that look real" : "documents that say they are a sandbox's",
      fix: "Let no two nodes answer under one address.",
    });
  },
};

export const documentRules: readonly SelfRule[] = [
  prices,
  complete,
  walk,
  shapes,
  openAPI,
  canonical,
  foreign,
  sandbox,
];
