import { type TProperties, type TSchema, Type } from "@sinclair/typebox";
import { DURATION_PATTERN } from "../core/duration.ts";
import { closed } from "../core/schema-fields.ts";
import { ALERT_EVENT_NAMES } from "./alert-events.ts";
import { Coins, Duration, Flag, Price, TextList, Url } from "./schema-parts.ts";

export const wallet = <T extends TSchema, M extends TProperties>(pay_to: T, what: string, more: M) =>
  Type.Optional(
    Type.Object(
      {
        pay_to: Type.Optional(pay_to),
        proofs: TextList('what "intel-node wallet verify" prints: the owner of this address names this node'),
        ...more,
        operator_test: TextList("your own addresses: their payments are labelled operator-test"),
      },
      { ...closed, description: `where you are paid on ${what}` },
    ),
  );

export const ByOrigin = {
  origin_proof: Type.Optional(
    Type.String({
      pattern: "^\\S{1,200}$",
      expects: "a signature",
      description: "signature of this address over your public_url alone, for registries such as x402scan",
      example: "…",
    }),
  ),
};

/** An EVM address has the same form on every EVM network, which does not make it its owner's there. */
export const OtherNetworks = TextList(
  "networks besides Base this address is paid on, by name or CAIP-2 id; a network that is not named here is never used",
  ["polygon"],
);

const Quota = (period: string) =>
  Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000_000,
      description: `calls, or credits, per ${period} of UTC that your plan allows`,
      example: 1_000,
    }),
  );

export const Provider = Type.Object(
  {
    enabled: Flag(true, "false leaves the provider out"),
    base_url: Type.Optional(Url("replaces the provider's own address", "https://proxy.example.com")),
    api_key: Type.Optional(
      Type.String({ minLength: 1, maxLength: 500, secret: true, description: "your key", example: "…" }),
    ),
    client_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        description: "your client's id, where it takes OAuth",
        example: "…",
      }),
    ),
    client_secret: Type.Optional(
      Type.String({ minLength: 1, maxLength: 500, secret: true, description: "your client's secret", example: "…" }),
    ),
    hosts: Type.Optional(
      Type.Record(Type.String({ pattern: "^[a-z][a-z0-9_]{0,39}$" }), Url("replaces an address", "https://…"), {
        description: "replaces addresses of its further hosts, by their names",
        example: {},
      }),
    ),
    terms_ack: Flag(false, "true states that you hold the licence a restricted provider asks for"),
    rate_per_s: Type.Optional(
      Type.Number({ exclusiveMinimum: 0, maximum: 1_000, description: "calls per second at most", example: 1 }),
    ),
    quota_minute: Quota("minute"),
    quota_hour: Quota("hour"),
    quota_day: Quota("day"),
    quota_month: Quota("month"),
    timeout: Type.Optional(
      Type.String({
        pattern: DURATION_PATTERN,
        description: "time limit of one call",
        example: "3s",
        expects: 'a duration such as "3s"',
      }),
    ),
  },
  { ...closed, description: "one table per provider id; `intel-node catalog` lists them" },
);

export const Terms = Type.Union([
  Type.Literal("open"),
  Type.Literal("attribution"),
  Type.Literal("unclear"),
  Type.Literal("restricted"),
]);

export const Plan = Type.Object(
  {
    price: Type.Optional(Price("what it costs")),
    grants: Type.Optional(Price("prepaid balance it grants")),
    duration: Type.Optional(
      Type.String({
        pattern: DURATION_PATTERN,
        description: "how long it lasts",
        example: "24h",
        expects: 'a duration such as "24h"',
      }),
    ),
    enabled: Flag(true, "false takes it off every list"),
    path: Type.Optional(
      Type.String({
        pattern: "^/[a-z0-9-]{1,60}$",
        description: "where it is bought",
        example: "/day-pass",
        expects: 'a path such as "/day-pass"',
      }),
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
  { ...closed, description: "prepaid plans by name: built-in ones are changed, other names add a plan" },
);

export const Facilitator = Type.Object(
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
      TextList("CAIP-2 ids it is used for; empty = all it supports; embedded: exactly one", ["eip155:8453"]),
    ),
    claims_max: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        description: "remote: payment channels that one claim may have; 25 unless given, the embedded one takes 100",
        example: 100,
      }),
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
    gas_cap_per_hour: Type.Optional(
      Coins("embedded: most that is lost on gas in an hour; what payments earned back is not counted", "0.005"),
    ),
    gas_per_call: Type.Optional(
      Type.Integer({
        minimum: 100_000,
        maximum: 5_000_000,
        description: "embedded, Base: units of gas a payment may take; a plain account's takes about 110000",
        example: 200_000,
      }),
    ),
    coin_usd: Type.Optional(
      Price("embedded, Base: what you say one ETH is worth, USD; gas is then held to gas_share_max of a price"),
    ),
    gas_share_max: Type.Optional(
      Type.Number({
        minimum: 0.01,
        maximum: 1,
        description: "embedded, Base: part of a payment's amount that its gas may cost, once coin_usd is set",
        example: 0.5,
      }),
    ),
    eip6492_factories: Type.Optional(
      Type.Array(Type.String({ pattern: "^0x[0-9a-fA-F]{40}$", expects: "0x and 40 hex digits" }), {
        maxItems: 20,
        description: "embedded, Base: factories that may create a buyer's contract wallet at your cost",
        example: [],
      }),
    ),
  },
  { ...closed, description: "who checks and settles payments, in order of preference" },
);

export const MCP = Type.Object(
  {
    allowed_origins: TextList(
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
  { ...closed, description: "the MCP endpoint" },
);

const Told = (description: string, example: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 300, description, example }));
const Secret = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 500, secret: true, description, example: "…" }));

const QUIET_HOURS_PATTERN = "^([01][0-9]|2[0-3]):[0-5][0-9]-([01][0-9]|2[0-3]):[0-5][0-9]$";

export const Alert = Type.Object(
  {
    kind: Type.Union([Type.Literal("ntfy"), Type.Literal("webhook"), Type.Literal("smtp"), Type.Literal("email")], {
      description: 'how you are told: a push message by ntfy, a signed webhook, or an e-mail ("smtp", or "email")',
      example: "ntfy",
    }),
    url: Type.Optional({
      ...Url("ntfy: the topic's address; webhook: where it is posted", "https://ntfy.sh/a-long-secret-topic"),
      secret: true,
    }),
    token: Secret("ntfy: access token, if the topic asks for one"),
    secret: Type.Optional(
      Type.String({
        pattern: "^whsec_[A-Za-z0-9+/]{24,120}={0,2}$",
        secret: true,
        expects: '"whsec_" and base64',
        description: 'webhook: what it is signed with (Standard Webhooks), "whsec_" and base64',
        example: "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX",
      }),
    ),
    host: Told("smtp: the mail server", "smtp.example.com"),
    port: Type.Integer({ minimum: 1, maximum: 65_535, default: 587, description: "smtp: its port" }),
    user: Told("smtp: user", "node@example.com"),
    password: Secret("smtp: password"),
    from: Told("smtp: sender", "node@example.com"),
    to: Told("smtp: receiver", "you@example.com"),
    least: Type.Union([Type.Literal("info"), Type.Literal("warning"), Type.Literal("critical")], {
      default: "info",
      description: "the least that is sent this way",
    }),
    events: Type.Array(Type.Union(ALERT_EVENT_NAMES.map((name) => Type.Literal(name))), {
      default: [],
      maxItems: 100,
      description: "which events are sent this way; empty = all",
      example: ["first-sale", "daily", "ledger", "facilitator"],
    }),
    remind: Duration("4h", "how often you are reminded of what is critical as long as it stays"),
    quiet_hours: Type.Optional(
      Type.String({
        pattern: QUIET_HOURS_PATTERN,
        description: "hours (UTC) in which only what is critical is sent; the rest waits for their end",
        expects: 'two times of day in UTC such as "22:00-07:00"',
        example: "22:00-07:00",
      }),
    ),
  },
  { ...closed, description: "one entry per way you are told of trouble and of sales" },
);

/** Where the books are kept. */
export const Ledger = Type.Object(
  {
    url: Type.Optional(
      Type.String({
        pattern: "^postgres(ql)?://[^\\s]{1,500}$",
        description:
          "PostgreSQL database that keeps the books, without a password; none = ledger.db in the data folder. " +
          'An old ledger is moved with "intel-node ledger move"',
        example: "postgres://intel@db.example.com:5432/intel",
        expects: "an address such as postgres://user@host:5432/database",
      }),
    ),
    password: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        secret: true,
        description: "its password, best set in the environment",
        example: "…",
      }),
    ),
    password_file: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1_000,
        description: "file whose first line is its password",
        example: "/run/secrets/ledger",
      }),
    ),
    ca_file: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1_000,
        description: "certificate authority of the database, PEM; none = the system's",
        example: "/etc/intel-node/db-ca.pem",
      }),
    ),
    lease: Duration("20s", "how long a database stays with a node that says no more; others go on without it then"),
  },
  { ...closed, description: "where the books are kept" },
);

export const Telemetry = Type.Object(
  {
    otlp: Type.Optional(
      Url(
        "OpenTelemetry collector that is sent traces of requests, by OTLP over HTTP; none = nothing is traced",
        "http://127.0.0.1:4318",
      ),
    ),
    sample_ratio: Type.Number({
      minimum: 0,
      maximum: 1,
      default: 1,
      description: "share of the requests that are traced; what a trusted proxy's traceparent says comes first",
    }),
  },
  { ...closed, description: "traces: what a request spends its time on" },
);
