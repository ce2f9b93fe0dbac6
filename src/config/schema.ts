import { type Static, type TObject, type TSchema, Type } from "@sinclair/typebox";
import { closed } from "../core/schema-fields.ts";
import { Anchor } from "./schema-anchor.ts";
import { ChannelsConfig } from "./schema-channels.ts";
import { Copy } from "./schema-copy.ts";
import { Limits } from "./schema-limits.ts";
import { Metering } from "./schema-metering.ts";
import { LLM, ModelEntry } from "./schema-models.ts";
import { Address, Duration, Flag, Price, TextList, Url, USD_PATTERN, WalletList } from "./schema-parts.ts";
import { PeersTable } from "./schema-peers.ts";
import {
  Alert,
  ByOrigin,
  Facilitator,
  Ledger,
  MCP,
  OtherNetworks,
  Plan,
  Provider,
  Telemetry,
  Terms,
  wallet,
} from "./schema-tables.ts";
import { Work } from "./schema-work.ts";

/**
 * The configuration: the only source of its types, defaults, checks, docs and config.example.toml. Adding a key is one
 * edit here. `example` is shown where there is no default; `secret` values are masked wherever they are printed.
 */
export const ConfigSchema = Type.Object(
  {
    node: Type.Object(
      {
        name: Type.String({
          pattern: "^[\\x20-\\x7e]{1,32}$",
          default: "intel-node",
          description: "shown to buyers; printable ASCII, at most 32 characters",
          expects: "1 to 32 letters without accents, digits, blanks and signs",
        }),
        brand: Type.String({
          pattern: "^[a-z][a-z0-9-]{0,30}$",
          default: "intel",
          description: "slug used in brand-named paths",
          expects: 'lower-case letters, digits and "-", such as "intel"',
        }),
        public_url: Type.Optional(
          Url("address agents reach the node under; https unless it is loopback", "https://node.example.com"),
        ),
        contact_email: Type.Optional(
          Type.String({
            pattern: "^[^@\\s]+@[^@\\s]+$",
            maxLength: 200,
            description: "contact shown to buyers",
            example: "ops@example.com",
            expects: "an e-mail address",
          }),
        ),
        node_id: Type.Optional(
          Type.String({
            pattern: "^in1[1-9A-HJ-NP-Za-km-z]{20,24}$",
            description: "who this node is: it does not start with another key, or in an empty folder",
            example: "in1CKi94HmYtPUTzRDpqydBqm",
            expects: 'a node id such as "in1CKi94HmYtPUTzRDpqydBqm"',
          }),
        ),
        cluster: Flag(
          false,
          "several nodes sell at once on one PostgreSQL ledger, behind one address, with one node-key.pem",
        ),
        instance: Type.Optional(
          Type.String({
            pattern: "^[a-z0-9][a-z0-9-]{0,31}$",
            description: "this node's name in a cluster, in its receipts too; no two have the same",
            example: "node-a",
            expects: 'lower-case letters, digits and "-", such as "node-a"',
          }),
        ),
        security_contact: Type.Optional(
          Type.String({ maxLength: 200, description: "where to report a weakness", example: "security@example.com" }),
        ),
      },
      { ...closed, description: "who this node is" },
    ),
    server: Type.Object(
      {
        host: Type.String({
          pattern: "^[A-Za-z0-9.:_-]{1,253}$",
          default: "127.0.0.1",
          description: "address to listen on",
          expects: 'an address to listen on such as "127.0.0.1"',
        }),
        port: Type.Integer({
          minimum: 0,
          maximum: 65_535,
          default: 8402,
          description: "port to listen on; 0 picks a free one",
        }),
        trusted_proxies: TextList("addresses and ranges (CIDR) of your proxies: their X-Forwarded-For is believed", [
          "127.0.0.1",
          "::1",
        ]),
        body_bytes_max: Type.Integer({
          minimum: 1_024,
          maximum: 16_777_216,
          default: 262_144,
          description: "largest request body",
        }),
        drain: Duration("25s", "how long a stop waits for calls in flight"),
      },
      { ...closed, description: "the listener" },
    ),
    data: Type.Object(
      {
        dir: Type.String({
          minLength: 1,
          maxLength: 1_000,
          default: "./data",
          description: "folder of the ledger, the node key and the market data",
        }),
      },
      { ...closed, description: "files" },
    ),
    ledger: Ledger,
    backup: Type.Object(
      {
        dir: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 1_000,
            description: "folder that exists, best on another disk; none = no scheduled backups",
            example: "/mnt/backups/intel-node",
          }),
        ),
        every: Duration("24h", "time between two backups, at least 1m"),
        keep: Type.Integer({
          minimum: 1,
          maximum: 10_000,
          default: 7,
          description: "backups kept; older ones are removed after a new one was proved",
        }),
      },
      { ...closed, description: "scheduled backups of the ledger" },
    ),
    copy: Copy,
    proof: Type.Object(
      {
        inputs: Type.Object(
          {
            keep: Duration("30d", "how long what sold answers were made of is kept, so that they can be made again"),
            max_mb: Type.Integer({
              minimum: 0,
              maximum: 1_000_000,
              default: 512,
              description: "megabytes of it, packed; the oldest end first, 0 keeps nothing",
            }),
          },
          { ...closed, description: "what sold answers were made of: inputs.db in the data folder, not backed up" },
        ),
        anchor: Anchor,
        unchanged_share: Type.Number({
          minimum: 0,
          maximum: 1,
          default: 0.1,
          description:
            "part of the price that ?since= costs a key or channel when nothing changed; at least 0.000001 USD",
        }),
      },
      { ...closed, description: "what anybody can check of what was sold" },
    ),
    wallets: Type.Object(
      {
        base: wallet(
          Address("^0x[0-9a-fA-F]{40}$", "0x and 40 hex digits", "0x90F79bf6EB2c4f870365E785982E1f101E93b906"),
          "Base",
          { ...ByOrigin, networks: OtherNetworks },
        ),
        solana: wallet(
          Address(
            "^[1-9A-HJ-NP-Za-km-z]{32,44}$",
            "32-44 base58 characters",
            "GyGKxMyg1p9SsHfm15MkNUu1u9TN2JtTspcdmrtGUdse",
          ),
          "Solana",
          ByOrigin,
        ),
        algorand: wallet(
          Address(
            "^[A-Z2-7]{58}$",
            "58 base32 characters",
            "5VESRRRI2HBMN2XJAM4JAWMVMEUVSJZ2LRR7SNRWYFDBJLEHG7I2572N4M",
          ),
          "Algorand",
          {},
        ),
      },
      { ...closed, description: "receiving addresses" },
    ),
    facilitators: Type.Array(Facilitator, {
      default: [],
      maxItems: 20,
      description: "who checks and settles payments",
    }),
    chains: Type.Record(
      Type.String({ pattern: "^[a-z][a-z0-9_]{0,30}$" }),
      Type.Object(
        {
          rpc: TextList("RPC endpoints in order; algod on Algorand", ["https://mainnet.base.org"]),
          indexer: TextList("indexers in order, for payments that are too old for algod; Algorand only"),
          headers: Type.Optional(
            Type.Record(Type.String(), Type.String({ maxLength: 2_000, secret: true }), {
              description: "headers sent to algod and the indexers, such as X-Algo-API-Token; Algorand only",
              example: {},
            }),
          ),
        },
        { ...closed, description: "RPC endpoints of a chain" },
      ),
      { default: {}, description: "RPC endpoints by chain name: base, base_sepolia, ethereum, solana, …" },
    ),
    providers: Type.Object(
      {
        allow_terms: Type.Array(Terms, {
          default: ["open", "attribution", "unclear"],
          maxItems: 4,
          description: "classes of reuse terms you accept",
        }),
        off: TextList("provider ids that are not asked, whatever their tables say", ["gdelt"]),
      },
      { additionalProperties: Provider, description: "upstreams: one table per provider id" },
    ),
    llm: LLM,
    models: Type.Array(ModelEntry, { default: [], maxItems: 20, description: "language models" }),
    prices: Type.Record(Type.String({ pattern: "^/" }), Price("price of this path in USD"), {
      default: {},
      description: 'your own prices in USD, by path: "/fear-greed" = "0.02"',
    }),
    products: Type.Object(
      {
        off: TextList("paths that are not sold: 410 and nothing is charged; products off does the same at once", [
          "/sanctions",
        ]),
      },
      { ...closed, description: "what is not sold" },
    ),
    metering: Metering,
    aliases: Type.Record(Type.String({ pattern: "^/[a-z0-9/-]{1,100}$" }), Type.String({ pattern: "^/" }), {
      default: {},
      description: 'further old paths of products, which answer 308: "/old-name" = "/fear-greed"',
    }),
    plans: Type.Record(Type.String({ pattern: "^[a-z][a-z0-9_]{0,40}$" }), Plan, {
      default: {},
      description: "prepaid plans",
    }),
    basket: Type.Object(
      {
        enabled: Flag(true, "false sells no baskets: several products in one call, at POST /basket"),
        discount: Type.Number({
          minimum: 0,
          maximum: 0.9,
          default: 0,
          description: "share taken off the sum of two or more items, to four places: 0.1 is 10 %",
        }),
      },
      { ...closed, description: "several products in one call" },
    ),
    watch: Type.Object(
      {
        enabled: Flag(true, "false takes no watches: questions asked again and again for a key, at POST /watch"),
        idle_share: Type.Number({
          minimum: 0,
          maximum: 1,
          default: 0.1,
          description: "share of the price that an evaluation costs which tells nothing; at least 0.000001 USD",
        }),
        per_key: Type.Integer({ minimum: 1, maximum: 100_000, default: 100, description: "watches a key may have" }),
      },
      { ...closed, description: "questions the node asks again and again for a key" },
    ),
    plugins: Type.Object(
      {
        dir: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 1_000,
            description: "folder of your own plugins",
            example: "./plugins",
          }),
        ),
        disabled: TextList("plugin ids to leave out"),
      },
      { ...closed, description: "where products come from" },
    ),
    preview: Type.Object(
      { delay: Duration("15m", "how old a free preview must be, unless the product says otherwise") },
      { ...closed, description: "free, delayed answers" },
    ),
    payments: Type.Object(
      {
        testnet: Flag(false, "true offers the test networks instead of the main ones"),
        challenge_body: Type.Union([Type.Literal("v2"), Type.Literal("v1")], {
          default: "v2",
          description: "version of the 402 body; the header is always version 2",
        }),
        v1_off: WalletList("networks not offered to clients of version 1: base, solana"),
        v2_off: WalletList("networks not offered to clients of version 2: base, solana, algorand"),
        duplicate_guard_s: Type.Integer({
          minimum: 0,
          maximum: 3_600,
          default: 60,
          description: "a new payment for what the same payer got this recently is not taken",
        }),
        verify_timeout: Duration("10s", "time limit of a facilitator's verify"),
        settle_timeout: Duration("45s", "time limit of a facilitator's settle; longer than its own wait"),
        algorand_tag: Type.String({
          pattern: "^[\\x20-\\x7e]{0,64}$",
          default: "",
          expects: "at most 64 letters without accents, digits, blanks and signs",
          description: "a label some Algorand facilitators list sellers by; empty = what the facilitator says, if any",
        }),
        replay_window: Duration("24h", "how long a payment fetches its stored answer again"),
        never_landed_max: Type.Number({
          minimum: 0,
          maximum: 1,
          default: 0.02,
          description:
            "share of a facilitator's settlements that may be missing on the chain before it is not believed",
        }),
        never_landed_sample: Type.Integer({
          minimum: 1,
          maximum: 1_000_000,
          default: 20,
          description: "settlements of the last 24 hours that must be decided before that share counts",
        }),
        channels: ChannelsConfig,
        upto: Type.Object(
          {
            enabled: Flag(
              false,
              "true lets buyers of metered answers sign for the most (x402 upto) where a facilitator takes it",
            ),
          },
          { ...closed, default: {}, description: "metered answers by one signature" },
        ),
        confirm_always: Flag(false, "true waits for the chain before every paid answer; needs RPC endpoints"),
      },
      { ...closed, description: "the payment gate" },
    ),
    limits: Limits,
    work: Work,
    peers: PeersTable,
    welcome: Type.Object(
      {
        enabled: Flag(true, "false gives no free first calls"),
        max_price: Type.String({
          pattern: USD_PATTERN,
          default: "0.05",
          description: "price a free first call may have at most, USD",
          expects: 'a USD amount such as "0.05"',
        }),
        eligible: TextList("paths it may call; empty = all up to max_price", ["/fear-greed"]),
        daily_budget: Type.String({
          pattern: USD_PATTERN,
          default: "1.00",
          description: "what the node gives away in 24 hours, USD",
          expects: 'a USD amount such as "1.00"',
        }),
        ttl: Duration("24h", "how long a coupon can be redeemed"),
      },
      { ...closed, description: "free first calls: one per client network and day" },
    ),
    bootstrap_trust: Type.Object(
      {
        mode: Type.Union([Type.Literal("paid"), Type.Literal("self-payment")], {
          default: "paid",
          description: '"paid": GET /bootstrap-trust is sold; "self-payment": POST lets your own wallet buy once',
        }),
        wallet_key_env: Type.Optional(
          Type.String({
            pattern: "^[A-Z][A-Z0-9_]{0,60}$",
            description: "environment variable with the private key (Base) that pays in self-payment mode",
            example: "BUYER_KEY",
          }),
        ),
      },
      { ...closed, description: "the first settlement of a new node" },
    ),
    mcp: MCP,
    trust: Type.Object(
      {
        signed_offers: Type.Union([Type.Literal("off"), Type.Literal("body")], {
          default: "off",
          description: '"body" puts signed offers (x402 offer-receipt) into the 402 body: 0.5 kB per network',
        }),
      },
      { ...closed, description: "what the node signs besides receipts" },
    ),
    alerts: Type.Array(Alert, {
      default: [],
      maxItems: 10,
      description: "how you are told of trouble and of sales",
    }),
    admin: Type.Object(
      {
        enabled: Flag(
          false,
          "true opens the operator's pages under /admin to who has the operator token, from anywhere",
        ),
      },
      { ...closed, description: "the operator's pages; on this machine, without a proxy, they are always open" },
    ),
    metrics: Type.Object(
      {
        listen: Type.Optional(
          Type.String({
            pattern: "^(\\[[0-9a-fA-F:]+\\]|[A-Za-z0-9.-]{1,253}):[0-9]{1,5}$",
            description: "host and port of a listener of its own for GET /metrics; anybody who reaches it may read",
            example: "127.0.0.1:9402",
            expects: 'a host and a port such as "127.0.0.1:9402"',
          }),
        ),
      },
      { ...closed, description: "figures for Prometheus; with the operator token they are at /metrics, too" },
    ),
    telemetry: Telemetry,
    upgrade: Type.Object(
      {
        url: Type.Optional(
          Url("folder of releases: latest/ and v<version>/ with release.json in each", "https://releases.example.com"),
        ),
        key: Type.Optional(
          Type.String({
            pattern: "^[A-Za-z0-9+/]{56}$",
            description: "minisign public key of your own releases, instead of the one built into the program",
            example: "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3",
            expects: "the second line of a minisign public key file",
          }),
        ),
        ready_timeout: Duration("30s", "how long a new program may take until it serves; then the old one does again"),
      },
      {
        ...closed,
        description: 'where "intel-node upgrade" looks; it takes only what is signed',
      },
    ),
    log: Type.Object(
      {
        level: Type.Union(
          [
            Type.Literal("debug"),
            Type.Literal("info"),
            Type.Literal("warn"),
            Type.Literal("error"),
            Type.Literal("silent"),
          ],
          { default: "info", description: "least important level written" },
        ),
        format: Type.Union([Type.Literal("auto"), Type.Literal("json"), Type.Literal("pretty")], {
          default: "auto",
          description: '"auto" is pretty on a terminal, JSON elsewhere',
        }),
      },
      { ...closed, description: "log lines on standard error" },
    ),
  },
  closed,
);

export type ProviderTable = Static<typeof Provider>;

/** What plugins and providers declare of the configuration, by their ids. */
export interface OwnTables {
  readonly plugins: Readonly<Record<string, TObject>>;
  /** Keys beside those that every provider has. */
  readonly providers: Readonly<Record<string, TObject>>;
}

export const NO_OWN_TABLES: OwnTables = { plugins: {}, providers: {} };

/** The schema with the tables of `[plugins.<id>]` and the keys of `[providers.<id>]` that are declared elsewhere. */
export function createConfigSchema({ plugins, providers }: OwnTables): TSchema {
  const { properties } = ConfigSchema;
  const tables = Object.entries(plugins).map(([id, { properties: keys }]) => {
    const description = `options of the plugin ${id}`;
    return [id, Type.Object(keys, { ...closed, description })] as const;
  });
  const keyed = Object.entries(providers).map(([id, { properties: keys }]) => {
    const description = `keys of ${id} beside those of every provider`;
    return [id, Type.Object({ ...Provider.properties, ...keys }, { ...closed, description })] as const;
  });
  const { allow_terms, off } = properties.providers.properties;
  return Type.Object(
    {
      ...properties,
      providers: Type.Object(
        { allow_terms, off, ...Object.fromEntries(keyed) },
        { additionalProperties: Provider, description: properties.providers.description ?? "" },
      ),
      plugins: Type.Object(
        { ...properties.plugins.properties, ...Object.fromEntries(tables) },
        { ...closed, description: properties.plugins.description ?? "" },
      ),
    },
    closed,
  );
}

/** The whole configuration after defaults. */
export interface Config extends Omit<Static<typeof ConfigSchema>, "providers" | "plugins"> {
  readonly providers: {
    readonly allow_terms: Static<typeof Terms>[];
    readonly off: readonly string[];
    /** By provider id: those the operator wrote a table for, and those with keys of their own. */
    readonly tables: Readonly<Record<string, ProviderTable>>;
  };
  readonly plugins: Static<typeof ConfigSchema>["plugins"] & {
    /** By plugin id: what each declares, read with `createOwnConfig`. */
    readonly tables: Readonly<Record<string, object>>;
  };
}
