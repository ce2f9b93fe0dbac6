import { type FetchContext, type Outcome, outcomeOf } from "intel-node";
import type { SpotQuote } from "intel-node/providers/quote";
import { SPOT_VENUES, type SpotVenue } from "intel-node/providers/spot-venues";

export interface VenueReading {
  readonly venue: string;
  readonly quote: SpotVenue["quote"];
  readonly outcome: Outcome<SpotQuote>;
}

/** A quote is old when its stated time is further back than this. */
export const VENUE_AGE_MAX_MS = 30_000;

const CALL_TIMEOUT_MS = 3_000;

/** Asks venues for a symbol, all at once; those the configuration does not allow are not asked. Never throws. */
export function fetchVenues(
  context: Pick<FetchContext, "get" | "now_ms" | "usable">,
  base: string,
  isWanted: (venue: SpotVenue) => boolean = () => true,
): Promise<VenueReading[]> {
  const asked = SPOT_VENUES.filter((venue) => isWanted(venue) && context.usable(venue.provider));
  return Promise.all(
    asked.map(async (venue) => ({
      venue: venue.provider.id,
      quote: venue.quote,
      outcome: await outcomeOf(venue.fetchQuote(context, base, CALL_TIMEOUT_MS)),
    })),
  );
}

/**
 * Quotes that are new enough. One without a stated time counts only beside one that has a fresh one: alone, nothing
 * says that it is not days old.
 */
export function getFreshQuotes(readings: readonly VenueReading[], now_ms: number): SpotQuote[] {
  const fresh = readings.flatMap(({ outcome }) =>
    outcome.ok && (getQuoteAge(outcome.value, now_ms) ?? 0) <= VENUE_AGE_MAX_MS ? [outcome.value] : [],
  );
  return fresh.some(({ at_ms }) => at_ms !== null) ? fresh : [];
}

/** Age of a quote, ms, at least 0; null when the venue states no time: the quote is then as new as the call. */
const getQuoteAge = (quote: SpotQuote, now_ms: number): number | null =>
  quote.at_ms === null ? null : Math.max(0, now_ms - quote.at_ms);
