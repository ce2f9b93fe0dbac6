import type { CatalogProduct } from "../../catalog/catalog.ts";
import { readMember } from "../codec.ts";
import { familyOf } from "../networks/families.ts";
import { PaymentRefusal } from "../refusal.ts";
import { createRequirements } from "../requirements.ts";
import type { Offer } from "../types.ts";
import { listUpto } from "../upto/terms.ts";
import type { ReadPayment } from "./read-payment.ts";

/** One field of a refused payment beside what it should have been. */
export interface ComparedField {
  readonly field: string;
  readonly received: string | null;
  readonly expected: string;
  readonly ok: boolean;
}

const VALUE_CHARS_MAX = 120;
const show = (value: unknown): string | null =>
  value === undefined || value === null
    ? null
    : (typeof value === "string" ? value : JSON.stringify(value)).slice(0, VALUE_CHARS_MAX);

/** What a header has to hold at all, beside what it holds, for a payment that could not be read. */
function compareShape(
  sent: unknown,
  { product, offers }: Pick<ExplainedRefusal, "product" | "offers">,
): ComparedField[] {
  const accepted = readMember(sent, "accepted");
  const network = readMember(accepted, "network") ?? readMember(sent, "network");
  const scheme = readMember(accepted, "scheme") ?? readMember(sent, "scheme");
  const version = readMember(sent, "x402Version");
  const offered = createRequirements(product, offers).map((one) => one.network);
  const payload = readMember(sent, "payload");
  const schemes = ["exact", ...new Set(listUpto(product, offers).map((one) => one.scheme))];
  return [
    {
      field: "header",
      received: sent === null ? null : "base64 of JSON",
      expected: "base64 of UTF-8 JSON, at most 12288 characters",
      ok: sent !== null,
    },
    {
      field: "x402Version",
      received: show(version),
      expected: "2 in PAYMENT-SIGNATURE, 1 in X-PAYMENT",
      ok: version === 1 || version === 2,
    },
    {
      field: "scheme",
      received: show(scheme),
      expected: schemes.join(" or "),
      ok: schemes.some((one) => one === scheme),
    },
    {
      field: "network",
      received: show(network),
      expected: offered.join(" or "),
      ok: offered.some((one) => one === network),
    },
    {
      field: "accepted",
      received: show(accepted),
      expected: "the entry of accepts[] that was chosen, unchanged",
      ok: accepted !== undefined,
    },
    {
      field: "payload",
      received: typeof payload === "object" ? show(payload) : null,
      expected: "what the client signed for that entry",
      ok: typeof payload === "object" && payload !== null,
    },
  ];
}

export interface ExplainedRefusal {
  /** Null when the payment could not be read. */
  readonly read: ReadPayment | null;
  /** What the header held then; null where it was no JSON. */
  readonly sent: unknown;
  readonly product: CatalogProduct;
  readonly offers: readonly Offer[];
  readonly now_ms: number;
  readonly docs: string;
}

/** The same refusal with everything that was compared, for a client that met it before and did not understand. */
export function explainRefusal(refusal: PaymentRefusal, about: ExplainedRefusal): PaymentRefusal {
  const { code, diagnostic, failed_settlement, options } = refusal;
  const fields = about.read ? compareFields(about.read, about) : compareShape(about.sent, about);
  return new PaymentRefusal(code, { ...diagnostic, fields, docs: `${about.docs}#${code}` }, failed_settlement, options);
}

function compareFields(read: ReadPayment, { product, offers, now_ms }: ExplainedRefusal): readonly ComparedField[] {
  const { incoming, network, signed } = read;
  const requirement =
    listUpto(product, offers).find((one) => one.scheme === incoming.scheme && one.network === network.id) ??
    createRequirements(product, offers).find((one) => one.network === network.id);
  const fields: ComparedField[] = [];
  const compare = (field: string, received: unknown, expected: string) => {
    const shown = show(received);
    fields.push({ field, received: shown, expected, ok: shown?.toLowerCase() === expected.toLowerCase() });
  };
  const offered = offers.map((offer) => offer.network.id).join(" or ");
  compare("scheme", incoming.scheme, requirement?.scheme ?? "exact");
  if (!requirement) {
    fields.push({ field: "network", received: show(incoming.network), expected: offered, ok: false });
    return fields;
  }
  compare("network", incoming.network, requirement.network);
  for (const name of incoming.accepted ? (["asset", "payTo", "amount"] as const) : []) {
    compare(`accepted.${name}`, incoming.accepted?.[name], requirement[name]);
  }
  const texts = familyOf(network).describe?.(incoming.payload) ?? {};
  for (const name of ["payTo", "amount"] as const) {
    if (texts[name] !== undefined) compare(`payload: ${name}`, texts[name], requirement[name]);
  }
  const now_s = Math.floor(now_ms / 1000);
  if (texts.validAfter !== undefined) {
    const ok = Number(texts.validAfter) <= now_s;
    fields.push({ field: "payload: validAfter", received: show(texts.validAfter), expected: `at most ${now_s}`, ok });
  }
  const until_s = Math.floor(signed.valid_until_ms / 1000);
  const lasts = { field: "payload: valid until", received: String(until_s), expected: `${now_s + 10} or later` };
  fields.push({ ...lasts, ok: until_s >= now_s + 10 });
  for (const [name, value] of Object.entries(requirement.extra)) {
    if (name !== "feePayer")
      compare(
        `accepted.extra.${name}`,
        incoming.accepted?.extra ? readMember(incoming.accepted.extra, name) : null,
        show(value) ?? "",
      );
  }
  return fields;
}
