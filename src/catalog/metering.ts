import {
  type Counted,
  METERS,
  type Meter,
  type MeterTerms,
  type TokenCount,
  type TokenRate,
} from "../core/metering.ts";
import { least, parseUSD } from "../core/money.ts";
import type { Completion, Model } from "./model.ts";
import { type OptionRules, oneOf, WORK } from "./option-rules.ts";

/** What a product declares as `metered`: its buyers may be charged by what its answer took, never above the ceiling. */
export interface MeterRule<D> {
  /** "tokens": of all completions its own run was given; "peer_price": what `read` finds in the data. */
  readonly by: Meter;
  /** Atomic USDC paid to another seller for the answer; null if nothing was paid, or it is not known. */
  readonly read?: (data: D) => bigint | null;
}

/** Every option of `metered`. */
// biome-ignore lint/suspicious/noExplicitAny: the data are private to one product.
export const METER_OPTIONS: OptionRules<MeterRule<any>> = {
  by: oneOf(METERS),
  read: { ...WORK, optional: true },
};

/** What is wrong with a rule, in words. */
export function listMeterFaults({
  metered,
  uses_model,
  plan,
}: {
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  readonly metered?: MeterRule<any>;
  readonly uses_model?: object;
  readonly plan?: object;
}): readonly string[] {
  if (metered === undefined) return [];
  return [
    ...(plan === undefined ? [] : ["a plan has one price: metered is for data"]),
    ...(metered.by === "tokens" && uses_model === undefined ? ['metered by "tokens" needs uses_model'] : []),
    ...(metered.by === "peer_price" && metered.read === undefined ? ['metered by "peer_price" needs read'] : []),
  ];
}

type RateTexts = { readonly in_per_1k: string; readonly out_per_1k: string };

/** `[metering]`: decimal USD. */
export interface MeteringSettings extends RateTexts {
  readonly enabled: boolean;
  readonly floor: string;
  readonly peer_pct: number;
  readonly floors: Readonly<Record<string, string>>;
  readonly ceilings: Readonly<Record<string, string>>;
  readonly models: Readonly<Record<string, RateTexts>>;
}

/** The terms of a product at a price; null where it has one price for all answers. */
export function createMeterTerms(
  {
    names,
    metered,
    price_atomic,
  }: {
    /** What `floors` and `ceilings` may call it; the first that is there counts. */
    readonly names: readonly string[];
    // biome-ignore lint/suspicious/noExplicitAny: as above.
    readonly metered: MeterRule<any> | undefined;
    readonly price_atomic: bigint;
  },
  settings: MeteringSettings | undefined,
): MeterTerms | null {
  if (metered === undefined || settings?.enabled !== true) return null;
  const find = (by_name: Readonly<Record<string, string>>): bigint | undefined => {
    const name = names.find((one) => Object.hasOwn(by_name, one));
    return name === undefined ? undefined : parseUSD(by_name[name] ?? "");
  };
  const ceiling = find(settings.ceilings) ?? price_atomic;
  return {
    ...readRate(settings),
    by: metered.by,
    ceiling,
    floor: least(find(settings.floors) ?? parseUSD(settings.floor), ceiling),
    models: new Map(Object.entries(settings.models).map(([id, rate]) => [id, readRate(rate)])),
    peer_pct: BigInt(settings.peer_pct),
  };
}

const readRate = ({ in_per_1k, out_per_1k }: RateTexts): TokenRate => ({
  in_per_1k: parseUSD(in_per_1k),
  out_per_1k: parseUSD(out_per_1k),
});

/** A model whose completions are counted. */
export function countTokens(model: Model): { readonly model: Model; readonly counted: () => Counted } {
  const by_model = new Map<string, TokenCount>();
  let is_estimated = false;
  const note = ({ provider_id, usage }: Completion): void => {
    const known = by_model.get(provider_id) ?? { model: provider_id, in: 0, out: 0 };
    const { prompt_tokens, completion_tokens } = usage;
    by_model.set(provider_id, {
      ...known,
      in: known.in + prompt_tokens,
      out: known.out + completion_tokens,
    });
    is_estimated ||= usage.is_estimated;
  };
  return {
    model: {
      async complete(request) {
        const made = await model.complete(request);
        note(made);
        return made;
      },
    },
    counted: () => ({ by: "tokens", models: [...by_model.values()], is_estimated }),
  };
}
