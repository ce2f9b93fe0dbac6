import { findThrown } from "./definition-site.ts";
import type { ProviderDefinition } from "./provider.ts";

/** A fault in a plugin's own code, for its operator: buyers read only that there is no data. */
export class PluginFault extends Error {
  override readonly name = "PluginFault";
}

/** Holds one run to the providers its definition names. */
export interface ProviderGuard {
  /** @throws PluginFault for a provider that is not named. */
  readonly mayCall: (provider: ProviderDefinition) => void;
  /** @throws PluginFault when one was called, even if the code that called it went on. */
  readonly assertKept: () => void;
}

/**
 * Terms of reuse, attribution and the reasons for withholding a product all follow from the providers it names: data of
 * a provider that is called but not named would be sold without any of these.
 * @param what the product or job, and its file.
 */
export function guardProviders(named: readonly ProviderDefinition[], what: string): ProviderGuard {
  const ids = new Set(named.map(({ id }) => id));
  let broken: PluginFault | null = null;
  return {
    mayCall({ id }) {
      if (ids.has(id)) return;
      const fault = new PluginFault(`${what} calls provider "${id}", which is not among its providers`);
      const where = findThrown(fault);
      if (where) fault.message += ` (${where.file}:${where.line})`;
      broken ??= fault;
      throw fault;
    },
    assertKept() {
      if (broken) throw broken;
    },
  };
}
