import { listAt, textAt, valueAt } from "../../core/json-values.ts";
import { answerOf, documentOf, type EndpointFacts, tellStatus } from "../facts.ts";
import { broken, type Finding, gather, hint, type SelfRule, warning } from "../rule.ts";
import { isLocal } from "./challenge.ts";

const MINUTE_MS = 60_000;
const PRIVATE =
  /^https?:\/\/(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|\[f[cd]|[^/]*\.(local|internal|lan)([:/]|$))/i;

const address: SelfRule = {
  id: "public-address",
  scope: "self",
  title: "the node's address is https with a name, on the open internet",
  weight: 4,
  check({ public_url, sandbox }) {
    if (sandbox) return null;
    const fix = "Set node.public_url to the https address agents reach the node under.";
    if (isLocal(public_url)) return [warning(`${public_url} can be reached from this machine only`, fix)];
    if (PRIVATE.test(public_url)) return [broken(`${public_url} is no address of the open internet`, fix)];
    if (!public_url.startsWith("https://")) return [broken(`${public_url} is not https: registries refuse it`, fix)];
    return /^https:\/\/(\d+\.|\[)/.test(public_url)
      ? [warning(`${public_url} has no name: icons and certificates need one`, fix)]
      : [];
  },
};

const isImage = (facts: EndpointFacts, path: string): boolean => {
  const [get, head] = [answerOf(facts, path), answerOf(facts, path, "HEAD")];
  return [get, head].every(
    ({ status, headers }) => status === 200 && (headers["content-type"] ?? "").startsWith("image/"),
  );
};

const icons: SelfRule = {
  id: "favicon",
  scope: "self",
  title: "there is an icon that registries find",
  weight: 1,
  check: (facts) =>
    gather(
      ["/favicon.ico", "/icon.png"].filter((path) => !isImage(facts, path)),
      "warning",
      { what: "no image to GET and HEAD", fix: "Let the proxy in front pass these paths on to the node." },
    ),
};

const robots: SelfRule = {
  id: "robots",
  scope: "self",
  title: "crawlers may read what they should, and a sandbox stays out of every index",
  weight: 2,
  check(facts) {
    const answer = answerOf(facts, "/robots.txt");
    const { status, text } = answer;
    if (status !== 200)
      return [warning(`/robots.txt answers ${tellStatus(answer)}`, "Let the proxy in front pass /robots.txt on.")];
    const lines = text.split("\n").map((line) => line.trim().toLowerCase());
    const closed = lines.includes("disallow: /");
    if (facts.sandbox)
      return closed ? [] : [broken("a sandbox lets itself be indexed", "Serve the node's own /robots.txt.")];
    return closed ? [broken("/robots.txt keeps every crawler out", "Serve the node's own /robots.txt.")] : [];
  },
};

const security: SelfRule = {
  id: "security-contact",
  scope: "self",
  title: "somebody who finds a hole knows whom to tell",
  weight: 1,
  check(facts) {
    const { status, text } = answerOf(facts, "/.well-known/security.txt");
    if (status !== 200) {
      return facts.sandbox
        ? null
        : [warning("there is no security.txt", "Set node.security_contact to an address or a page.")];
    }
    const expires = Date.parse(/^Expires:\s*(\S+)/im.exec(text)?.[1] ?? "");
    const valid = /^Contact:\s*\S+/im.test(text) && expires > facts.now_ms;
    return valid
      ? []
      : [warning("security.txt has no contact or has expired", "Restart the node: it renders a new one.")];
  },
};

const page: SelfRule = {
  id: "front-page",
  scope: "self",
  title: "the front page has what registries show of it",
  weight: 1,
  check(facts) {
    const answer = answerOf(facts, "/");
    const { status, text } = answer;
    if (status !== 200)
      return [warning(`/ answers ${tellStatus(answer)}`, "Let the proxy in front pass / on to the node.")];
    const needed: readonly (readonly [string, RegExp])[] = [
      ["a title", /<title>[^<]+<\/title>/i],
      ["a description", /<meta[^>]+name="?description/i],
      ["og:title", /<meta[^>]+property="?og:title/i],
      ["og:description", /<meta[^>]+property="?og:description/i],
      ["og:image", /<meta[^>]+property="?og:image/i],
      ["an icon", /<link[^>]+rel="?icon/i],
    ];
    const missing = needed.filter(([, pattern]) => !pattern.test(text)).map(([name]) => name);
    return gather(missing, "warning", { what: "/ lacks", fix: "Serve the node's own page under /." });
  },
};

/** More than this part of the products without data is no accident of one source. */
const FAILING_SHARE_MAX = 0.1;

const live: SelfRule = {
  id: "live",
  scope: "self",
  title: "the node is up, can be paid, and its data is fresh",
  weight: 4,
  check(facts) {
    const document = documentOf(facts, "/live");
    const fix = "See the log and /admin/status for what failed.";
    if (document === undefined) return [broken("/live cannot be read", fix)];
    const age_ms = facts.now_ms - Date.parse(textAt(document, "generated_at"));
    const stale = !(Math.abs(age_ms) < 5 * MINUTE_MS);
    const names = (key: string, name: string) =>
      listAt(document, key).flatMap((one) => (valueAt(one, "ok") === false ? [textAt(one, name)] : []));
    const findings: Finding[] = [];
    const status = textAt(document, "status");
    const reasons = listAt(document, "reasons").map(String).join("; ");
    const told = `its status is "${status}"${reasons === "" ? "" : `: ${reasons}`}`;
    if (status !== "ok") findings.push(status === "degraded" ? warning(told, fix) : broken(told, fix));
    const failing = names("products", "path");
    const many = failing.length > listAt(document, "products").length * FAILING_SHARE_MAX;
    if (stale && !facts.sandbox) {
      findings.push(warning("/live is not of now", "Let no proxy keep it, and set this machine's clock."));
    }
    if (listAt(document, "networks").every((one) => valueAt(one, "ok") !== true)) {
      findings.push(
        broken("no network can be paid on", "See `intel-node check` and the facilitators in the configuration."),
      );
    }
    return [
      ...findings,
      ...gather(names("networks", "network"), "warning", { what: "networks without a live facilitator", fix }),
      ...gather(failing, many ? "broken" : "warning", { what: "products whose last run gave no data", fix }),
      ...gather(names("upstreams", "provider"), "warning", { what: "upstreams that do not answer", fix }),
    ];
  },
};

const ownership: SelfRule = {
  id: "ownership",
  scope: "self",
  title: "the node signs for its manifest, and every address it is paid at for the node",
  weight: 4,
  check({ ownership: found, sandbox }) {
    const fix = "Run `intel-node wallet proof`, sign the texts, and put the signatures into the configuration.";
    if (found === null) return [broken("there is no signed manifest", "Let the proxy in front pass /.well-known/ on.")];
    if (!found.sound)
      return gather(found.doubts, "broken", {
        what: "signatures do not fit",
        fix: "Let no proxy rewrite documents; see `intel-node verify`.",
      });
    return sandbox ? [] : gather(found.doubts, "warning", { what: "not proven", fix });
  },
};

const sales: SelfRule = {
  id: "first-sale",
  scope: "self",
  title: "there is a settled payment that registries can look up",
  weight: 1,
  check(facts) {
    if (facts.sandbox) return null;
    const settled = listAt(documentOf(facts, "/receipts"), "items").length;
    const fix =
      "Buy from the node once, or turn bootstrap_trust on: catalogs list a product only after a real payment.";
    return settled > 0 ? [] : [warning("nothing was sold yet", fix)];
  },
};

/** Records that an operator sets elsewhere: nothing of it can be seen from the node. */
const records: SelfRule = {
  id: "records",
  scope: "self",
  title: "records outside the node",
  weight: 0,
  check({ public_url, sandbox, hints }) {
    if (sandbox || isLocal(public_url)) return null;
    return hints.map(({ about, fix }) => hint(about, fix));
  },
};

export const siteRules: readonly SelfRule[] = [address, icons, robots, security, page, live, ownership, sales, records];
