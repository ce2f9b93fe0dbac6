import { Type } from "@sinclair/typebox";
import type { CatalogProduct } from "../../catalog/catalog.ts";
import type { Envelope } from "../../catalog/envelope.ts";
import { getNodeIds } from "../../catalog/stand-in.ts";
import { compileSchema } from "../../core/compile-schema.ts";
import { parseJSON } from "../../core/json-values.ts";

const Text = Type.String({ maxLength: 2_000 });
const Via = Type.Object(
  {
    node_id: Text,
    url: Text,
    receipt_id: Text,
    receipt: Type.String({ maxLength: 8_192 }),
    seal_url: Text,
    response_sha256: Text,
    answer: Type.Record(Type.String(), Type.Unknown()),
  },
  { additionalProperties: false },
);
const Headline = Type.Object(
  {
    value: Type.Union([Type.Number(), Text, Type.Null()]),
    unit: Type.Union([Text, Type.Null()]),
    sense: Type.Union([Text, Type.Null()]),
  },
  { additionalProperties: false },
);
const PeerEnvelope = Type.Object(
  {
    product: Text,
    text: Type.Optional(Text),
    headline: Type.Optional(Type.Union([Headline, Type.Null()])),
    node_id: Text,
    as_of: Text,
    generated_at: Text,
    delayed: Type.Literal(false),
    sandbox: Type.Optional(Type.Literal(true)),
    sources: Type.Array(
      Type.Object({ provider: Text, url: Text, fetched_at: Text, ok: Type.Boolean() }, { additionalProperties: true }),
      { maxItems: 500 },
    ),
    warnings: Type.Array(Text, { maxItems: 500 }),
    via: Type.Optional(Via),
    data: Type.Unknown(),
  },
  { additionalProperties: false },
);
const checkEnvelope = compileSchema(PeerEnvelope);

/** How far a peer's clock may be ahead of ours. */
const AHEAD_MS_MAX = 120_000;

export interface AnswerRules {
  readonly product: CatalogProduct;
  /** The peer that was paid. */
  readonly node_id: string;
  /** This node, and those the call came through: their own answer would go round in a circle. */
  readonly not_through: readonly string[];
  readonly sandbox: boolean;
  readonly now_ms: number;
}

export interface ReadAnswer {
  readonly envelope: Envelope;
  readonly as_of_ms: number;
  readonly generated_at_ms: number;
}

/** Holds a peer's bytes to what this node would have sold itself. @returns a text: why it is not sold. */
export function readPeerProduct(body: string, rules: AnswerRules): ReadAnswer | string {
  const { product, node_id, not_through, sandbox, now_ms } = rules;
  const value = parseJSON(body);
  if (!checkEnvelope.Check(value)) {
    const fault = checkEnvelope.Errors(value).First();
    return `it is no answer of a node: ${fault?.path || "it"}: ${fault?.message}`;
  }
  const envelope = value as unknown as Envelope;
  if (envelope.product !== product.id || envelope.node_id !== node_id) return "it names another product or node";
  if ((envelope.sandbox === true) !== sandbox) return sandbox ? "it is no sandbox's" : "it is a sandbox's";
  const fault = product.data_check.Check(envelope.data) ? null : product.data_check.Errors(envelope.data).First();
  if (fault) return `its data does not match the schema at "${fault.path}": ${fault.message}`;
  const [as_of_ms, generated_at_ms] = [Date.parse(envelope.as_of), Date.parse(envelope.generated_at)];
  if (!Number.isFinite(as_of_ms) || !Number.isFinite(generated_at_ms)) return "it does not say of when it is";
  if (Math.max(as_of_ms, generated_at_ms) > now_ms + AHEAD_MS_MAX) return "it is of a time to come";
  const { max_age_ms, ttl_ms } = product;
  if (max_age_ms !== null && now_ms - as_of_ms > max_age_ms) return "its data is too old";
  // An answer that is kept nowhere is made when it is asked for.
  if (now_ms - generated_at_ms > ttl_ms + AHEAD_MS_MAX) return "it was made too long ago";
  // One node further at most: what that one says of others is in nobody's form.
  if (value.via !== undefined && "via" in value.via.answer) return "it came through too many nodes";
  const through = envelope.via === undefined ? [] : getNodeIds(envelope.via);
  if (through.some((id) => not_through.includes(id))) return "it is this call's own answer: it ran in a circle";
  // The bytes follow from what is carried on, so that its buyer can check the peer's signature over them.
  const { data, ...others } = envelope;
  if (JSON.stringify({ ...others, data }) !== body) return "its bytes are not those of its members";
  return { envelope, as_of_ms, generated_at_ms };
}
