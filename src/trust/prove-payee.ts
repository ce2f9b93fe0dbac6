import type { PayeeAddress, PayeeProof } from "../records/payee-proof.ts";
import { type CheckedDocuments, checkPeerDocuments } from "./check-documents.ts";
import { resourcesOf } from "./peer-documents.ts";
import { addOwnerStep } from "./peer-payees.ts";
import { createSteps, isSameAddress, type PeerParts, type PeerSteps } from "./peer-types.ts";

/**
 * Whether an address at which a node wants to be paid is its own, by its signed documents: the checks of the command
 * `verify` for one address. It trusts only what it computed itself, and never throws because of the node's answers.
 * @param origin without a slash at its end.
 */
export async function provePayee(origin: string, payee: PayeeAddress, parts: PeerParts): Promise<PayeeProof> {
  const steps = createSteps();
  const checked = await checkPeerDocuments(origin, parts, steps);
  // Whoever shows no such documents, as most sellers do, contradicts nothing.
  if (checked.missing !== undefined) {
    return { ...payee, node_id: null, sandbox: false, proven_by: "nothing", steps: steps.list };
  }
  const of = { ...payee, node_id: checked.signed?.node_id ?? null, sandbox: checked.sandbox };
  const network = parts.networkOf(payee.network) ?? payee.network;
  const is_named = checkManifest(checked, { ...payee, network }, { ...parts, steps });
  const is_owned = addOwnerStep({ ...payee, network }, checked.signed?.wallets ?? [], steps);
  const is_refused = steps.list.some(({ state }) => state === "failed");
  const proven_by = is_owned ? "wallet" : is_named && of.node_id !== null ? "manifest" : "nothing";
  return { ...of, proven_by: is_refused ? "refused" : proven_by, steps: steps.list };
}

/** Whether the manifest lists the address as a receiving address on its network. */
function checkManifest(
  { manifest }: CheckedDocuments,
  { network, pay_to }: PayeeAddress,
  { networkOf, steps }: Pick<PeerParts, "networkOf"> & { readonly steps: PeerSteps },
): boolean {
  const named = resourcesOf(manifest)
    .flatMap(({ accepts = [] }) => accepts)
    .filter((one) => (networkOf(one.network) ?? one.network) === network);
  const name = `manifest ${network}`;
  if (named.length === 0) {
    steps.add(name, "unproven", "it states nobody who is paid on this network");
    return false;
  }
  return steps.check(
    name,
    named.some(({ payTo }) => isSameAddress(payTo, pay_to)),
    { good: `it names ${pay_to}`, bad: `it names ${named[0]?.payTo}, not ${pay_to}` },
  );
}
