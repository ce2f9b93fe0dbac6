import type { Changes } from "../calls/changes.ts";
import { createSlots, type SlotSettings } from "../calls/slots.ts";
import { createWorkBudget, type WorkSizes } from "../calls/work-budget.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { createPlans } from "../catalog/plans.ts";
import type { Config } from "../config/schema.ts";
import { createApiKeys } from "../core/api-key.ts";
import { renderTime } from "../core/clock.ts";
import { parseDuration } from "../core/duration.ts";
import { parseUSD } from "../core/money.ts";
import { createKeyRoutes } from "../http/key-routes.ts";
import { createWelcomeRoute } from "../http/welcome-route.ts";
import { createCouponAccess, type WelcomeTerms } from "../payments/coupons/coupon-access.ts";
import { createCouponCodes } from "../payments/coupons/coupon-codes.ts";
import { createKeyAccess } from "../payments/keys/key-access.ts";
import { createPurchases } from "../payments/purchases.ts";
import type { Core, Listener, Prepaid, StartOptions } from "./parts.ts";

/** Calls that may wait for a produce slot; more are turned away unpaid. */
const WAITING_MAX = 2_000;
/** Of one key, or of one address that pays call by call. */
const WAITING_OF_ONE_MAX = 500;

/** How much unpaid work there may be, and what it weighs. */
export const readWorkSizes = (limits: Config["limits"]): WorkSizes => ({
  per_minute: limits.unpaid_work_per_minute,
  ms_per_unit: Math.max(1, parseDuration(limits.unpaid_unit_time)),
  atomic_per_unit: parseUSD(limits.unpaid_unit_price) || 1n,
});

/** How the produce slots are shared out. */
export const readSlots = ({ shares, produce_slots, payer_slots }: Config["limits"]): SlotSettings => ({
  slots: produce_slots,
  payer_max: payer_slots,
  shares: [shares.background, shares.standard, shares.pro, shares.max, shares.dedicated],
  dedicated_share: shares.dedicated_slots,
});

const readTerms = ({ welcome }: Config): WelcomeTerms => ({
  enabled: welcome.enabled,
  max_price: parseUSD(welcome.max_price),
  eligible: welcome.eligible,
  daily_budget: parseUSD(welcome.daily_budget),
  ttl_ms: parseDuration(welcome.ttl),
});

interface PrepaidParts {
  readonly listener: Listener;
  readonly changes: Changes;
}

const isSold =
  (catalog: Catalog) =>
  (id: string): boolean =>
    catalog.products.some((product) => product.id === id && product.definition.plan === undefined);

export function composePrepaid(options: StartOptions, core: Core, { listener, changes }: PrepaidParts): Prepaid {
  const { config, clock } = options;
  const { ledger, runner, catalog, identity } = core;
  const { responder, public_url, limits } = listener;
  const sandbox = options.sandbox !== null;
  const slots = createSlots({
    ...readSlots(config.limits),
    queue_max: WAITING_MAX,
    holder_queue_max: WAITING_OF_ONE_MAX,
  });
  const terms = readTerms(config);
  const keys = createApiKeys(identity.deriveSecret("api keys"), identity.earlierSecrets("api keys"));
  const codes = createCouponCodes(identity.deriveSecret("coupons"), identity.earlierSecrets("coupons"));
  const { node_id } = identity;
  const plans = () => createPlans(core.in_force.config.plans);
  const stamp = () => ({ node_id, generated_at: renderTime(clock.now()), ...(sandbox ? { sandbox: true } : {}) });
  const sign = (message: string) => ({
    signature: identity.sign(Buffer.from(message)),
    public_key: identity.public_key,
  });
  const common = { responder, now_ms: clock.now, public_url, stamp };
  const work = createWorkBudget({ clock, ...readWorkSizes(config.limits) });
  return {
    slots,
    work,
    key: createKeyAccess({
      ledger,
      runner,
      clock,
      slots,
      work,
      changes,
      limitOf: limits.limitOf,
      countCall: limits.countKey,
      get at_once_max() {
        return core.in_force.config.limits.key_calls_at_once;
      },
    }),
    coupon: createCouponAccess({ ledger, runner, clock, slots, codes, terms, work, limitOf: limits.limitOf }),
    purchases: createPurchases({ ledger, keys, clock, node_id, public_url, sandbox }),
    routes: createKeyRoutes({ ...common, ledger, keys, sign, isProduct: isSold(catalog) }),
    welcome: (coming: () => number) => createWelcomeRoute({ ...common, catalog, ledger, codes, terms, coming }),
    commands: { ledger, keys, plans, now_ms: clock.now },
  };
}
