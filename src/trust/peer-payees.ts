import { readChallenge } from "../challenge-reader/read-challenge.ts";
import { type PeerManifest, type PeerRequirement, readRequirements, resourcesOf } from "./peer-documents.ts";
import { isSameAddress, type PeerParts, type PeerSteps } from "./peer-types.ts";
import type { ProvenWallet } from "./peer-wallets.ts";

/** A receiving address. */
export interface Payee {
  /** CAIP-2, in our spelling for known networks. */
  readonly network: string;
  readonly pay_to: string;
  readonly proven: boolean;
}

export interface PayeeContext extends PeerParts {
  readonly origin: string;
  readonly steps: PeerSteps;
}

/** One product per network is asked for its price. Further products would add calls, but no proof. */
const ASKED_MAX = 5;
const PAYEES_MAX = 50;

/** Compares every address of the manifest and of live 402 answers with the addresses whose owners signed. */
export async function checkPayees(
  manifest: PeerManifest,
  wallets: readonly ProvenWallet[],
  context: PayeeContext,
): Promise<readonly Payee[]> {
  const { steps, networkOf } = context;
  const listed = resourcesOf(manifest).flatMap(({ accepts = [] }) => accepts);
  const live = await askPrices(manifest, context);
  const payees = new Map<string, Omit<Payee, "proven">>();
  for (const { network: id, payTo: pay_to } of [...listed, ...live]) {
    const network = networkOf(id) ?? id;
    payees.set(`${network} ${pay_to}`, { network, pay_to });
    if (payees.size > PAYEES_MAX) {
      steps.add("payees", "failed", `money would go to more than ${PAYEES_MAX} addresses`);
      break;
    }
  }
  if (payees.size === 0) steps.add("payees", "unproven", "nothing is for sale, so no address was looked at");
  return [...payees.values()].map((payee) => ({ ...payee, proven: addOwnerStep(payee, wallets, steps) }));
}

/** Adds the step whether the owner of a receiving address signed for the node, and returns it. */
export function addOwnerStep(
  { network, pay_to }: Omit<Payee, "proven">,
  wallets: readonly ProvenWallet[],
  steps: PeerSteps,
): boolean {
  const signed = wallets.filter((wallet) => wallet.network === network);
  const is_owned = signed.some(({ address }) => isSameAddress(address, pay_to));
  const name = `payTo ${network} ${pay_to}`;
  if (is_owned) steps.add(name, "ok", "its owner signed for this node");
  else if (signed[0]) steps.add(name, "failed", `the address that signed for this node is ${signed[0].address}`);
  else steps.add(name, "unproven", "nobody showed that this address belongs to the node");
  return is_owned;
}

/** Asks for prices until every network of the manifest has appeared in a live answer. */
async function askPrices(manifest: PeerManifest, context: PayeeContext): Promise<readonly PeerRequirement[]> {
  const { ask, origin, steps, networkOf } = context;
  const networksOf = (accepts: readonly PeerRequirement[]) =>
    accepts.map(({ network }) => networkOf(network) ?? network);
  const resources = resourcesOf(manifest);
  const missing = new Set(resources.flatMap(({ accepts = [] }) => networksOf(accepts)));
  const live: PeerRequirement[] = [];
  const problems: string[] = [];
  let asked = 0;
  for (const { url, method = "GET", accepts = [] } of resources) {
    if (asked >= ASKED_MAX || (missing.size === 0 && live.length > 0)) break;
    // For a bare address, only the live answer shows where money goes.
    const tells_more = accepts.length === 0 ? live.length === 0 : networksOf(accepts).some((one) => missing.has(one));
    if (method !== "GET" || !tells_more) continue;
    if (!URL.canParse(url) || new URL(url).origin !== origin) {
      steps.add(`402 of ${url.slice(0, 200)}`, "failed", `it is not under ${origin}`);
      return live;
    }
    asked += 1;
    const answer = await ask(url);
    const challenge = "failed" in answer || answer.status !== 402 ? null : readPrice(answer);
    if (challenge === null) {
      const what = "failed" in answer ? answer.failed : `${url} answers ${answer.status} without a price`;
      problems.push(what);
      continue;
    }
    steps.add(`402 of ${url}`, "ok", `it asks for payment on ${challenge.map(({ network }) => network).join(", ")}`);
    live.push(...challenge);
    for (const network of networksOf(challenge)) missing.delete(network);
  }
  const why = problems.length > 0 ? `: ${problems.join("; ")}` : "";
  for (const network of missing) {
    steps.add(`402 on ${network}`, "unproven", `no product was seen that is paid there now${why}`);
  }
  return live;
}

/** `accepts` of a 402, from its header or else from its body. */
function readPrice({ headers, text }: { headers: Headers; text: string }): readonly PeerRequirement[] | null {
  const { header_value, body_value } = readChallenge({ headers, body: text });
  return readRequirements(header_value) ?? readRequirements(body_value);
}
