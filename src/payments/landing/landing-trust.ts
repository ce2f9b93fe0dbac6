import type { LandingCounts, Landings } from "../../ledger/landings.ts";

/** What of a facilitator's reports is known to be true, on one network. */
export interface LandingShare extends LandingCounts {
  /** Reports that were booked. */
  readonly settled: number;
  /** Share of decided reports that never landed, 0 to 1; null before the first decision. */
  readonly never_landed: number | null;
}

export interface LandingTrustOptions {
  readonly landings: Pick<Landings, "counts" | "doubts">;
  readonly now_ms: () => number;
  /** Above this share a report is not believed before the chain shows it. */
  readonly never_landed_max: number;
  /** Decided reports of the last 24 hours that a share is worth something from. */
  readonly sample_min: number;
  /** No report is believed before the chain shows it. */
  readonly confirm_always: boolean;
}

/** What of a facilitator's reports on one network the chain does not bear out. */
export interface ContradictedReports {
  readonly facilitator: string;
  readonly network: string;
  /** Settlements of the last seven days that the chain does not know and should, undecided. */
  readonly doubted: number;
  /** Settlements of the last seven days that were booked and never landed. */
  readonly missing: number;
  /** Reports of the last day that the chain contradicted before anything was booked. */
  readonly disbelieved: number;
}

/** How far each facilitator's word goes. */
export interface LandingTrust {
  /** Where a facilitator said what the chain does not bear out; nothing where all is well. */
  contradicted(): Promise<readonly ContradictedReports[]>;
  all(): Promise<readonly LandingShare[]>;
  last24h(): Promise<readonly LandingShare[]>;
  /** Settlements it reported of late that the chain does not know. */
  doubted(facilitator: string, network: string): Promise<number>;
  /** Whether a settlement it reports has to be seen on the chain before anything is handed over for it. */
  mustConfirm(facilitator: string, network: string): Promise<boolean>;
}

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** What is not seen until then never will be: the share of what never landed judges from there on. */
const DOUBTED_MS = 7 * DAY_MS;
/** Shares are shown with four digits: a hundredth of a percent. */
const DIGITS = 10_000;

const decidedOf = ({ confirmed, missing, disbelieved }: LandingCounts): number => confirmed + missing + disbelieved;

/** One facilitator's counts with their share. */
export const toShare = (counts: LandingCounts): LandingShare => {
  const decided = decidedOf(counts);
  const never = counts.missing + counts.disbelieved;
  return {
    ...counts,
    settled: counts.confirmed + counts.pending + counts.missing,
    never_landed: decided === 0 ? null : Math.round((never / decided) * DIGITS) / DIGITS,
  };
};

export function createLandingTrust(options: LandingTrustOptions): LandingTrust {
  const { landings, now_ms, never_landed_max, sample_min, confirm_always } = options;
  // Counted by the hour: this hour and the 23 before it.
  const countDay = () => landings.counts(now_ms() - DAY_MS + HOUR_MS);
  const doubted = async (facilitator: string, network: string): Promise<number> => {
    const open = await landings.doubts(now_ms() - DOUBTED_MS);
    return open.find((doubts) => doubts.facilitator === facilitator && doubts.network === network)?.count ?? 0;
  };
  const contradicted = async (): Promise<readonly ContradictedReports[]> => {
    const since_ms = now_ms() - DOUBTED_MS;
    const [open, week, day] = [await landings.doubts(since_ms), await landings.counts(since_ms), await countDay()];
    return week
      .map(({ facilitator, network, missing }) => {
        const isSame = (one: { facilitator: string; network: string }) =>
          one.facilitator === facilitator && one.network === network;
        // What never landed stays doubted, too.
        const doubted = Math.max(0, (open.find(isSame)?.count ?? 0) - missing);
        return { facilitator, network, doubted, missing, disbelieved: day.find(isSame)?.disbelieved ?? 0 };
      })
      .filter((one) => one.doubted + one.missing + one.disbelieved > 0);
  };
  return {
    contradicted,
    doubted,
    all: async () => (await landings.counts()).map(toShare),
    last24h: async () => (await countDay()).map(toShare),
    async mustConfirm(facilitator, network) {
      if (confirm_always || (await doubted(facilitator, network)) > 0) return true;
      const own = (await countDay()).find((counts) => counts.facilitator === facilitator && counts.network === network);
      if (!own) return false;
      const decided = decidedOf(own);
      return decided >= sample_min && (own.missing + own.disbelieved) / decided > never_landed_max;
    },
  };
}

/** How long a facilitator that was believed is believed unasked. */
const BELIEVED_MS = 1_000;

export interface KeptBelief {
  readonly mustConfirm: LandingTrust["mustConfirm"];
  /** Something was found out: the next payment asks again. */
  readonly forget: () => void;
}

/**
 * Asks the books about a facilitator once a second instead of once a payment: they count by the hour. Only a yes is
 * kept. Who is not believed is asked about each time, for that payment waits for the chain anyway.
 */
export function keepBelief(mustConfirm: LandingTrust["mustConfirm"], elapsed_ms: () => number): KeptBelief {
  const believed = new Map<string, number>();
  return {
    async mustConfirm(facilitator, network) {
      const key = `${facilitator} ${network}`;
      const now_ms = elapsed_ms();
      if (now_ms < (believed.get(key) ?? Number.NEGATIVE_INFINITY) + BELIEVED_MS) return false;
      const must = await mustConfirm(facilitator, network);
      if (must) believed.delete(key);
      else believed.set(key, now_ms);
      return must;
    },
    forget: () => believed.clear(),
  };
}
