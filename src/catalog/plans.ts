import { type Static, Type } from "@sinclair/typebox";
import { parseDuration } from "../core/duration.ts";
import { parseUSD, renderUSD } from "../core/money.ts";
import { getOwn } from "../core/own.ts";
import type { Priority } from "../core/priority.ts";
import type { Plan } from "./plan.ts";
import type { LoadedPlugin } from "./plugin.ts";
import { type AnyProduct, defineProduct } from "./product.ts";
import type { ProductPath } from "./product-path.ts";

/** The plans of the original service description. */
const PLANS: readonly Plan[] = [
  {
    name: "buy_credits",
    path: "/buy-credits",
    title: "Prepaid balance",
    description: "An API key with a balance of 1.25 USD. Every call is debited at its price; the balance does not end.",
    price_usd: "0.99",
    credit_usd: "1.25",
    duration: null,
    pass: false,
    priority: "standard",
    badge: false,
  },
  {
    name: "day_pass",
    path: "/day-pass",
    title: "Day pass",
    description: "An API key for unlimited calls on every endpoint for 24 hours, without a rate limit.",
    price_usd: "2.99",
    credit_usd: null,
    duration: "24h",
    pass: true,
    priority: "standard",
    badge: false,
  },
  {
    name: "week_pass",
    path: "/week-pass",
    title: "Week pass",
    description: "An API key for unlimited calls on every endpoint for 7 days, without a rate limit.",
    price_usd: "9.99",
    credit_usd: null,
    duration: "7d",
    pass: true,
    priority: "standard",
    badge: false,
  },
  {
    name: "subscribe_pro",
    path: "/subscribe-pro",
    title: "Pro subscription",
    description: "An API key with a balance of 15 USD for 30 days, served before calls without priority.",
    price_usd: "9.99",
    credit_usd: "15",
    duration: "30d",
    pass: false,
    priority: "pro",
    badge: false,
  },
  {
    name: "subscribe_whale",
    path: "/subscribe-whale",
    title: "Whale subscription",
    description: "An API key for unlimited calls on every endpoint for 30 days, with the highest shared priority.",
    price_usd: "19.99",
    credit_usd: null,
    duration: "30d",
    pass: true,
    priority: "max",
    badge: false,
  },
  {
    name: "founding_agent",
    path: "/founding-agent",
    title: "Founding agent",
    description: "An API key with a balance of 75 USD for 180 days and a badge that anybody can verify at its address.",
    price_usd: "49.99",
    credit_usd: "75",
    duration: "180d",
    pass: false,
    priority: "pro",
    badge: true,
  },
  {
    name: "enterprise",
    path: "/enterprise",
    title: "Enterprise",
    description:
      "An API key for unlimited calls on every endpoint for 12 months, with a share of the node kept for it.",
    price_usd: "99.99",
    credit_usd: null,
    duration: "365d",
    pass: true,
    priority: "dedicated",
    badge: false,
  },
];

/** What `[plans.<name>]` may say; whatever is missing stays as it is built in. */
export interface PlanSettings {
  readonly price?: string;
  readonly grants?: string;
  readonly duration?: string;
  readonly enabled: boolean;
  readonly path?: string;
  readonly title?: string;
  readonly description?: string;
  readonly pass?: boolean;
  readonly priority?: Priority;
  readonly badge?: boolean;
}

/** Built-in plan names, and what a plan of the operator's own needs. */
const isBuiltInPlan = (name: string): boolean => PLANS.some((plan) => plan.name === name);

/** The built-in plans with the operator's changes, and his own. */
export function createPlans(settings: Readonly<Record<string, PlanSettings>>): readonly Plan[] {
  const own = Object.keys(settings).filter((name) => !isBuiltInPlan(name));
  const bases = [...PLANS, ...own.map(emptyPlan)];
  return bases.flatMap((base): Plan[] => {
    const given = settings[base.name];
    if (!given) return [base];
    if (!given.enabled) return [];
    const pass = given.pass ?? base.pass;
    return [
      {
        name: base.name,
        path: (given.path as ProductPath | undefined) ?? base.path,
        title: given.title ?? base.title,
        // A text that names the old figures would be wrong: it is built from the new ones.
        description: given.description ?? describe(base, given, pass),
        price_usd: given.price ?? base.price_usd,
        credit_usd: given.grants ?? (pass ? null : base.credit_usd),
        duration: given.duration ?? base.duration,
        pass,
        priority: given.priority ?? base.priority,
        badge: given.badge ?? base.badge,
      },
    ];
  });
}

/** Plans of the operator's that would take money for nothing, in words. */
export function findPlanFaults(settings: Readonly<Record<string, PlanSettings>>): readonly string[] {
  return createPlans(settings).flatMap((plan) => {
    if (parseUSD(plan.price_usd) === 0n) return [`plans.${plan.name}: a plan of your own needs a "price" above 0`];
    const gives = plan.pass || (plan.credit_usd !== null && parseUSD(plan.credit_usd) > 0n);
    return gives ? [] : [`plans.${plan.name}: it grants nothing: set "grants" to an amount, or "pass" to true`];
  });
}

const emptyPlan = (name: string): Plan => ({
  name,
  path: `/${name.replaceAll("_", "-")}`,
  title: name.replaceAll("_", " "),
  description: "",
  price_usd: "0",
  credit_usd: null,
  duration: null,
  pass: false,
  priority: "standard",
  badge: false,
});

function describe(base: Plan, given: PlanSettings, pass: boolean): string {
  const { grants, duration } = given;
  if (grants === undefined && duration === undefined && base.description !== "") return base.description;
  const lasts = duration ?? base.duration;
  const what = pass ? "unlimited calls on every endpoint" : `a balance of ${grants ?? base.credit_usd} USD`;
  return `An API key with ${what}${lasts === null ? "" : ` for ${lasts}`}.`;
}

const Params = Type.Object({ format: Type.Optional(Type.Literal("json", { description: "only json" })) });
const Data = Type.Object({
  plan: Type.String({ description: "Name of the plan." }),
  price_usd: Type.String({ description: "What it costs, once." }),
  credit_usd: Type.Union([Type.String(), Type.Null()], { description: "Balance it brings; null for a pass." }),
  duration_s: Type.Union([Type.Integer(), Type.Null()], { description: "How long it lasts; null: it does not end." }),
  unlimited: Type.Boolean({ description: "Whether it is a pass: calls are not debited." }),
  priority: Type.String({ description: "Who is served first under load." }),
  badge: Type.Boolean({ description: "Whether it brings a badge with a public page." }),
  header: Type.Literal("X-API-Key", { description: "The header its key goes in." }),
});

/** What a plan gives, as its preview and the price list show it. */
export const renderPlan = (plan: Plan, price_usd: string): Static<typeof Data> => ({
  plan: plan.name,
  price_usd,
  credit_usd: plan.credit_usd === null ? null : renderUSD(parseUSD(plan.credit_usd)),
  duration_s: plan.duration === null ? null : parseDuration(plan.duration) / 1000,
  unlimited: plan.pass,
  priority: plan.priority,
  badge: plan.badge,
  header: "X-API-Key",
});

const CLIENT_LIMIT_ATOMIC = 1_000_000n;
/** Official clients refuse to pay more than this unless configured to. */
const raiseLimit = (price_usd: string): string =>
  parseUSD(price_usd) > CLIENT_LIMIT_ATOMIC
    ? ' Official clients refuse more than 1 USDC by default: call setSpendControls({ maxAmountPerPayment: "$100" }).'
    : "";

/** Plans are products like any other: every surface lists them, and their preview says what they grant. */
export function createPlanProducts(plans: readonly Plan[], prices: Readonly<Record<string, string>>): LoadedPlugin {
  const file = "plans";
  return {
    id: "plans",
    title: "Prepaid keys and passes",
    file,
    origin: "operator",
    jobs: [],
    simulators: [],
    products: plans.map((plan) => ({ file: `[plans.${plan.name}]`, product: createPlanProduct(plan, prices) })),
  };
}

/** What buyers call a plan that its title does not say, in two languages. */
const SEARCH: Readonly<Record<string, readonly string[]>> = {
  "/buy-credits": [
    "buy credits",
    "prepaid balance",
    "top up",
    "comprar créditos",
    "saldo pré-pago",
    "API key with balance",
    "recarregar",
  ],
  "/day-pass": ["unlimited calls for a day", "24 hour pass", "passe de um dia", "acesso por um dia", "pass for today"],
  "/week-pass": ["unlimited calls for a week", "7 day pass", "passe semanal", "acesso por uma semana"],
  "/subscribe-pro": ["pro plan", "monthly subscription", "assinatura mensal", "plano pro"],
  "/subscribe-whale": ["whale plan", "unlimited calls for a month", "plano mensal ilimitado", "assinatura ilimitada"],
  "/founding-agent": ["founder badge", "badge for agents", "selo de fundador", "founding member"],
  "/enterprise": ["enterprise plan", "unlimited for a year", "plano empresarial", "dedicated capacity", "plano anual"],
};

function createPlanProduct(plan: Plan, prices: Readonly<Record<string, string>>): AnyProduct {
  const price_usd = prices[plan.path] ?? plan.price_usd;
  const shown = renderPlan(plan, price_usd);
  return defineProduct({
    path: plan.path,
    title: plan.title,
    description: `${plan.description}${raiseLimit(price_usd)}`,
    category: "plans",
    tags: ["prepaid", "api-key"],
    search: getOwn(SEARCH, plan.path) ?? [],
    price_usd: plan.price_usd,
    params: Params,
    data: Data,
    example: { params: {}, as_of: "2026-11-20T00:00:00Z", data: shown },
    providers: [],
    requires: [],
    ttl: "0s",
    deadline_ms: 2_000,
    preview: { every: "24h", delay: "0s" },
    plan,
    fetch: async () => null,
    compute: (_, { now_ms }) => ({ as_of_ms: now_ms, data: shown, warnings: [] }),
  });
}
