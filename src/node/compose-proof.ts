import { join } from "node:path";
import type { Catalog } from "../catalog/catalog.ts";
import type { Answerer } from "../catalog/make-answer.ts";
import { systemTimers } from "../core/clock.ts";
import { parseDuration } from "../core/duration.ts";
import { COMMIT } from "../releases/version.ts";
import { type InputsStore, openInputsStore } from "../stores/inputs-store.ts";
import { createSelfCheck } from "../stores/self-check.ts";
import { createReceiptSeals, type ReceiptSealOptions } from "../trust/receipt-seals.ts";
import type { Core, StartOptions } from "./parts.ts";

/** A product that sells keys is known by its plugin, also while it is not on sale: receipts tell of it still. */
const composeSeals = ({ ledger, ...parts }: SealParts, { plugins }: Pick<Catalog, "plugins">) =>
  createReceiptSeals({
    ...parts,
    receipts: ledger.receipts,
    isPlan: (id) =>
      plugins.some(({ products }) => products.some(({ product }) => product.path === `/${id}` && product.plan)),
  });

/** A seal names what is durable, and nothing else. */
const findOriginIn =
  (inputs: Core["inputs"]): NonNullable<ReceiptSealOptions["findOrigin"]> =>
  (response_sha256) =>
    inputs?.identify(response_sha256) ?? null;

type SealParts = Omit<ReceiptSealOptions, "receipts" | "isPlan"> & { readonly ledger: Core["ledger"] };

const MB = 1_000_000;

/** Opens what sold answers were made of; null where the operator keeps none. */
function composeInputs(
  { config, data_dir, clock, timers = systemTimers, log, version }: StartOptions,
  { is_simulated, ...answerer }: Answerer & { readonly is_simulated: boolean },
): InputsStore | null {
  const { keep, max_mb } = config.proof.inputs;
  if (max_mb === 0) return null;
  return openInputsStore({
    file: join(data_dir, is_simulated ? "inputs-sandbox.db" : "inputs.db"),
    keep_ms: parseDuration(keep),
    bytes_max: max_mb * MB,
    maker: { ...answerer, version: COMMIT === "unknown" ? version : `${version} (${COMMIT})` },
    clock,
    timers,
    log: (event) => (event.event === "inputs_kept_again" ? log.info({ ...event }) : log.warn({ ...event })),
  });
}

type ProofParts = Pick<SealParts, "ledger" | "records" | "signer"> & {
  readonly node_id: string;
  readonly catalog: Catalog;
};

/** What anybody can check of what was sold: what answers were made of, seals over them, and our own look at it. */
export function composeProof(
  options: StartOptions,
  { node_id, ledger, records, signer, catalog }: ProofParts,
): Pick<Core, "inputs" | "receipt_seals" | "self_check"> {
  const { clock, log, sandbox } = options;
  const is_simulated = sandbox !== null && !sandbox.live_data;
  const inputs = composeInputs(options, { node_id, sandbox: sandbox !== null, is_simulated });
  const sealed = { ledger, records, signer, now_ms: clock.now, findOrigin: findOriginIn(inputs) };
  return {
    inputs,
    receipt_seals: composeSeals(sealed, catalog),
    self_check: createSelfCheck({ inputs, catalog: () => catalog, clock, log: log.error }),
  };
}
