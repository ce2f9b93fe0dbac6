import { BASKET_ITEMS_MAX } from "../catalog/basket-items.ts";
import type { Catalog, CatalogProduct } from "../catalog/catalog.ts";
import type { TermsClass } from "../catalog/provider.ts";
import { NodeError } from "../core/errors.ts";
import { sha256Hex } from "../core/hash.ts";
import type { ReceiptRow, Receipts } from "../ledger/receipts.ts";
import type { Recovery } from "../payments/gate/recovery.ts";
import type { RecoveredCall } from "../payments/keys/recover-call.ts";
import { createBundle, listWithheld } from "../recompute/bundle.ts";
import { decodeInputs } from "../recompute/inputs-text.ts";
import type { Recipe } from "../recompute/recipe.ts";
import type { InputsStore } from "../stores/inputs-store.ts";
import type { ReceiptSeals } from "../trust/receipt-seals.ts";
import type { ReceiptSigner } from "../trust/receipts.ts";
import type { FreeRoute } from "./free-route.ts";
import type { HTTPCall } from "./http-call.ts";
import { createJSONAnswer } from "./json-answer.ts";
import { readQuery } from "./query.ts";
import type { Responder } from "./respond.ts";

export interface BundleRouteOptions {
  readonly responder: Responder;
  readonly receipts: Pick<Receipts, "get">;
  readonly seals: Pick<ReceiptSeals, "prove">;
  readonly signer: ReceiptSigner;
  readonly recovery: Recovery;
  readonly recoverCall: (id: string, headers: Headers) => Promise<RecoveredCall | null>;
  readonly inputs: Pick<InputsStore, "get"> | null;
  readonly catalog: () => Catalog;
  readonly now_ms: () => number;
  /** The node's DID document. */
  readonly did: () => unknown;
  /** Which program answers: version, commit, digest. */
  readonly program: () => Promise<object>;
}

const ID = /^(rcp|call)_[A-Za-z0-9]{1,60}$/;

/** What was answered, and what the books have of it. */
interface BundleSubject {
  readonly response_sha256: string | null;
  /** Null for a call of a key: it has no payment. */
  readonly receipt: ReceiptRow | null;
}

/** The same whatever is missing: a stranger learns nothing of a sale. */
const notThere = (): NodeError =>
  new NodeError(
    "not_found",
    "There is no such bundle for you. It is for who paid: send the payment you paid with; or a newly signed one, " +
      "which is not settled, and ?payment=<id of the payment>; or the key of the call. It is kept for a while only, " +
      "and it takes a moment to be there.",
  );

/**
 * A sold answer with all it follows from: for who paid it, and for everybody where the free preview would show as much.
 */
export function createBundleRoutes(options: BundleRouteOptions): readonly FreeRoute[] {
  const { responder, receipts, seals, signer, recovery, inputs } = options;
  const json = createJSONAnswer(responder, "no-store");

  /** Whether the headers show who paid for a receipt. */
  async function isPayer(receipt: ReceiptRow, payment: string, { request, client }: HTTPCall): Promise<boolean> {
    const found = await recovery.find(payment, { headers: request.headers, client });
    if (found === null || found.row.receipt_id !== receipt.id) return false;
    return found.is_proven === true || found.answer !== null;
  }

  async function identify(id: string, headers: Headers): Promise<BundleSubject> {
    const receipt = id.startsWith("call_") ? null : await receipts.get(id);
    if (receipt !== null) return { response_sha256: receipt.response_sha256, receipt };
    const call = await options.recoverCall(id, headers);
    return { response_sha256: call === null || call.answer === null ? null : sha256Hex(call.answer), receipt: null };
  }

  const handler = async (http_call: HTTPCall): Promise<Response> => {
    const id = new URL(http_call.request.url).pathname.split("/")[2] ?? "";
    const query = readQuery(http_call.search, ["payment", "item"] as const);
    const payment = query.text("payment") ?? "";
    const item = query.whole("item", BASKET_ITEMS_MAX - 1);
    if (!ID.test(id) || payment.length > 300) throw notThere();
    const { response_sha256, receipt } = await identify(id, http_call.request.headers);
    const kept = response_sha256 === null ? null : (inputs?.get(response_sha256) ?? null);
    // Before the payment is looked at: how often it may be shown alone is counted.
    if (kept === null) throw notThere();
    const catalog = options.catalog();
    const termsOf = createTerms(catalog);
    const recipe = JSON.parse(kept.recipe) as Recipe;
    const product = catalog.products.find(({ default_path }) => default_path === recipe.path);
    const is_payer = receipt === null || (await isPayer(receipt, payment, http_call));
    const is_free = product !== undefined && isFree(product, recipe, { termsOf, now_ms: options.now_ms() });
    if (!is_payer && !(is_free && item === undefined)) throw notThere();
    const shown = item === undefined ? kept : findItem(kept, item);
    if (shown === null) throw notThere();
    const proven = receipt === null ? null : await seals.prove(receipt);
    const seal = proven === null || "reason" in proven ? null : proven;
    return json(http_call, {
      ...createBundle(shown, { is_payer, termsOf }),
      // What proves the item is that the basket's own bytes, which receipt and seal are of, hold its hash.
      ...(item === undefined ? {} : { basket: { item, answer: kept.body, response_sha256 } }),
      request_sha256: receipt?.request_sha256 ?? null,
      receipt: receipt === null ? null : { id, x402: signer.official(receipt), node: signer.own(receipt) },
      seal,
      ...(proven !== null && "reason" in proven ? { not_sealed: proven.reason } : {}),
      node: options.did(),
      program: await options.program(),
    });
  };

  /** An item of a basket, as it was made for it or for others before. */
  function findItem({ body }: { readonly body: string }, index: number) {
    const { data } = JSON.parse(body) as {
      readonly data?: { readonly items?: readonly { readonly sha256?: string }[] };
    };
    const sha256 = data?.items?.[index]?.sha256;
    return typeof sha256 === "string" ? (inputs?.get(sha256) ?? null) : null;
  }

  return [{ path: "/receipts/:id/bundle", methods: ["GET"], handler }];
}

/** This node's own books, and files of operators' plugins that name no provider, are nobody's. */
const OWN_SOURCES: ReadonlySet<string> = new Set(["this_node"]);

/** What is read of somebody who is no provider, such as an audited seller, was never agreed with him. */
const createTerms = ({ providers }: Catalog) => {
  const known = new Map(providers.map(({ id, terms }) => [id, terms.class]));
  return (provider: string): TermsClass | null =>
    OWN_SOURCES.has(provider) ? null : (known.get(provider) ?? "unclear");
};

/**
 * What everybody may have is what the free preview gives away: an answer for parameters that say nothing of a buyer, as
 * old as previews are, nothing of it withheld, all sources free to hand on.
 */
function isFree(
  product: CatalogProduct,
  { params, now_ms: made_at_ms, sources }: Recipe,
  { termsOf, now_ms }: { readonly termsOf: ReturnType<typeof createTerms>; readonly now_ms: number },
): boolean {
  const { definition, preview_delay_ms } = product;
  const is_own = definition.uses_payer === true || definition.form !== undefined;
  if (is_own || definition.preview.redact !== undefined || now_ms - made_at_ms < preview_delay_ms) return false;
  const asked = JSON.stringify(decodeInputs(params));
  const shown = product.previewRequests().some((request) => JSON.stringify(request.params) === asked);
  return shown && listWithheld(sources, { is_payer: false, termsOf }).length === 0;
}
