import { foldAddress } from "intel-node/providers/issuer-tokens";
import type { TokenProfile } from "./profile.ts";

/** The creator of a token, by one source. */
interface NamedCreator {
  /** Provider id. */
  readonly source: string;
  readonly address: string;
}

/** What every source at hand says of who made a token, the launchpad first: its own list saw the launch. */
export function listCreators({ rugcheck, goplus, launch }: TokenProfile): readonly NamedCreator[] {
  const row = goplus?.ok ? goplus.value.creator_address : null;
  const named: readonly (readonly [source: string, address: unknown])[] = [
    [launch?.source ?? "pump_fun", launch?.creator],
    ["rugcheck", rugcheck?.ok ? rugcheck.value.creator : null],
    ["goplus", row],
  ];
  return named.flatMap(([source, address]) =>
    typeof address === "string" && address !== "" ? [{ source, address }] : [],
  );
}

/** The creators by source where two differ; null while all say the same, or only one says anything. */
export function findCreatorConflict(profile: TokenProfile): Readonly<Record<string, string>> | null {
  const named = listCreators(profile);
  const distinct = new Set(named.map(({ address }) => foldAddress(profile.subject.chain, address)));
  return distinct.size < 2 ? null : Object.fromEntries(named.map(({ source, address }) => [source, address]));
}
