import { messageOf } from "../../core/errors.ts";
import type { OfferedWallet } from "../../node/parts.ts";
import { describeListed } from "../../payments/facilitators/describe-listed.ts";
import type { Facilitator, Supported, SupportedKind } from "../../payments/facilitators/types.ts";
import type { Network } from "../../payments/networks/table.ts";
import type { CheckFinding } from "./finding.ts";

export interface ConfiguredFacilitator {
  readonly facilitator: Facilitator;
  /** Networks named by the operator; null means all that the facilitator supports. */
  readonly networks: readonly string[] | null;
}

const isNamed = (network: Network, id: string): boolean => network.id === id || network.aliases?.includes(id) === true;

/** The missing parts of a kind's `extra` for payments on its network; null if it is complete. */
function findExtraFault({ eip712, wallet }: Network, { extra }: SupportedKind): string | null {
  if (eip712 !== undefined) {
    const wrong = (["name", "version"] as const).filter(
      (member) => extra[member] !== undefined && extra[member] !== eip712[member],
    );
    return wrong.length > 0 ? `its extra names another USDC domain (${wrong.join(", ")})` : null;
  }
  const payer = extra.feePayer;
  if (wallet === "solana" && typeof payer !== "string") return "its extra names no feePayer";
  return null;
}

/** The result of one facilitator for one network on which the node has an address. */
function judgeNetwork(subject: string, network: Network, { kinds, withheld = [] }: Supported): CheckFinding | null {
  const base = { area: "facilitator", subject } as const;
  const kind = kinds.find(({ scheme, network: id }) => scheme === "exact" && isNamed(network, id));
  const held = withheld.find(({ network: id }) => isNamed(network, id));
  if (held) {
    return { ...base, level: "fail", says: `${network.title} is held back: ${held.why}`, todo: "see to what it names" };
  }
  if (!kind) return null;
  const fault = findExtraFault(network, kind);
  if (fault !== null) {
    const todo = `ask its operator, or put another facilitator of ${network.title} before it`;
    return { ...base, level: "fail", says: `${network.title}: ${fault}`, todo };
  }
  return { ...base, level: "ok", says: `settles ${network.title} (${network.id}), scheme exact` };
}

async function askOne(
  { facilitator, networks }: ConfiguredFacilitator,
  wallets: readonly OfferedWallet[],
): Promise<{
  readonly findings: readonly CheckFinding[];
  readonly settles: readonly string[];
  readonly silent?: true;
}> {
  const base = { area: "facilitator", subject: facilitator.id } as const;
  let supported: Supported;
  try {
    supported = await facilitator.getSupported();
  } catch (error) {
    const todo = "check its url, its headers and your way to the Internet; the node starts without it and asks again";
    const finding: CheckFinding = { ...base, level: "fail", says: `no /supported: ${messageOf(error)}`, todo };
    return { findings: [finding], settles: [], silent: true };
  }
  const judged = wallets
    .filter(({ network }) => networks === null || networks.some((id) => isNamed(network, id)))
    .map(({ network }) => ({ network, finding: judgeNetwork(facilitator.id, network, supported) }));
  const findings = judged.flatMap(({ finding }) => finding ?? []);
  const warnings = (supported.warnings ?? []).map(
    ({ network, why }): CheckFinding => ({
      ...base,
      level: "warn",
      says: `${network}: ${why}`,
      todo: "see to what it names",
    }),
  );
  if (findings.length === 0) {
    const says = `settles none of your networks: ${describeListed(supported)}`;
    const own = wallets.map(({ network }) => network.id).join(" or ");
    const todo = `put a facilitator in its place whose /supported lists ${own} in version 2, or set an address there`;
    return { findings: [{ ...base, level: "warn", says, todo }], settles: [] };
  }
  const settles = judged.flatMap(({ network, finding }) => (finding?.level === "ok" ? [network.id] : []));
  return { findings: [...findings, ...warnings], settles };
}

/** The advice on a network that no facilitator settles, given the answers of the facilitators. */
function adviseUnsettled({ id }: Network, silent: readonly string[]): string {
  const entry = `a [[facilitators]] entry whose /supported lists ${id} in version 2`;
  if (silent.length === 0) return `add ${entry}`;
  return `mend the way to ${silent.join(", ")}, which did not answer, or add ${entry}`;
}

/** Asks every facilitator what it settles, and finds networks with an address that nobody settles. */
export async function askFacilitators(
  facilitators: readonly ConfiguredFacilitator[],
  wallets: readonly OfferedWallet[],
): Promise<readonly CheckFinding[]> {
  const answers = await Promise.all(facilitators.map((one) => askOne(one, wallets)));
  const settled = new Set(answers.flatMap(({ settles }) => settles));
  const silent = facilitators.flatMap(({ facilitator: { id } }, index) => (answers[index]?.silent ? [id] : []));
  const unsettled = wallets
    .filter(({ network }) => !settled.has(network.id))
    .map(({ network }): CheckFinding => {
      const says = "you have an address there, and no facilitator settles it now: it is not offered";
      const todo = adviseUnsettled(network, silent);
      return { area: "facilitator", subject: network.title, level: "fail", says, todo };
    });
  return [...answers.flatMap(({ findings }) => findings), ...unsettled];
}
