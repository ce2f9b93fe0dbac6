import type { ISODate } from "./dates.ts";
import type { TimeOfDay } from "./zone-time.ts";

/** From and to, local time. */
export type SessionHours = readonly [open: TimeOfDay, close: TimeOfDay];

/** What is known of one year. */
export interface YearDays {
  /** Weekdays without trading. */
  readonly closed: ReadonlySet<ISODate>;
  /** Days that end early, with the local time they end. */
  readonly early: ReadonlyMap<ISODate, TimeOfDay>;
}

/** A year as the exchange published it. */
export interface PublishedYear {
  readonly year: number;
  /** "01-01 04-03" */
  readonly closed: string;
  /** "12:30 12-24 12-31" */
  readonly early?: string;
  /** Where these rows come from. */
  readonly source: string;
}

/** How sure a day is: published by the exchange, by its rule, or only not a weekend. */
export type Confidence = "published" | "rule" | "weekday_only";

export interface Exchange {
  /** ISO 10383. */
  readonly mic: string;
  readonly name: string;
  /** IANA time zone. */
  readonly zone: string;
  /** Regular hours; two where there is a lunch break. `since`: the first day of these hours. */
  readonly hours: readonly { readonly since: ISODate; readonly sessions: readonly SessionHours[] }[];
  /** Trading before and after regular hours, where it matters. */
  readonly extended?: { readonly pre: TimeOfDay; readonly post: TimeOfDay; readonly post_early: TimeOfDay };
  /** Days with hours of their own. */
  readonly special?: readonly {
    readonly date: ISODate;
    readonly sessions: readonly SessionHours[];
    readonly source: string;
  }[];
  /** Hours of days that follow a rule, such as Ash Wednesday. */
  readonly specialOf?: (date: ISODate) => readonly SessionHours[] | undefined;
  readonly published: readonly PublishedYear[];
  /** The exchange's rule for the years that it was tested for, with its source. */
  readonly rule?: {
    readonly first_year: number;
    readonly last_year: number;
    readonly source: string;
    readonly daysOf: (year: number) => YearDays;
  };
}

/** What an operator adds or corrects: mourning, typhoons, years that were published since. */
export interface CalendarChanges {
  readonly closed?: readonly ISODate[];
  /** Days that trade although the table says otherwise. */
  readonly open?: readonly ISODate[];
  readonly early?: Readonly<Record<ISODate, TimeOfDay>>;
  /** Days past the end of the table that are stated completely by these changes. */
  readonly last_day?: ISODate;
}
