/** What operations answer. Times are ISO 8601, money is decimal USD unless a name says atomic. */

interface Received {
  readonly organic: { readonly count: number; readonly usd: string };
  readonly operator_test: { readonly count: number; readonly usd: string };
}

/** Figures by name: `settled`, `never_landed`, `received`, `own_tests`, `given_back`, `sold`, `given`, `earned`, … */
export type MoneyAnswer = Readonly<
  Record<string, { readonly count?: number; readonly amount_atomic: string; readonly amount_usd: string }>
>;

export interface SumAnswer {
  readonly count: number;
  readonly amount_atomic: string;
  readonly amount_usd: string;
}

/** Payments that have something in common. */
interface GroupAnswer {
  readonly name: string;
  readonly settled: SumAnswer;
  readonly never_landed: SumAnswer;
  readonly received: SumAnswer;
  readonly given_back: SumAnswer;
  /** Calls by prepaid keys, by product, door or day; in no other figure. */
  readonly called?: SumAnswer;
}

export interface SumsAnswer {
  readonly from: string;
  /** Not part of the period. */
  readonly until: string;
  readonly by: string;
  /** Most money first; days in their order. */
  readonly sums: readonly GroupAnswer[];
  readonly total: GroupAnswer;
}

export interface SaleAnswer {
  readonly receipt_id: string;
  readonly settled_at: string;
  readonly product: string;
  readonly amount_usd: string;
  readonly amount_atomic: string;
  /** The most that the payer signed for, where he signed for at most an amount. */
  readonly authorized_atomic: string | null;
  readonly payer: string;
  readonly network: string;
  readonly transaction: string;
  readonly explorer_url: string | null;
  readonly label: string;
  readonly on_chain: string;
}

export interface AlertAnswer {
  readonly id: string;
  readonly severity: string;
  readonly title: string;
  readonly text: string;
  readonly since: string;
  readonly told: boolean;
}

interface ChannelsAnswer {
  readonly network: string;
  readonly open: number;
  /** Of those, whose payer withdraws. */
  readonly withdrawing: number;
  /** What is still their payers'. */
  readonly owed_usd: string;
  readonly earned_usd: string;
  readonly unclaimed_usd: string;
  readonly claimed_usd: string;
  readonly swept_usd: string;
  /** Earned, and withdrawn before it was claimed. */
  readonly lost_usd: string;
}

export interface OverviewAnswer {
  readonly version: string;
  readonly status: string;
  readonly reasons: readonly string[];
  readonly now: string;
  readonly started_at: string;
  readonly uptime_s: number;
  /** What payments brought, without what never landed. */
  readonly received: {
    readonly today: Received;
    readonly days_7: Received;
    readonly days_30: Received;
    /** Oldest first; payments of others than the operator. */
    readonly by_day: readonly { readonly day: string; readonly payments: number; readonly usd: string }[];
  };
  readonly prepaid_owed_usd: string;
  /** From the beginning until now. */
  readonly money: MoneyAnswer;
  /** Payment channels by network; empty without channels. */
  readonly channels: readonly ChannelsAnswer[];
  readonly last_24h: Readonly<Record<"total" | "paid" | "previews" | "challenges" | "errors_5xx", number>>;
  readonly latency_ms: Readonly<Record<"key" | "x402", { readonly p50: number; readonly p95: number } | null>>;
  /** Runs that failed, by error code, since the start. */
  readonly uncharged_failures: Readonly<Record<string, number>>;
  /** Calls turned away with what they brought to pay with, by error code, since the start. */
  readonly refusals: Readonly<Record<string, number>>;
  /** Work that brought nothing to charge for, since the start, in units; calls refused for it, by whose was spent. */
  readonly unpaid_work: {
    readonly units: number;
    readonly per_minute: Readonly<Record<string, number>>;
    readonly refused: Readonly<Record<string, number>>;
  };
  readonly networks: readonly { readonly network: string; readonly ok: boolean; readonly by: string }[];
  readonly networks_left_out: readonly { readonly network: string; readonly why: string }[];
  readonly products: { readonly sold: number; readonly off_sale: number; readonly withheld: number };
  readonly open_alerts: readonly AlertAnswer[];
  readonly unknown_settlements: number;
  readonly memory_mb: number;
  readonly sales: readonly SaleAnswer[];
}

export interface SalesAnswer {
  readonly items: readonly SaleAnswer[];
  /** For `before`; null on the last page. */
  readonly next: number | null;
}

/** One thing a word names, with all that is known of it. */
export interface StoryAnswer {
  readonly kind: "payment" | "call" | "key" | "channel";
  readonly id: string;
  /** What became of it, in a sentence. */
  readonly verdict: string;
  /** Null where there is nothing to say. */
  readonly facts: Readonly<Record<string, string | number | boolean | null>>;
  /** Newest first. */
  readonly lists: Readonly<Record<string, readonly Readonly<Record<string, string | number | boolean | null>>[]>>;
}

export interface FindAnswer {
  /** What was looked for; of a key no more than its first characters. */
  readonly word: string;
  readonly stories: readonly StoryAnswer[];
  /** Whether the word names more than is listed. */
  readonly has_more: boolean;
  /** Lines of the running node's log with this request id, newest first. */
  readonly log: readonly Readonly<Record<string, unknown>>[];
}

export interface ProductAnswer {
  readonly path: string;
  readonly price_usd: string;
  readonly plugin: string;
  /** Whether the last run gave data; null before the first. */
  readonly ok: boolean | null;
  readonly off_sale: string | null;
  /** Counts are since the start. */
  readonly challenges: number;
  readonly paid: Readonly<Record<string, number>>;
  /** Paid calls of all calls that were asked to pay; null before the first. */
  readonly conversion: number | null;
  readonly settled_usd: string;
  readonly latency_ms_mean: number | null;
  readonly failures: Readonly<Record<string, number>>;
  readonly refusals: Readonly<Record<string, number>>;
  readonly data_age_s: number | null;
  readonly preview_as_of: string | null;
  readonly providers: readonly string[];
}

/** What the operator has switched off. */
export interface SwitchAnswer {
  readonly name: string;
  readonly reason: string | null;
  readonly until: string | null;
}

/** What goes with a provider that is switched off. */
export interface ProviderOffAnswer {
  /** False: nothing was switched off yet. */
  readonly ok: boolean;
  readonly no_longer_sold: readonly { readonly path: string; readonly why: string }[];
  readonly lose_a_source: readonly string[];
  /** "/world-quote?market=TSE" */
  readonly values_no_longer_sold: readonly string[];
  /** As <plugin>/<job>. */
  readonly jobs_that_rest: readonly string[];
}

export interface ProductsAnswer {
  readonly items: readonly ProductAnswer[];
  /** `is_switched`: by the operator, and not for what it needs. */
  readonly withheld: readonly { readonly path: string; readonly why: string; readonly is_switched: boolean }[];
  readonly withheld_values: readonly object[];
  readonly faults: readonly { readonly file: string; readonly line?: number; readonly message: string }[];
}

export interface SourcesAnswer {
  readonly facilitators: readonly {
    readonly id: string;
    readonly kind: string;
    readonly ok: boolean;
    readonly networks: readonly string[];
    readonly last_check: string | null;
    readonly last_error: string | null;
    readonly warnings: readonly { readonly network: string; readonly why: string }[];
  }[];
  readonly networks_left_out: readonly { readonly network: string; readonly why: string }[];
  readonly providers: readonly {
    readonly provider: string;
    readonly title: string;
    readonly docs_url: string;
    readonly terms: string;
    /** Which key would turn it on; null while it may be used. */
    readonly why_off: string | null;
    readonly is_switched: boolean;
    readonly adds: Readonly<Record<"turns_on" | "read_by" | "jobs", readonly string[]>>;
    readonly ok: boolean | null;
    readonly calls: number;
    readonly failures: number;
    readonly last_error: string | null;
    readonly breaker: string;
    /** Endpoints whose reader was never given bytes the publisher sent or shows. */
    readonly imagined: readonly string[];
    readonly quotas: readonly { readonly period: string; readonly spent: number; readonly limit: number }[];
  }[];
}

export interface JobAnswer {
  readonly id: string;
  readonly runs: number;
  readonly failures: number;
  readonly last_error: string | null;
  readonly last_duration_s: number | null;
  readonly last_ok_at: string | null;
  readonly next_run: string | null;
}

export interface AttentionAnswer {
  readonly unknown: readonly {
    readonly payment_id: string;
    readonly product: string;
    readonly network: string;
    readonly payer: string;
    readonly facilitator: string | null;
    readonly reason: string | null;
    readonly amount_usd: string;
    readonly created_at: string;
  }[];
  readonly unknown_total: number;
  readonly never_landed: readonly {
    readonly receipt_id: string;
    readonly payment_id: string;
    readonly network: string;
    readonly facilitator: string;
    readonly chain_transaction: string;
    readonly amount_atomic: string;
  }[];
  readonly landings: readonly {
    readonly facilitator: string;
    readonly network: string;
    readonly waits_for_chain: boolean;
    readonly doubted: number;
    readonly settled: number;
    readonly missing: number;
  }[];
}

export interface AlertsAnswer {
  readonly open: readonly AlertAnswer[];
  readonly undelivered: number;
  /** Newest first. */
  readonly recent: readonly {
    readonly at: string;
    readonly kind: string;
    readonly severity: string;
    readonly event: string;
    readonly title: string;
    readonly text: string;
  }[];
}

export interface WatchesAnswer {
  /** Whether watches are taken. */
  readonly enabled: boolean;
  readonly active: number;
  readonly paused: number;
  readonly told: number;
  readonly webhooks: { readonly all: number; readonly parked: number };
  /** Those that have not ended first. */
  readonly items: readonly {
    readonly watch: string;
    readonly key_id: string;
    readonly product: string;
    readonly label: string | null;
    readonly state: string;
    readonly ended: string | null;
    readonly next_at: string | null;
    readonly evaluations: number;
    readonly told: number;
    readonly spent_usd: string;
    readonly budget_usd: string;
    readonly failed_in_a_row: number;
    readonly last_error: string | null;
    /** Its host alone: the rest of an address may be a secret. */
    readonly webhook: {
      readonly host: string;
      readonly delivered_seq: number;
      readonly attempts: number;
      readonly parked: boolean;
      readonly last_error: string | null;
    } | null;
  }[];
}

export interface BackupsAnswer {
  readonly dir: string | null;
  readonly every: string;
  readonly keep: number;
  /** Newest first. */
  readonly items: readonly {
    readonly name: string;
    readonly bytes: number;
    readonly at: string;
    readonly age_s: number;
    readonly proved: boolean;
  }[];
  readonly job: JobAnswer | null;
  /** The continuous copy of the ledger; null if copying is off. */
  readonly copy: {
    readonly to: string;
    readonly behind_s: number;
    readonly copied_at: string | null;
    readonly image_at: string | null;
    readonly failing: string | null;
  } | null;
}

export interface ConfigAnswer {
  readonly items: readonly { readonly key: string; readonly value: string; readonly origin: string }[];
}

export interface LogsAnswer {
  /** Newest first. */
  readonly items: readonly Readonly<Record<string, unknown>>[];
}

/** The answers that pages show; all others are plain objects. */
export interface AdminAnswers {
  readonly overview: OverviewAnswer;
  readonly sales: SalesAnswer;
  readonly sales_sums: SumsAnswer;
  readonly find: FindAnswer;
  readonly products: ProductsAnswer;
  readonly sources: SourcesAnswer;
  readonly providers_off: ProviderOffAnswer;
  readonly switches: Readonly<Record<"products" | "providers", readonly SwitchAnswer[]>>;
  readonly jobs: { readonly items: readonly JobAnswer[] };
  readonly attention: AttentionAnswer;
  readonly alerts: AlertsAnswer;
  readonly watches: WatchesAnswer;
  readonly backups: BackupsAnswer;
  readonly config: ConfigAnswer;
  readonly logs: LogsAnswer;
  readonly keys: Readonly<Record<string, unknown>>;
  readonly key: Readonly<Record<string, unknown>>;
  readonly key_statement: Readonly<Record<string, unknown>>;
}
