import { createSingleFlight } from "../../core/single-flight.ts";
import type { ContradictedReports, LandingTrust } from "../../payments/landing/landing-trust.ts";
import { networkById } from "../../payments/networks/table.ts";
import type { AlertCondition } from "../types.ts";

/** How many of a kind are distinguished: more of them change no message. */
const COUNTED_MAX = 100;

/** One subject for each of a kind, so that one more is news and one less is not. */
const countUp = (name: string, count: number): readonly string[] =>
  Array.from({ length: Math.min(count, COUNTED_MAX) }, (_, index) => `${name} ${index + 1}`);
const titleOf = (network: string): string => networkById(network)?.title ?? network;
const renderPayments = (count: number): string => `${count} ${count === 1 ? "payment" : "payments"}`;

/** What of one facilitator's reports is in doubt, in words; null where nothing is. */
function renderDoubts({ facilitator, network, doubted, disbelieved }: ContradictedReports): string | null {
  const known = [
    ...(doubted > 0 ? [`${renderPayments(doubted)} it called settled`] : []),
    ...(disbelieved > 0 ? [`${renderPayments(disbelieved)} it called settled and this node did not believe`] : []),
  ];
  if (known.length === 0) return null;
  return `facilitator ${facilitator}: the chain (${titleOf(network)}) does not know ${known.join(" and ")}`;
}

/** A facilitator's reports that the chain does not bear out: told when they are doubted, and when they are decided. */
export const findContradicted = (reports: readonly ContradictedReports[]): readonly AlertCondition[] =>
  reports.flatMap((report): AlertCondition[] => {
    const { facilitator, network, doubted, missing, disbelieved } = report;
    const doubts = renderDoubts(report);
    return [
      ...(doubts === null
        ? []
        : [
            {
              id: `doubted:${facilitator}:${network}`,
              severity: "critical" as const,
              title: doubts,
              once: true as const,
              text:
                "Its word is not believed there: the next payments wait for the chain. " +
                "What is in doubt is looked up until it is decided. Put another facilitator first if it repeats.",
              for_ms: 0,
              subjects: [...countUp("doubted", doubted), ...countUp("disbelieved", disbelieved)],
            },
          ]),
      ...(missing === 0
        ? []
        : [
            {
              id: `never-landed:${facilitator}:${network}`,
              severity: "critical" as const,
              title: `${renderPayments(missing)} that facilitator ${facilitator} called settled never landed`,
              text:
                `On ${titleOf(network)}, in seven days, decided by the chain. What was delivered for them is lost; ` +
                "keys they paid for are suspended. /admin/status lists them.",
              for_ms: 0,
              once: true as const,
              subjects: countUp("missing", missing),
            },
          ]),
    ];
  });

/** What the chain does not bear out, as it was when it was read last: states of the node are told without a wait. */
export interface DoubtWatch {
  /** Reads the books. @throws NodeError `ledger_unavailable`; what was known stays. */
  refresh(): Promise<void>;
  /** In words, for the state of the node. */
  reasons(): readonly string[];
}

export function createDoubtWatch({ contradicted }: Pick<LandingTrust, "contradicted">): DoubtWatch {
  let known: readonly string[] = [];
  const reading = createSingleFlight<readonly ContradictedReports[]>();
  return {
    async refresh() {
      known = (await reading.run("", contradicted)).flatMap((report) => {
        const doubts = renderDoubts(report);
        const { missing, facilitator, network } = report;
        const lost = `facilitator ${facilitator}: ${renderPayments(missing)} it called settled never landed`;
        return [...(doubts === null ? [] : [doubts]), ...(missing > 0 ? [`${lost} on ${titleOf(network)}`] : [])];
      });
    },
    reasons: () => known,
  };
}
