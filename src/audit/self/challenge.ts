import { listAt, textAt, valueAt } from "../../core/json-values.ts";
import { answerOf, type EndpointFacts, tellStatus } from "../facts.ts";
import { HEAD_BYTES, sizeOfHead } from "../head-size.ts";
import { findSchemaFault } from "../json-schema.ts";
import { challengeOf } from "../prices.ts";
import { broken, gather, type SelfRule, warning } from "../rule.ts";

const DESCRIPTION_CHARS = 450;
const LABEL = /^[\x20-\x7e]{1,32}$/;
const ICON_CHARS = 2_048;

/** Products for which something is wrong, each with what. */
const faultsOf = ({ products }: EndpointFacts, find: (path: string) => string | null): readonly string[] =>
  products.flatMap((path) => {
    const fault = find(path);
    return fault === null ? [] : [`${path} ${fault}`];
  });

const REQUIREMENT = {
  type: "object",
  required: ["scheme", "network", "amount", "asset", "payTo", "maxTimeoutSeconds", "extra"],
  properties: {
    scheme: { type: "string", minLength: 1 },
    network: { type: "string", pattern: "^[-a-z0-9]{3,12}:[-_a-zA-Z0-9+/=]{1,64}$" },
    amount: { type: "string", pattern: "^[1-9][0-9]{0,30}$" },
    asset: { type: "string", minLength: 1 },
    payTo: { type: "string", minLength: 1 },
    maxTimeoutSeconds: { type: "integer", minimum: 1 },
    extra: { type: "object" },
  },
};
/** PaymentRequired of x402 version 2. */
const PAYMENT_REQUIRED = {
  type: "object",
  required: ["x402Version", "resource", "accepts"],
  properties: {
    x402Version: { const: 2 },
    error: { type: "string" },
    resource: {
      type: "object",
      required: ["url"],
      properties: {
        url: { type: "string", minLength: 1 },
        description: { type: "string" },
        mimeType: { type: "string" },
      },
    },
    accepts: { type: "array", minItems: 1, items: REQUIREMENT },
    extensions: { type: "object" },
  },
};

const asked: SelfRule = {
  id: "asks-for-payment",
  scope: "self",
  title: "every product answers a bare call with 402 and its price, in header and body",
  weight: 10,
  check(facts) {
    if (facts.products.length === 0) {
      return [
        broken(
          "no document names a product",
          "Enable a plugin, or see `intel-node check` for what keeps products back.",
        ),
      ];
    }
    const faults = faultsOf(facts, (path) => {
      const answer = answerOf(facts, path);
      if (answer.status !== 402) return `answers ${tellStatus(answer)}`;
      const { header_value, body_value } = challengeOf(facts, path);
      const fault = findSchemaFault(PAYMENT_REQUIRED, header_value);
      if (fault) return `has a header in which ${fault}`;
      const in_body = findSchemaFault(PAYMENT_REQUIRED, body_value);
      return in_body ? `has a body in which ${in_body}` : null;
    });
    return gather(faults, "broken", {
      what: "no readable 402",
      fix: "See /readyz and /admin/status: a network without a live facilitator cannot be asked for.",
    });
  },
};

const head: SelfRule = {
  id: "head-of-402",
  scope: "self",
  title: "HEAD of a product shows the same 402, and nobody may keep one",
  weight: 3,
  check: (facts) => [
    ...gather(
      faultsOf(facts, (path) => {
        const { status, headers, bytes } = answerOf(facts, path, "HEAD");
        if (status !== 402) return `answers ${tellStatus(answerOf(facts, path, "HEAD"))} to HEAD`;
        if (bytes > 0) return "sends a body with HEAD";
        return headers["payment-required"] ? null : "has no PAYMENT-REQUIRED to HEAD";
      }),
      "broken",
      { what: "HEAD", fix: "Let the proxy in front pass HEAD on as it is." },
    ),
    ...gather(
      faultsOf(facts, (path) =>
        /no-store/.test(answerOf(facts, path).headers["cache-control"] ?? "") ? null : "may be kept",
      ),
      "broken",
      {
        what: "402 without no-store",
        fix: "Let the proxy in front leave Cache-Control alone: a kept 402 serves old prices.",
      },
    ),
  ],
};

const headSize: SelfRule = {
  id: "head-size",
  scope: "self",
  title: "the whole head of a 402 has less than 4,000 bytes, and so passes every stock proxy",
  weight: 5,
  check(facts) {
    const size = (path: string) => sizeOfHead(Object.entries(answerOf(facts, path).headers));
    const above = (limit: number) =>
      facts.products.filter((path) => size(path) >= limit).map((path) => `${path} has ${size(path)} bytes`);
    const fix =
      "Let the proxy in front add fewer headers, and shorten node.public_url: stock nginx answers 502 otherwise.";
    const [large, huge] = [above(HEAD_BYTES.fits), above(HEAD_BYTES.max)];
    return huge.length > 0
      ? gather(huge, "broken", { what: "head above 8 KiB", fix })
      : gather(large, "warning", { what: "head of 4,000 bytes or more", fix });
  },
};

function findLimitFault(facts: EndpointFacts, path: string): string | null {
  const { header_value, body_value } = challengeOf(facts, path);
  const resource = valueAt(header_value, "resource");
  // What a head has no room for is in the body alone.
  const description = textAt(resource, "description") || textAt(body_value, "resource", "description");
  if (description === "") return "has no description";
  if (description.length > DESCRIPTION_CHARS) return `has a description of ${description.length} characters`;
  const name = valueAt(resource, "serviceName");
  if (name !== undefined && !LABEL.test(String(name))) return "has a serviceName that is no short printable ASCII";
  const tags = listAt(resource, "tags").map(String);
  if (tags.length > 5) return `has ${tags.length} tags`;
  if (tags.some((tag) => !LABEL.test(tag))) return "has a tag that is no short printable ASCII";
  if (new Set(tags.map((tag) => tag.toLowerCase())).size < tags.length) return "has a tag twice";
  const url = textAt(resource, "url");
  return url === `${facts.public_url}${path}` ? null : `names ${url || "no address"} as its resource`;
}

const limits: SelfRule = {
  id: "resource-limits",
  scope: "self",
  title: "description, name, tags and address of every product are what facilitators and registries take",
  weight: 6,
  check: (facts) =>
    gather(
      faultsOf(facts, (path) => findLimitFault(facts, path)),
      "broken",
      {
        what: "outside the limits",
        fix: "Keep to 450 characters of description and 5 tags of 32 ASCII characters, and set node.public_url.",
      },
    ),
};

const icon: SelfRule = {
  id: "icon",
  scope: "self",
  title: "the icon has an address that registries take",
  weight: 1,
  check(facts) {
    if (isLocal(facts.public_url)) return null;
    const icons = facts.products.map((path) => textAt(challengeOf(facts, path).header_value, "resource", "iconUrl"));
    const bad = [...new Set(icons)].filter((url) => url !== "" && !isIcon(url));
    return gather(bad, "warning", {
      what: "icon",
      fix: "Set node.public_url to an address with a name; an icon there is shown by registries.",
    });
  },
};

const isIcon = (url: string): boolean => {
  if (url.length > ICON_CHARS || !URL.canParse(url)) return false;
  const { protocol, hostname, username, password } = new URL(url);
  const is_name = hostname !== "localhost" && !/^[\d.]+$/.test(hostname) && !hostname.startsWith("[");
  return /^https?:$/.test(protocol) && is_name && username === "" && password === "";
};

/** Whether an address is of this machine only. */
export const isLocal = (url: string): boolean => /^https?:\/\/(localhost|127\.|\[::1\])/.test(url);

function findBazaarFault(facts: EndpointFacts, path: string): string | null {
  const { header_value, body_value } = challengeOf(facts, path);
  const bazaar = valueAt(header_value, "extensions", "bazaar");
  if (bazaar === undefined) return "has no extensions.bazaar";
  const [info, schema] = [valueAt(bazaar, "info"), valueAt(bazaar, "schema")];
  const input = valueAt(info, "input");
  if (valueAt(input, "type") !== "http" || textAt(input, "method") === "")
    return "has no input of type http with a method";
  const fault = findSchemaFault(schema, info, { where: "info" });
  if (fault) return `does not follow its own schema: ${fault}`;
  const of_input = valueAt(schema, "properties", "input", "properties");
  const in_schema = valueAt(of_input, "queryParams", "type") ?? valueAt(of_input, "body", "type");
  if (in_schema !== "object") return "has no schema of its input";
  const in_body = valueAt(body_value, "extensions", "bazaar");
  const of_output = ["properties", "output", "properties", "example", "type"] as const;
  if ((valueAt(schema, ...of_output) ?? valueAt(in_body, "schema", ...of_output)) !== "object")
    return "has no schema of its output";
  const example = valueAt(info, "output", "example") ?? valueAt(in_body, "info", "output", "example");
  const empty = typeof example !== "object" || example === null || Object.keys(example).length === 0;
  return empty ? "has an empty example" : null;
}

const bazaar: SelfRule = {
  id: "bazaar",
  scope: "self",
  title: "every 402 says how to call the product in the form the Bazaar indexes",
  weight: 6,
  check: (facts) =>
    gather(
      faultsOf(facts, (path) => findBazaarFault(facts, path)),
      "broken",
      {
        what: "cannot be indexed",
        fix: "Give the product an example and a schema that the example follows.",
      },
    ),
};

const networks: SelfRule = {
  id: "networks",
  scope: "self",
  title: "every product can be paid on the same networks, or where it takes long on some of them",
  weight: 1,
  check(facts) {
    const of = (path: string) =>
      listAt(challengeOf(facts, path).header_value, "accepts")
        .map((entry) => textAt(entry, "network"))
        .sort()
        .join(" ");
    const sets = [...new Set(facts.products.map(of))].sort((a, b) => b.length - a.length);
    const [widest = "", ...others] = sets;
    // What takes longer than a network's payments live is sold on the others alone.
    const isPart = (set: string) => set !== "" && set.split(" ").every((network) => widest.includes(network));
    const other = others.find((set) => !isPart(set));
    return other === undefined
      ? []
      : [
          warning(
            `products differ in their networks: ${widest} / ${other}`,
            "Run the audit again: networks may just have changed.",
          ),
        ];
  },
};

export const challengeRules: readonly SelfRule[] = [asked, head, headSize, limits, icon, bazaar, networks];
