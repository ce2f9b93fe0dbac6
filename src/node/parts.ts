import type { KeyCommandParts } from "../admin/keys.ts";
import type { NodeState, NodeStates, ReloadReport } from "../admin/operated-node.ts";
import type { SwitchDesk } from "../admin/switch-desk.ts";
import type { AlertBook } from "../alerts/alert-book.ts";
import type { SentTest } from "../alerts/send-test.ts";
import type { NodeStandIns } from "../buyer/stand-in/stand-ins.ts";
import type { AccessMethod } from "../calls/access.ts";
import type { Slots } from "../calls/slots.ts";
import type { WorkBudget } from "../calls/work-budget.ts";
import type { Catalog, CatalogFault } from "../catalog/catalog.ts";
import type { WritableHistory } from "../catalog/context.ts";
import type { NodeFacts } from "../catalog/node-facts.ts";
import type { Openings } from "../catalog/openings.ts";
import type { PastGate } from "../catalog/past-gate.ts";
import type { LoadedPlugin } from "../catalog/plugin.ts";
import type { Previews } from "../catalog/previews.ts";
import type { AskingRunner } from "../catalog/runner.ts";
import type { ExplainedKey } from "../config/explain.ts";
import type { LoadedConfig } from "../config/load.ts";
import type { InForce } from "../config/own-config.ts";
import type { Config } from "../config/schema.ts";
import type { Clock, SettableClock, Timers } from "../core/clock.ts";
import type { ClockWatch } from "../core/clock-watch.ts";
import type { NodeIdentity } from "../core/identity.ts";
import type { SalesFirst } from "../core/sales-first.ts";
import type { SwitchBoard } from "../files/switch-file.ts";
import type { GuardedFetch } from "../guarded-fetch/types.ts";
import type { ServedRoute } from "../http/app.ts";
import type { FreeRoute } from "../http/free-route.ts";
import type { HTTPCalls } from "../http/http-call.ts";
import type { RateLimits } from "../http/limits.ts";
import type { ProblemPage } from "../http/problem-pages.ts";
import type { PurseShop } from "../http/purse-shop.ts";
import type { Responder } from "../http/respond.ts";
import type { HTTPServer } from "../http/server.ts";
import type { WatchFeed } from "../http/watch-feed.ts";
import type { ProxyWatch } from "../http/watch-proxies.ts";
import type { JobTimers, ScheduledJob, Scheduler } from "../jobs/scheduler.ts";
import type { AuditReport } from "../ledger/audit.ts";
import type { ChannelTotals } from "../ledger/channel-rows.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { ReceiptLabel } from "../ledger/receipts.ts";
import type { ModelEngine } from "../models/models.ts";
import type { CatalogChanges } from "../pages/changes/catalog-changes.ts";
import type { StatusSamples } from "../pages/uptime/samples.ts";
import type { Challenges } from "../payments/challenges.ts";
import type { Claimer } from "../payments/channels/claims.ts";
import type { ExtensionAnswers } from "../payments/facilitators/extension-answers.ts";
import type { ChannelTerms, FacilitatorPool, FacilitatorStatus } from "../payments/facilitators/pool.ts";
import type { PaymentAccess } from "../payments/gate/payment-access.ts";
import type { ChainReader, IncomeReader } from "../payments/landing/chain-reader.ts";
import type { LandingCheck } from "../payments/landing/check-landings.ts";
import type { LandingTrust } from "../payments/landing/landing-trust.ts";
import type { IncomeWatch } from "../payments/landing/watch-income.ts";
import type { Authorizer } from "../payments/networks/evm/channel-signing.ts";
import type { Network } from "../payments/networks/table.ts";
import type { OwnedWallet } from "../payments/ownership.ts";
import type { EarlierPrices } from "../payments/pricing/earlier-prices.ts";
import type { Purchases } from "../payments/purchases.ts";
import type { Reconciler } from "../payments/reconcile.ts";
import type { SellerWatch } from "../payments/seller/seller-watch.ts";
import type { SignIn } from "../payments/sign-in/sign-in.ts";
import type { ChainAccess } from "../payments/types.ts";
import type { Records } from "../records/record-chain.ts";
import type { Sandbox } from "../sandbox/index.ts";
import type { InputsStore } from "../stores/inputs-store.ts";
import type { MarketDb } from "../stores/market-db.ts";
import type { PastAnswers } from "../stores/past-answers.ts";
import type { SelfCheck } from "../stores/self-check.ts";
import type { Stores } from "../stores/stores.ts";
import type { Log } from "../telemetry/log.ts";
import type { Stats } from "../telemetry/stats.ts";
import type { Tracer } from "../telemetry/tracer.ts";
import type { NodeWorkshop } from "../threads/workshop.ts";
import type { NodeAnchors } from "../trust/anchors.ts";
import type { HistoryHeads } from "../trust/history-heads.ts";
import type { HistoryLogs } from "../trust/history-logs.ts";
import type { OwnCosignatures } from "../trust/own-cosignatures.ts";
import type { PeerHeads } from "../trust/peer-heads.ts";
import type { ReceiptSeals } from "../trust/receipt-seals.ts";
import type { ReceiptSigner } from "../trust/receipts.ts";
import type { Witness } from "../trust/witness.ts";
import type { Upstream } from "../upstream/client.ts";
import type { SourceChange } from "../upstream/shape-watch.ts";

export interface NodeSandboxOptions {
  readonly world: Sandbox;
  readonly clock: SettableClock;
  readonly live_data: boolean;
  /** Gives a new sandbox a past, while the node answers already: previews, records and stored series are there. */
  readonly seed_history: boolean;
  /** Runs no jobs at the start: they run at their marks. */
  readonly is_idle?: boolean;
  /** The most days of it; as many as its jobs say unless given. */
  readonly history_days?: number;
}

export interface StartOptions {
  readonly config: Config;
  readonly data_dir: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly version: string;
  /** Set by `demo`: money, and unless data is live also upstreams, come from it. */
  readonly sandbox: NodeSandboxOptions | null;
  /** Loaded already when the configuration was checked; saves a second import. */
  readonly plugins?: LoadedPlugins;
  /** What ends calls and jobs that take too long; the system's timers unless given. */
  readonly timers?: Timers;
  /** How it listens where processes of this node take over from each other; the port is its own alone unless given. */
  readonly listen?: ListenOptions;
  /** When jobs are due: by the system's clock unless given. */
  readonly job_timers?: JobTimers;
  /** Where the configuration is read anew for a reload; left out if it is not in a file. */
  readonly source?: ConfigSource;
  /** The pages that set a node up, while there is no configuration file; left out everywhere else. */
  readonly setup_routes?: readonly FreeRoute[];
}

/** A configuration file that was read whole, with what it says of plugins. */
export interface ReadConfig {
  readonly config: Config;
  readonly plugins: LoadedPlugins;
  /** As in the file, with the origin of each key. */
  readonly read: LoadedConfig;
  /** Every secret text in it, for the log. */
  readonly secrets: readonly string[];
}

export interface ConfigSource {
  /** As it was read for the start. */
  readonly first: LoadedConfig;
  /** Reads it anew; the faults are text for people. */
  load(): Promise<ReadConfig | { readonly faults: string }>;
}

export interface ReleaseOptions {
  /** Resolves to the path of the other process's hand-over socket, once it listens. */
  readonly socket: Promise<string>;
  /** Resolves when what is in flight is waited for no longer: the next start takes it up. */
  readonly late: Promise<void>;
  /** Told once a second what it still waits for. */
  readonly onWait: (what: string) => void;
}

export interface ListenOptions {
  /** Instead of `[server] port`: that of the process before this one. */
  readonly port?: number;
  /** Path of the socket on which that process passes on what it is still sent. */
  readonly handover_socket?: string;
}

export interface LoadedPlugins {
  readonly plugins: readonly LoadedPlugin[];
  /** The disabled ones too: the configuration may name what they hold. */
  readonly known: readonly LoadedPlugin[];
  readonly faults: readonly CatalogFault[];
}

/** What a reload exchanges, whole. */
export interface Offered {
  readonly config: Config;
  readonly loaded: LoadedPlugins;
  readonly catalog: Catalog;
  readonly openings: Openings;
}

/** Books, data and products: everything but money and HTTP. */
export interface Core {
  readonly identity: NodeIdentity;
  /** Receiving addresses and what their owners signed about this node. */
  readonly wallets: readonly OwnedWallet[];
  readonly operator_token: string;
  /** This start made the ledger: the data folder had no ledger. */
  readonly new_ledger: boolean;
  readonly started_at_ms: number;
  readonly clock: Clock;
  readonly ledger: Ledger;
  /** Append-only records of the markets this node reads, real or simulated. */
  readonly records: Records;
  /** Hourly seals over what was sold. */
  readonly receipt_seals: ReceiptSeals;
  readonly history_heads: HistoryHeads;
  /** The same as logs that tools of others read. */
  readonly logs: HistoryLogs;
  /** Public timestamps of all of these. */
  readonly anchors: NodeAnchors;
  /** Those of the operator's peers. */
  readonly peer_heads: PeerHeads;
  /** What peers cosign of these. */
  readonly own_cosignatures: OwnCosignatures;
  /** Cosigns what peers' logs show of themselves. */
  readonly witness: Witness;
  /** Asks addresses that buyers name, and no private one. */
  readonly askStranger: GuardedFetch;
  /** Who sells this node what its own sources do not give; null where nobody does. */
  readonly stand_ins: NodeStandIns | null;
  readonly market: MarketDb;
  /** Tables and series of the plugins. */
  readonly stores: Stores;
  /** What sold answers were made of; null where the operator keeps none. */
  readonly inputs: InputsStore | null;
  /** Who does the work of answers. */
  readonly workshop: NodeWorkshop;
  /** Makes last night's answers again. */
  readonly self_check: SelfCheck;
  /** Answers as of an earlier time. */
  readonly past_answers: PastAnswers;
  /** What jobs store and products read. */
  readonly history: WritableHistory;
  readonly past: PastGate;
  /** What the start does beside the serving stands still for sales. */
  readonly sales_first: SalesFirst;
  readonly upstream: Upstream;
  /** Language models the operator configured. */
  readonly models: ModelEngine;
  /** What the node tells its own products of itself. */
  readonly facts: NodeFacts;
  /** Tells the facts where the node is reached. */
  readonly notePublicURL: (url: string) => void;
  /** Always the present one: its members are read when they are needed. */
  readonly catalog: Catalog;
  /** What a reload may change is read from here, not from the options of the start. */
  readonly in_force: InForce;
  /** What the operator has switched off. */
  readonly switches: SwitchBoard;
  /** Puts another configuration, and what is sold by it, in the place of the present ones; in one step. */
  readonly exchange: (next: Offered) => void;
  readonly runner: AskingRunner;
  readonly previews: Previews;
  readonly openings: Openings;
  readonly stats: Stats;
  /** What answers and payments say of this machine's clock; null in a sandbox, whose clock is its own. */
  readonly clock_watch: ClockWatch | null;
  /** Undefined where no collector is configured. */
  readonly tracer: Tracer | undefined;
  /** When each product last gave a live answer. */
  readonly last_success: ReadonlyMap<string, { at_ms: number; as_of_ms: number }>;
  /** Whether each product's last run gave data, for an answer or for a preview; missing before the first. */
  readonly last_run: ReadonlyMap<string, boolean>;
  /** Since when every run of a product has failed, ms; missing when the last one gave data. */
  readonly failing_since: ReadonlyMap<string, number>;
  /** Why the newest version of a dataset was not taken in, by its name; null: it was; missing before the first try. */
  readonly refused_datasets: Map<string, string | null>;
  /** Answers of sources that are no longer what they always were; none where they are simulated. */
  readonly source_changes: () => readonly SourceChange[];
  /** Notes a run that was not the runner's. */
  readonly noteRun: (product_id: string, ok: boolean) => void;
  /** Gives the data folder back. */
  readonly unlock: () => void;
}

export interface OfferedWallet {
  readonly network: Network;
  readonly pay_to: string;
  /** What the operator adds to the network's requirements. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** What finds out whether reported settlements landed, and how far each facilitator's word goes. */
export interface LandingChecks {
  readonly chain: ChainReader & IncomeReader;
  readonly trust: LandingTrust;
  readonly check: LandingCheck;
  /** The pool as the gate sees it: who is not believed has to be confirmed by the chain. */
  readonly confirm: (pool: FacilitatorPool) => FacilitatorPool;
}

/** Everything that decides about money, except the gate itself. */
/** On what terms channels are offered, and who signs for them. */
export interface ChannelSetup {
  readonly terms: ChannelTerms;
  readonly authorizers: () => Promise<readonly Authorizer[]>;
}

/** What sells by channels, and what brings their money home. */
export interface ComposedChannels {
  readonly access: AccessMethod;
  readonly claimer: Claimer;
  readonly job: ScheduledJob;
}

export interface Money {
  readonly wallets: readonly OfferedWallet[];
  readonly pool: FacilitatorPool;
  readonly reconciler: Reconciler;
  readonly labelOf: (payer: string) => ReceiptLabel;
  /** Payments of this address are the operator's own from now on. */
  readonly markOwn: (address: string) => void;
  /** RPC endpoints by chain name. */
  readonly rpc_urls: (chain: string) => readonly string[];
  /** Indexers and headers by chain name. */
  readonly access: (chain: string) => ChainAccess;
  readonly landing: LandingChecks;
  /** Compares the wallets with the books; null in the sandbox, whose chains forget everything at a restart. */
  readonly income: IncomeWatch | null;
  readonly seller: SellerWatch;
  /** The facilitators themselves, for payments that are not told from a transfer. */
  readonly facilitators: FacilitatorPool;
  /** Null where no channels are offered. */
  readonly channels: ChannelSetup | null;
  /** What facilitators said of the extensions that went with payments. */
  readonly extension_answers: ExtensionAnswers;
}

/** The listener, answering "starting" until its routes are there. */
export interface Listener {
  readonly http: HTTPServer;
  readonly public_url: string;
  readonly http_calls: HTTPCalls;
  readonly limits: RateLimits;
  readonly responder: Responder;
  /** What requests through proxies say of this configuration. */
  readonly proxies: Pick<ProxyWatch, "untrusted" | "unnamed_origin">;
  serve(fetch: (request: Request) => Response | Promise<Response>, problem_page: ProblemPage): void;
  /** Refusals that are held back are answered at once from now on. */
  letGo(): void;
}

/** Prepaid keys, plans and coupons, and the slots that all paid calls share. */
export interface Prepaid {
  readonly slots: Slots;
  /** Bounds what is produced and not paid for, by whichever way. */
  readonly work: WorkBudget;
  readonly key: AccessMethod;
  readonly coupon: AccessMethod;
  readonly purchases: Purchases;
  readonly routes: readonly FreeRoute[];
  /** The door of coupons; it also says how many jobs a start still owes. */
  readonly welcome: (coming: () => number) => FreeRoute;
  /** What the operator's commands on keys work with. */
  readonly commands: KeyCommandParts;
}

/** What a watch of this node needs beside the catalog: the doors, and the jobs that look. */
export interface ComposedWatches {
  readonly feed: WatchFeed;
  readonly routes: (stamp: () => Record<string, unknown>, shop: PurseShop) => readonly FreeRoute[];
  readonly jobs: readonly ScheduledJob[];
  /** Looks at every watch whose mark has come, as the job does. */
  readonly pass: () => Promise<void>;
  /** From now on a watch that is due is looked at, not only with the job's next mark. */
  readonly begin: (runNow: Scheduler["runNow"]) => void;
  /** Ends the streams of who waits for events. */
  readonly close: () => void;
}

export interface Gate {
  readonly challenges: Challenges;
  readonly payment: PaymentAccess;
  /** Null where no channels are offered. */
  readonly channels: ComposedChannels | null;
  readonly prepaid: Prepaid;
  /** Null where none are taken. */
  readonly watches: ComposedWatches | null;
  readonly signer: ReceiptSigner;
  readonly sign_in: SignIn;
  readonly earlier_prices: EarlierPrices;
  /** Other limits from now on. */
  configure(limits: Config["limits"]): void;
}

export interface RouteParts {
  readonly status_samples: StatusSamples;
  readonly catalog_changes: Pick<CatalogChanges, "read">;
  readonly money: Money;
  readonly listener: Listener;
  readonly gate: Gate;
  readonly scheduler: Scheduler;
  readonly states: NodeStates;
  readonly alerts: AlertBook;
  /** Sends one message by every way to the operator, and returns the outcome. */
  readonly testAlerts: () => Promise<readonly SentTest[]>;
  readonly reload: () => Promise<ReloadReport>;
  /** Every key of the configuration with its value in force and where it comes from. */
  readonly explain: () => readonly ExplainedKey[];
  /** What switches products and providers off and on. */
  readonly switch_desk: SwitchDesk;
}

export interface RunningNode {
  readonly url: string;
  readonly public_url: string;
  readonly identity: NodeIdentity;
  readonly operator_token: string;
  /** The route table: every path, and whether the operator alone may ask it. */
  readonly routes: () => readonly ServedRoute[];
  /** Of the listener for figures, if there is one. */
  readonly metrics_url: string | null;
  /** This start made the ledger: the data folder had no ledger. */
  readonly new_ledger: boolean;
  readonly catalog: Catalog;
  readonly wallets: readonly OfferedWallet[];
  readonly setLimits: (enabled: boolean) => void;
  /** Renders every 402 again, with the newest previews. */
  readonly refreshChallenges: () => void;
  readonly audit: () => Promise<AuditReport>;
  readonly state: () => NodeState;
  /** Tries products again whose sources were shut off, and tells what has changed, as the job does. */
  checkState(): Promise<void>;
  /** Looks for what the operator is alerted to, and sends it, as the job does. */
  checkAlerts(): Promise<void>;
  /** Looks at every watch whose mark has come, as the job does. */
  checkWatches(): Promise<void>;
  readonly facilitators: () => readonly FacilitatorStatus[];
  /** Resolves when every facilitator was asked once, reachable or not. */
  readonly asked: Promise<void>;
  /** Resolves when the chains were asked whether our addresses can be paid. */
  readonly checked: Promise<void>;
  /** Why we cannot be paid on a network at all; null when we can. */
  readonly whyUnpayable: (network: string) => string | null;
  /** Asks the chains again whether our addresses can be paid, where the time has come, as the job does. */
  checkSellers(): Promise<void>;
  /** Resolves when the other nodes of its cluster went on without this one: it serves nobody until it starts anew. */
  readonly lost: Promise<void>;
  /** Resolves when facilitators were asked and open settlements looked up: every call is answered, and can be paid. */
  readonly ready: Promise<void>;
  /** Resolves when the first previews were taken, too, and a new sandbox has lived its past. */
  readonly settled: Promise<void>;
  /** Reads the configuration anew and takes what may change while it runs; all of it, or nothing. */
  reload(): Promise<ReloadReport>;
  /** Switches on again whose time off is over, as the job does. */
  endSwitches(): Promise<void>;
  /** A round of what brings home the money of channels, as the job does; `all` claims also what is not due. */
  runChannels(options?: { readonly all?: boolean }): Promise<void>;
  /** What lies in payment channels. */
  readonly channelTotals: () => Promise<readonly ChannelTotals[]>;
  /** Asks back what lies in channels of peers that nothing is paid from any more, as a job does. */
  readonly refundPeerChannels: () => Promise<void>;
  /** Looks up open and reported settlements now, as the jobs do. */
  checkSettlements(): Promise<void>;
  /** The listener, which outlives the rest of the node when another process takes its place. */
  readonly listener: HTTPServer;
  /**
   * Keeps the listener, which holds new calls back until the other process answers them; finishes and settles what is
   * in flight, writes everything to disk and gives the data folder back.
   */
  release(how: ReleaseOptions): Promise<void>;
  /**
   * Refuses what is new, finishes and settles what is in flight, writes everything to disk.
   * @param onWait told once a second what it still waits for.
   */
  stop(onWait: (what: string) => void): Promise<void>;
}
