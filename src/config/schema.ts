import { type Static, type TProperties, type TSchema, Type } from "@sinclair/typebox";
import { DURATION_PATTERN } from "../core/duration.ts";

/**
 * The configuration: the only source of its types, defaults, checks, docs and config.example.toml. Adding a key is one
 * edit here. `example` is shown where there is no default; `secret` values are masked wherever they are printed.
 */
const strict = { additionalProperties: false } as const;
const Duration = (value: string, description: string) =>
  Type.String({ pattern: DURATION_PATTERN, default: value, description, expects: 'a duration such as "15m"' });
const USD_PATTERN = "^(0|[1-9][0-9]{0,11})(\\.[0-9]{1,6})?$";
const Price = (description: string) =>
  Type.String({ pattern: USD_PATTERN, description, expects: 'a USD amount such as "0.01"', example: "0.01" });
const Flag = (value: boolean, description: string) => Type.Boolean({ default: value, description });
const Share = (value: number, description: string) =>
  Type.Integer({ minimum: 1, maximum: 1_000, default: value, description });
const Words = (description: string, example: readonly string[] = []) =>
  Type.Array(Type.String({ maxLength: 500 }), { default: [], maxItems: 100, description, example });
const Address = (pattern: string, expects: string, example: string) =>
  Type.String({ pattern, expects, example, description: `receiving address (${expects}); no address = not offered` });
const Url = (description: string, example: string) =>
  Type.String({ pattern: "^https?://[^\\s/]+", maxLength: 500, description, example, expects: "an http(s) address" });

const Coins = (description: string, example: string) =>
  Type.String({
    pattern: "^(0|[1-9][0-9]{0,11})(\\.[0-9]{1,18})?$",
    description,
    example,
    expects: 'an amount such as "0.001"',
  });

const wallet = <T extends TSchema, M extends TProperties>(pay_to: T, what: string, more: M) =>
  Type.Optional(
    Type.Object(
      {
        pay_to: Type.Optional(pay_to),
        proofs: Words('what "intel-node wallet verify" prints: the owner of this address names this node'),
        ...more,
        operator_test: Words("your own addresses: their payments are labelled operator-test"),
      },
      { ...strict, description: `where you are paid on ${what}` },
    ),
  );

const ByOrigin = {
  origin_proof: Type.Optional(
    Type.String({
      pattern: "^\\S{1,200}$",
      expects: "a signature",
      description: "signature of this address over your public_url alone, for registries such as x402scan",
      example: "…",
    }),
  ),
};

const Provider = Type.Object(
  {
    enabled: Flag(true, "false leaves the provider out"),
    base_url: Type.Optional(Url("replaces the provider's own address", "https://proxy.example.com")),
    api_key: Type.Optional(
      Type.String({ minLength: 1, maxLength: 500, secret: true, description: "your key", example: "…" }),
    ),
    terms_ack: Flag(false, "true states that you hold the licence a restricted provider asks for"),
    rate_per_s: Type.Optional(
      Type.Number({ exclusiveMinimum: 0, maximum: 1_000, description: "calls per second at most", example: 1 }),
    ),
    timeout: Type.Optional(
      Type.String({
        pattern: DURATION_PATTERN,
        description: "time limit of one call",
        example: "3s",
        expects: 'a duration such as "3s"',
      }),
    ),
  },
  { ...strict, description: "one table per provider id; `intel-node catalog` lists them" },
);

const Terms = Type.Union([
  Type.Literal("open"),
  Type.Literal("attribution"),
  Type.Literal("unclear"),
  Type.Literal("restricted"),
]);

const Plan = Type.Object(
  {
    price: Type.Optional(Price("what it costs")),
    grants: Type.Optional(Price("prepaid balance it grants")),
    duration: Type.Optional(
      Type.String({ pattern: DURATION_PATTERN, description: "how long it lasts", example: "24h" }),
    ),
    enabled: Flag(true, "false takes it off every list"),
    path: Type.Optional(
      Type.String({ pattern: "^/[a-z0-9-]{1,60}$", description: "where it is bought", example: "/day-pass" }),
    ),
    title: Type.Optional(
      Type.String({ minLength: 1, maxLength: 60, description: "its name on every list", example: "Day pass" }),
    ),
    description: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 300,
        description: "one sentence for buyers",
        example: "Unlimited calls for a day.",
      }),
    ),
    pass: Type.Optional(Type.Boolean({ description: "true: calls are free of debits while it lasts", example: true })),
    priority: Type.Optional(
      Type.Union([Type.Literal("standard"), Type.Literal("pro"), Type.Literal("max"), Type.Literal("dedicated")], {
        description: "who is served first when the node is busy",
        example: "standard",
      }),
    ),
    badge: Type.Optional(Type.Boolean({ description: "true: the key gets a public badge", example: false })),
  },
  { ...strict, description: "prepaid plans by name: built-in ones are changed, other names add a plan" },
);

const Facilitator = Type.Object(
  {
    kind: Type.Union([Type.Literal("remote"), Type.Literal("embedded"), Type.Literal("sandbox")], {
      description: '"remote" = by URL; "embedded" = this node settles itself; "sandbox" only on loopback',
      example: "remote",
    }),
    url: Type.Optional(Url("its address", "https://facilitator.example.com")),
    headers: Type.Optional(
      Type.Record(Type.String(), Type.String({ maxLength: 2_000, secret: true }), {
        description: "headers sent with every call, such as an API key",
        example: {},
      }),
    ),
    auth: Type.Optional(
      Type.Literal("cdp", {
        description: 'remote: "cdp" signs every call with CDP_API_KEY_ID and CDP_API_KEY_SECRET of the environment',
        example: "cdp",
      }),
    ),
    networks: Type.Optional(
      Words("CAIP-2 ids it is used for; empty = all it supports; embedded: exactly one", ["eip155:8453"]),
    ),
    gas_key_env: Type.Optional(
      Type.String({
        pattern: "^(?!INTEL_NODE_)[A-Z_][A-Z0-9_]{0,100}$",
        description: "embedded: environment variable that holds the secret key of the gas account",
        example: "BASE_GAS_KEY",
        expects: "a variable's name, which must not begin with INTEL_NODE_",
      }),
    ),
    gas_key_file: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1_000,
        description: "embedded: the same in a file that only you can read (mode 0600)",
        example: "/etc/intel-node/base-gas.key",
      }),
    ),
    min_gas: Type.Optional(Coins("embedded: warn when the gas account holds less, in ETH, SOL or ALGO", "0.0005")),
    gas_cap_per_hour: Type.Optional(Coins("embedded: most that is spent on gas in an hour", "0.005")),
    eip6492_factories: Type.Optional(
      Type.Array(Type.String({ pattern: "^0x[0-9a-fA-F]{40}$", expects: "0x and 40 hex digits" }), {
        maxItems: 20,
        description: "embedded, Base: factories that may create a buyer's contract wallet at your cost",
        example: [],
      }),
    ),
  },
  { ...strict, description: "who checks and settles payments, in order of preference" },
);

export const ConfigSchema = Type.Object(
  {
    node: Type.Object(
      {
        name: Type.String({
          pattern: "^[\\x20-\\x7e]{1,32}$",
          default: "intel-node",
          description: "shown to buyers; printable ASCII, at most 32 characters",
        }),
        brand: Type.String({
          pattern: "^[a-z][a-z0-9-]{0,30}$",
          default: "intel",
          description: "slug used in brand-named paths",
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
        security_contact: Type.Optional(
          Type.String({ maxLength: 200, description: "where to report a weakness", example: "security@example.com" }),
        ),
      },
      { ...strict, description: "who this node is" },
    ),
    server: Type.Object(
      {
        host: Type.String({
          pattern: "^[A-Za-z0-9.:_-]{1,253}$",
          default: "127.0.0.1",
          description: "address to listen on",
        }),
        port: Type.Integer({
          minimum: 0,
          maximum: 65_535,
          default: 8402,
          description: "port to listen on; 0 picks a free one",
        }),
        trusted_proxies: Words("addresses whose X-Forwarded-For is believed", ["127.0.0.1"]),
        body_bytes_max: Type.Integer({
          minimum: 1_024,
          maximum: 16_777_216,
          default: 262_144,
          description: "largest request body",
        }),
        drain: Duration("25s", "how long a stop waits for calls in flight"),
      },
      { ...strict, description: "the listener" },
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
      { ...strict, description: "files" },
    ),
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
      { ...strict, description: "scheduled backups of the ledger" },
    ),
    wallets: Type.Object(
      {
        base: wallet(
          Address("^0x[0-9a-fA-F]{40}$", "0x and 40 hex digits", "0x90F79bf6EB2c4f870365E785982E1f101E93b906"),
          "Base",
          ByOrigin,
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
      { ...strict, description: "receiving addresses" },
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
          rpc: Words("RPC endpoints in order; algod on Algorand", ["https://mainnet.base.org"]),
          indexer: Words("indexers in order, for payments that are too old for algod; Algorand only"),
          headers: Type.Optional(
            Type.Record(Type.String(), Type.String({ maxLength: 2_000, secret: true }), {
              description: "headers sent to algod and the indexers, such as X-Algo-API-Token; Algorand only",
              example: {},
            }),
          ),
        },
        { ...strict, description: "RPC endpoints of a chain" },
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
      },
      { additionalProperties: Provider, description: "upstreams: one table per provider id" },
    ),
    prices: Type.Record(Type.String({ pattern: "^/" }), Price("price of this path in USD"), {
      default: {},
      description: 'your own prices in USD, by path: "/fear-greed" = "0.02"',
    }),
    plans: Type.Record(Type.String({ pattern: "^[a-z][a-z0-9_]{0,40}$" }), Plan, {
      default: {},
      description: "prepaid plans",
    }),
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
        disabled: Words("plugin ids to leave out"),
      },
      { ...strict, description: "where products come from" },
    ),
    preview: Type.Object(
      { delay: Duration("15m", "how old a free preview must be, unless the product says otherwise") },
      { ...strict, description: "free, delayed answers" },
    ),
    payments: Type.Object(
      {
        testnet: Flag(false, "true offers the test networks instead of the main ones"),
        challenge_body: Type.Union([Type.Literal("v2"), Type.Literal("v1")], {
          default: "v2",
          description: "version of the 402 body; the header is always version 2",
        }),
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
        confirm_always: Flag(false, "true waits for the chain before every paid answer; needs RPC endpoints"),
      },
      { ...strict, description: "the payment gate" },
    ),
    limits: Type.Object(
      {
        enabled: Flag(true, "false switches rate limits off"),
        free_per_minute: Type.Integer({
          minimum: 1,
          maximum: 1_000_000,
          default: 120,
          description: "free and unpaid requests per address and minute",
        }),
        key_per_minute: Type.Integer({
          minimum: 1,
          maximum: 100_000_000,
          default: 6_000,
          description: "calls per balance key and minute; passes have no limit",
        }),
        signature_checks_per_minute: Type.Integer({
          minimum: 1,
          maximum: 1_000_000,
          default: 60,
          description: "payments per address and minute whose signature is not the payer's",
        }),
        loopback_exempt: Flag(false, "true leaves loopback unlimited; behind a proxy set trusted_proxies instead"),
        produce_slots: Type.Integer({
          minimum: 1,
          maximum: 10_000,
          default: 64,
          description: "paid calls worked on at once",
        }),
        shares: Type.Object(
          {
            background: Share(1, "previews"),
            standard: Share(4, "calls paid one by one, balances and passes"),
            pro: Share(8, "priority pro"),
            max: Share(16, "priority max"),
            dedicated: Share(16, "priority dedicated"),
            dedicated_slots: Type.Number({
              minimum: 0,
              maximum: 0.9,
              default: 0.1,
              description: "part of produce_slots that only priority dedicated may use",
            }),
          },
          { ...strict, description: "who is served in which proportion while calls wait" },
        ),
      },
      { ...strict, description: "limits" },
    ),
    welcome: Type.Object(
      {
        enabled: Flag(true, "false gives no free first calls"),
        max_price: Type.String({
          pattern: USD_PATTERN,
          default: "0.05",
          description: "price a free first call may have at most, USD",
          expects: 'a USD amount such as "0.05"',
        }),
        eligible: Words("paths it may call; empty = all up to max_price", ["/fear-greed"]),
        daily_budget: Type.String({
          pattern: USD_PATTERN,
          default: "1.00",
          description: "what the node gives away in 24 hours, USD",
          expects: 'a USD amount such as "1.00"',
        }),
        ttl: Duration("24h", "how long a coupon can be redeemed"),
      },
      { ...strict, description: "free first calls: one per client network and day" },
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
      { ...strict, description: "the first settlement of a new node" },
    ),
    mcp: Type.Object(
      {
        allowed_origins: Words(
          'browser origins that may call /mcp, "*" = all; empty = all when public_url is set, else this machine only',
          ["https://app.example.com"],
        ),
        key_in_url: Flag(false, "true takes /mcp?key=..., for clients without headers; addresses end up in logs"),
        registry_auth: Type.Optional(
          Type.String({
            pattern: "^v=MCPv1; k=(ed25519|ecdsap384); p=[A-Za-z0-9+/]{40,200}={0,2}$",
            description: "the line by which the MCP registry knows this host, served at /.well-known/mcp-registry-auth",
            example: "v=MCPv1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=",
            expects: "the line the registry's publisher asks for",
          }),
        ),
      },
      { ...strict, description: "the MCP endpoint" },
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
      { ...strict, description: "log lines on standard error" },
    ),
  },
  strict,
);

export type ProviderTable = Static<typeof Provider>;

/** The whole configuration after defaults. */
export interface Config extends Omit<Static<typeof ConfigSchema>, "providers"> {
  readonly providers: {
    readonly allow_terms: Static<typeof Terms>[];
    /** By provider id; only those the operator wrote a table for. */
    readonly tables: Readonly<Record<string, ProviderTable>>;
  };
}
