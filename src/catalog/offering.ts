import type { Static, TObject } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { NodeError } from "../core/errors.ts";
import type { ProviderDefinition } from "./provider.ts";
import { joinReasons, type Reason, toWhyWithheld, type WhyWithheld } from "./why-withheld.ts";

/** What the configuration lets this node sell. It is known when the node starts, before anybody is asked for money. */
export interface Offering {
  /**
   * Why the configuration does not allow a provider; null when it does.
   * @param chain of a chain provider: also checks whether it has an address for this chain.
   */
  whyNot(provider: ProviderDefinition, chain?: string): WhyWithheld | null;
  /** Why all of several providers are disallowed; null when one is allowed. */
  whyNone(providers: readonly ProviderDefinition[]): WhyWithheld | null;
  /** As `context.config`: a provider's own keys, or a plugin's table. */
  config<C extends TObject>(of: ProviderDefinition<C> | C): Static<C>;
}

/** Which values of one parameter are sold. */
export interface OfferedValues {
  /** Its values, where the schema does not list them (a text that `normalise` brings to one of these). */
  readonly values?: readonly string[];
  /** Why a value cannot be sold by this node; null when it can. A plain text is for the operator alone. */
  whyNot(value: string, node: Offering): Reason | null;
  /** Title and description of the product where only some values are sold: they promise no more than those. */
  describe?(sold: readonly string[], node: Offering): { readonly title: string; readonly description: string };
}

/** A value of a parameter that this node does not sell. */
export interface WithheldValue extends WhyWithheld {
  readonly path: string;
  readonly param: string;
  readonly value: string;
}

export interface OfferingOptions {
  readonly whyNot: (provider: ProviderDefinition, chain?: string) => Reason | null;
  /** What the operator set; the defaults unless given. */
  readonly config?: ((of: TObject | ProviderDefinition) => unknown) | undefined;
}

export function createOffering({ whyNot, config = readDefaults }: OfferingOptions): Offering {
  return {
    whyNot(provider, chain) {
      const reason = whyNot(provider, chain);
      return reason === null ? null : toWhyWithheld(reason);
    },
    whyNone(providers) {
      const reasons = providers.flatMap((provider) => whyNot(provider) ?? []);
      return reasons.length < providers.length ? null : joinReasons(reasons);
    },
    config: (of: TObject | ProviderDefinition) => config(of) as never,
  };
}

function readDefaults(of: TObject | ProviderDefinition): unknown {
  const table = "base_urls" in of ? of.config : of;
  return table ? Value.Create(table) : {};
}

/** What the buyer is told about a value that this node could sell, but does not. */
export const toNotOffered = (
  param: string,
  value: unknown,
  { why, allowed }: { why: Pick<WhyWithheld, "for_buyers">; allowed: unknown },
): NodeError => {
  const got = String(value).slice(0, 100);
  return new NodeError("invalid_parameter", `This node does not sell "${param}" = "${got}": ${why.for_buyers}.`, {
    param,
    details: { parameter: param, got, allowed },
  });
};
