import { type Static, Type } from "@sinclair/typebox";
import {
  CHECK_RESULTS,
  CHECK_SEVERITIES,
  closed,
  count,
  nullable,
  number,
  oneOf,
  STRANGER_VERDICTS,
  text,
} from "intel-node";

export const AuditParams = Type.Object(
  {
    url: Type.Optional(
      Type.String({
        minLength: 10,
        maxLength: 2_048,
        pattern: "^https?://",
        description:
          "Address of the paid resource to look at. It is asked without paying, at most four times. This node " +
          "itself, at its public address, when left out.",
      }),
    ),
  },
  closed,
);

const Check = Type.Object(
  {
    id: text("The check's id, such as P5; the README lists them."),
    severity: oneOf(CHECK_SEVERITIES, "What a failure weighs."),
    result: oneOf(CHECK_RESULTS, "unknown is never a pass."),
    what: text("What is checked."),
    detail: text("What was seen."),
    fix: nullable(Type.String(), "How to put it right", "where nothing failed"),
  },
  closed,
);

const Accept = Type.Object(
  {
    network: text("CAIP-2 id where known, else as the seller writes it."),
    scheme: text("Payment scheme."),
    amount_atomic: nullable(Type.String(), "Price in the asset's smallest unit", "when it is not a whole number"),
    amount_usd: nullable(number("US dollars.", { decimals: 6 }), "For USDC", "for other assets"),
    asset: text("Contract, mint or asset id."),
    asset_name: nullable(Type.String(), "USDC where it is Circle's own; null where it is not known."),
    pay_to: text("The payee."),
  },
  closed,
);

const Screen = Type.Object(
  {
    address: text("A payTo address."),
    lists: oneOf(["hit", "clear", "unknown"] as const, "Sanctions lists of this node."),
    oracle: oneOf(["hit", "clear", "unknown", "not_applicable"] as const, "On-chain sanctions oracle; EVM only."),
  },
  closed,
);

const History = Type.Object(
  {
    network: text("CAIP-2 id."),
    address: text("A payTo address."),
    account_type: nullable(
      Type.Union((["eoa", "contract", "eip7702"] as const).map((one) => Type.Literal(one))),
      "What kind of account it is; null where the chain could not be asked.",
    ),
    payments: nullable(count("USDC payments it got, newest first."), "Null where no explorer says."),
    is_capped: Type.Boolean({ description: "Whether there can be more than were counted." }),
    payers: nullable(count("Different senders of those payments."), "Null where no explorer says."),
    last_paid_at: nullable(Type.String(), "ISO 8601 UTC of the newest; null without one, or where no explorer says."),
  },
  closed,
);

export const AuditSchema = Type.Object(
  {
    url: text("What was asked for."),
    final_url: text("Which address answered in the end."),
    verdict: oneOf(STRANGER_VERDICTS, "sound and acceptable need every critical check known and passed."),
    score: number("From 0 to 100; the README has the formula.", { decimals: 1 }),
    checks: Type.Array(Check, { description: "Every check, in the order of the README." }),
    payment: nullable(
      Type.Object(
        {
          version: nullable(Type.Integer(), "Protocol version the seller states; null when it states none."),
          accepts: Type.Array(Accept, { description: "Ways to pay." }),
        },
        closed,
      ),
      "What the seller asks for; null when it could not be read.",
    ),
    pay_to_screens: Type.Array(Screen, { description: "What is known of who is paid." }),
    pay_to_history: Type.Array(History, {
      description: "What the payees were paid before, on main networks: the public part of the seller's trade.",
    }),
    tls: nullable(
      Type.Object(
        {
          protocol: text("TLS version."),
          issuer: nullable(Type.String(), "Issuer of the certificate", "when it names none"),
          valid_to: text("End of the certificate, ISO 8601 UTC."),
        },
        closed,
      ),
      "The certificate",
      "without TLS",
    ),
    first_answer_ms: count("Time to the first answer, ms."),
    requests_made: count("Requests sent to the seller, redirects included."),
    report: Type.Object(
      {
        kind: Type.Literal("x402-audit", { description: "Kind of the signed text, as in its first line." }),
        text: text(
          "What is signed: url, verdict, score, time and the SHA-256 of checks, in canonical JSON (RFC 8785).",
        ),
        signature: text("Ed25519 over 'intel-node:x402-audit:v1', a line feed and text; base64url."),
        public_key: text("The node's raw Ed25519 key, base64url; /.well-known/did.json vouches for it."),
        badge_url: nullable(
          Type.String(),
          "A picture (SVG) of the verdict with its date, made of the signed report",
          "without a public address",
        ),
      },
      { ...closed, description: "The audit as a statement that can be handed on and checked." },
    ),
    limits_note: text("What was not checked."),
    not_advice: Type.Literal(true, { description: "This is not advice to pay." }),
  },
  closed,
);

export type AuditParams = Static<typeof AuditParams>;
export type AuditData = Static<typeof AuditSchema>;
