import type { AuditedAnswer, EndpointFacts } from "../../src/audit/facts.ts";
import { sha256Hex } from "../../src/core/hash.ts";

type Json = Record<string, unknown>;
export type Change = (facts: EndpointFacts) => EndpointFacts;

/** The facts with one answer changed. */
export const withAnswer =
  (key: string, change: (answer: AuditedAnswer) => Partial<AuditedAnswer>): Change =>
  (facts) => {
    const answer = facts.answers.get(key);
    if (!answer) throw new Error(`nothing was asked as ${key}`);
    return { ...facts, answers: new Map([...facts.answers, [key, { ...answer, ...change(answer) }]]) };
  };

/** The facts with a JSON document changed in place. */
export const withDocument = (path: string, change: (document: Json) => void): Change =>
  withAnswer(`GET ${path}`, ({ text }) => {
    const document = JSON.parse(text) as Json;
    change(document);
    return { text: JSON.stringify(document) };
  });

export const withHeader = (key: string, name: string, value: string): Change =>
  withAnswer(key, ({ headers }) => ({ headers: { ...headers, [name]: value } }));

/** The facts with the header of a product's 402 changed; its body stays as it is. */
export const withChallenge = (path: string, change: (challenge: Json) => void): Change =>
  withAnswer(`GET ${path}`, ({ headers }) => {
    const challenge = JSON.parse(Buffer.from(headers["payment-required"] ?? "", "base64").toString()) as Json;
    change(challenge);
    return { headers: { ...headers, "payment-required": encode(challenge) } };
  });

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64");

const PUBLIC_URL = "https://node.example.com";

/** What the same node would be seen as at a public address, with real money and a contact. */
export function asPublic(facts: EndpointFacts): EndpointFacts {
  const did = `did:web:${new URL(facts.public_url).host.replace(":", "%3A")}`;
  const moved = (text: string) =>
    text
      .replaceAll(facts.public_url, PUBLIC_URL)
      .replaceAll(did, "did:web:node.example.com")
      .replaceAll(/"(x-)?sandbox":true,|,"(x-)?sandbox":true/g, "");
  const answers = [...facts.answers].map(([key, answer]): [string, AuditedAnswer] => {
    const text = moved(answer.text);
    const required = answer.headers["payment-required"];
    const digest = `sha-256=:${Buffer.from(sha256Hex(text), "hex").toString("base64")}:`;
    const headers = {
      ...answer.headers,
      ...(required
        ? { "payment-required": encode(JSON.parse(moved(Buffer.from(required, "base64").toString()))) }
        : {}),
      ...(answer.headers["repr-digest"] ? { "repr-digest": digest } : {}),
    };
    return [key, { ...answer, text, headers }];
  });
  const security = "Contact: mailto:security@node.example.com\nExpires: 2999-01-01T00:00:00Z\n";
  const receipts = { items: [{}], totals: {}, node_id: "in1", generated_at: "2026-11-20T00:00:00Z" };
  const of = (key: string, text: string): [string, AuditedAnswer] => {
    const headers = facts.answers.get(key)?.headers ?? {};
    return [key, { status: 200, headers, text, bytes: text.length }];
  };
  return {
    ...facts,
    sandbox: false,
    public_url: PUBLIC_URL,
    ownership: { verdict: "verified", doubts: [], sound: true },
    answers: new Map([
      ...answers,
      of("GET /robots.txt", "User-agent: *\nAllow: /\n"),
      of("GET /.well-known/security.txt", security),
      of("GET /receipts", JSON.stringify(receipts)),
    ]),
  };
}
