import { ANSWERED, answerOf, type EndpointFacts, MANIFESTS, OPTIONAL, tellStatus } from "../facts.ts";
import { gather, type SelfRule } from "../rule.ts";

const BYTES_MAX = 262_144;
const EXPOSED = ["payment-required", "payment-response", "x-request-id", "retry-after"];
const ALLOWED = ["payment-signature", "x-payment", "x-api-key", "content-type"];
const FIX = "Let the proxy in front pass methods and headers on as they are.";

/** Documents that are there. */
const served = (facts: EndpointFacts, paths: readonly string[]): readonly string[] =>
  paths.filter((path) => answerOf(facts, path).status === 200);

const lacking = (header: string | undefined, names: readonly string[]): readonly string[] => {
  const there = (header ?? "")
    .toLowerCase()
    .split(",")
    .map((name) => name.trim());
  return names.filter((name) => !there.includes(name));
};

const kept: SelfRule = {
  id: "etag",
  scope: "self",
  title: "documents of the catalog may be kept for minutes and are known again by their ETag",
  weight: 2,
  check: (facts) =>
    gather(
      served(facts, MANIFESTS).flatMap((path) => {
        const { headers } = answerOf(facts, path);
        if (!headers.etag) return [`${path} has no ETag`];
        if (!/max-age=[1-9]/.test(headers["cache-control"] ?? "")) return [`${path} may not be kept`];
        const again = answerOf(facts, path, "304");
        return again.status === 304 ? [] : [`${path} answers ${tellStatus(again)} to its own ETag`];
      }),
      "warning",
      { what: "ETag", fix: FIX },
    ),
};

const head: SelfRule = {
  id: "head",
  scope: "self",
  title: "HEAD of every free document is its GET without the body",
  weight: 1,
  check: (facts) =>
    gather(
      served(facts, [...MANIFESTS, ...ANSWERED]).flatMap((path) => {
        const { status, bytes, headers } = answerOf(facts, path, "HEAD");
        if (status !== 200) return [`${path} answers ${tellStatus(answerOf(facts, path, "HEAD"))} to HEAD`];
        if (bytes > 0) return [`${path} sends a body with HEAD`];
        const type = answerOf(facts, path).headers["content-type"];
        return headers["content-type"] === type ? [] : [`${path} has another type to HEAD`];
      }),
      "broken",
      { what: "HEAD", fix: FIX },
    ),
};

const cors: SelfRule = {
  id: "cors",
  scope: "self",
  title: "agents in browsers may read every public path and its payment headers",
  weight: 3,
  check(facts) {
    const paths = [...served(facts, [...MANIFESTS, ...ANSWERED]), ...facts.products];
    const faults = paths.flatMap((path) => {
      const { headers } = answerOf(facts, path);
      if (headers["access-control-allow-origin"] !== "*") return [`${path} may not be read by other origins`];
      const hidden = lacking(headers["access-control-expose-headers"], EXPOSED);
      return hidden.length > 0 ? [`${path} hides ${hidden.join(", ")}`] : [];
    });
    const preflights = paths.flatMap((path) => {
      const { status, headers } = answerOf(facts, path, "OPTIONS");
      if (status !== 204 && status !== 200)
        return [`${path} answers ${tellStatus(answerOf(facts, path, "OPTIONS"))} to OPTIONS`];
      const refused = lacking(headers["access-control-allow-headers"], ALLOWED);
      return refused.length > 0 ? [`${path} does not allow ${refused.join(", ")}`] : [];
    });
    return gather([...faults, ...preflights], "broken", { what: "CORS", fix: FIX });
  },
};

const size: SelfRule = {
  id: "size",
  scope: "self",
  title: "no free document is larger than 256 KiB",
  weight: 2,
  check: (facts) =>
    gather(
      served(facts, [...MANIFESTS, ...ANSWERED, ...OPTIONAL])
        .map((path) => ({ path, bytes: answerOf(facts, path).bytes }))
        .filter(({ bytes }) => bytes > BYTES_MAX)
        .map(({ path, bytes }) => `${path} has ${bytes} bytes`),
      "broken",
      {
        what: "too large for crawlers",
        fix: "Sell fewer products from one node, or shorten descriptions and examples.",
      },
    ),
};

const packed: SelfRule = {
  id: "gzip",
  scope: "self",
  title: "large documents are offered packed",
  weight: 1,
  check: (facts) =>
    gather(
      served(facts, MANIFESTS).filter((path) => {
        const { bytes, headers } = answerOf(facts, path);
        const is_text = /json|text/.test(headers["content-type"] ?? "");
        return is_text && bytes > 4_096 && !/accept-encoding/i.test(headers.vary ?? "");
      }),
      "warning",
      { what: "not offered packed", fix: "Let the proxy in front pass Accept-Encoding and Vary on." },
    ),
};

export const transportRules: readonly SelfRule[] = [kept, head, cors, size, packed];
