import { type Static, Type } from "@sinclair/typebox";
import type { FetchContext } from "../../../catalog/context.ts";
import { Whole } from "../../../catalog/rows.ts";
import { unusable } from "../../../catalog/unusable.ts";
import { cleanForeign, cutForeign, mapTexts } from "../../../core/foreign-text.ts";
import { requireChainId } from "../../../networks/find.ts";
import { foldAddress } from "../issuer-tokens.ts";
import { goplus } from "./provider.ts";

/** Chains GoPlus is asked about, by their numbers. */
export const GOPLUS_CHAINS: Readonly<Record<"ethereum" | "base", string>> = {
  ethereum: String(requireChainId("ethereum")),
  base: String(requireChainId("base")),
};

/** Ids and words, of any length: those that are shown are cut below. */
const Text = Type.Optional(Type.Union([Type.String(), Type.Null()]));
const Scalar = Type.Optional(Type.Union([Type.String(), Type.Number(), Type.Null()]));
const Lock = Type.Object({ amount: Scalar, end_time: Text });
const Holder = Type.Object({
  address: Text,
  account: Text,
  token_account: Text,
  tag: Text,
  is_contract: Scalar,
  percent: Scalar,
  is_locked: Scalar,
  locked_detail: Type.Optional(Type.Union([Whole("sum", Lock, { maxItems: 50 }), Type.Null()])),
});
const Holders = Type.Optional(Type.Union([Whole("sum", Holder, { maxItems: 200 }), Type.Null()]));
const Person = Type.Object({ address: Text, malicious_address: Scalar });
const Persons = Type.Optional(Type.Union([Whole("parts", Person, { maxItems: 50 }), Type.Null()]));
const Power = Type.Optional(Type.Union([Type.Object({ status: Scalar, authority: Persons }), Type.Null()]));

const Token = Type.Object({
  // Chains of the Ethereum family.
  ...Object.fromEntries(
    (
      "is_honeypot buy_tax sell_tax is_open_source is_proxy is_mintable hidden_owner " +
      "owner_change_balance selfdestruct transfer_pausable is_blacklisted slippage_modifiable " +
      "personal_slippage_modifiable trading_cooldown anti_whale_modifiable cannot_sell_all " +
      "honeypot_with_same_creator trust_list is_airdrop_scam owner_address creator_address " +
      "creator_percent holder_count total_supply can_take_back_ownership"
    )
      .split(" ")
      .map((name) => [name, Scalar]),
  ),
  // Its maker's words, of any length.
  token_name: Type.Optional(Type.Unknown()),
  token_symbol: Type.Optional(Type.Unknown()),
  fake_token: Type.Optional(Type.Union([Type.Object({ value: Scalar }), Type.Null()])),
  holders: Holders,
  lp_holders: Holders,
  // Solana.
  mintable: Power,
  freezable: Power,
  balance_mutable_authority: Power,
  metadata_mutable: Power,
  transfer_fee: Type.Optional(
    Type.Union([
      Type.Object({ current_fee_rate: Type.Optional(Type.Union([Type.Object({ fee_rate: Scalar }), Scalar])) }),
      Type.Null(),
    ]),
  ),
  transfer_hook: Type.Optional(Type.Union([Whole("parts", Type.Unknown(), { maxItems: 20 }), Type.Null()])),
  non_transferable: Scalar,
  default_account_state: Scalar,
  trusted_token: Scalar,
  creators: Persons,
});
export type GoplusRow = Static<typeof Token> & Readonly<Record<string, unknown>>;

const Answer = Type.Object({
  code: Type.Integer(),
  message: Text,
  result: Type.Union([Type.Record(Type.String({ maxLength: 80 }), Token), Type.Null()]),
});
/** Its own words for "too many calls", sent with status 200. */
const TOO_MANY = { status: 200, schema: Type.Object({ code: Type.Literal(4029) }), means: "rate_limited" } as const;

const TTL_MS = 60_000;

/** "1", "0", or anything else, which says nothing. */
export function readFlag(value: unknown): boolean | null {
  const text = String(value ?? "");
  return text === "1" ? true : text === "0" ? false : null;
}

/** A number it writes as a text; null for "", null and what is no number. */
export function readAmount(value: unknown): number | null {
  const number =
    typeof value === "number" ? value : typeof value === "string" && value !== "" ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? number : null;
}

const ID_CHARS_MAX = 80;
const cleanId = (id: string): string => cleanForeign(id, ID_CHARS_MAX);

/** The row with what others wrote into it bounded. */
const toHarmless = (row: GoplusRow): GoplusRow => ({
  ...mapTexts(mapTexts(row, cutForeign, ["token_name", "token_symbol"]), cleanId, ["creator_address"]),
  ...(row.holders
    ? { holders: row.holders.map((one) => mapTexts(one, cleanId, ["address", "account", "token_account"])) }
    : {}),
});

/** Rounded shares may pass the whole by a little. */
const SHARE_MAX = 1.01;
const isPossible = (share: unknown): boolean => {
  const amount = readAmount(share);
  return amount === null || (amount >= 0 && amount <= SHARE_MAX);
};
const LISTS = ["holders", "lp_holders"] as const;
const SHARES = ["creator_percent", "buy_tax", "sell_tax"] as const;

/** Without shares that are less than nothing or more than all: a list with one says nothing about the whole. */
function withoutImpossible(row: GoplusRow): GoplusRow {
  const lists = LISTS.filter((name) => row[name]?.some(({ percent }) => !isPossible(percent)));
  const shares = SHARES.filter((name) => !isPossible(row[name]));
  return { ...row, ...Object.fromEntries([...lists, ...shares].map((name) => [name, null])) };
}

/**
 * GoPlus' row of a token, with its own names and texts. It states no time: it is as new as the call.
 * @throws UpstreamError upstream_bad_response also when it has no row, which says nothing about the token.
 */
export function fetchTokenSecurity(
  context: Pick<FetchContext, "get">,
  { chain, token }: { readonly chain: "solana" | "ethereum" | "base"; readonly token: string },
): Promise<GoplusRow> {
  const address = foldAddress(chain, token);
  const path = chain === "solana" ? "/solana/token_security" : `/token_security/${GOPLUS_CHAINS[chain]}`;
  return context.get(goplus, {
    path: `${path}?contract_addresses=${address}`,
    schema: Answer,
    ttl_ms: TTL_MS,
    errors: [TOO_MANY],
    read({ code, message, result }) {
      if (code !== 1) return unusable(`code ${code}: ${cleanForeign(message ?? "no reason given", 100)}`);
      const row = Object.entries(result ?? {}).find(([key]) => foldAddress(chain, key) === address)?.[1];
      if (!row || Object.keys(row).length === 0) return unusable("no data of this token");
      const powers = [row.mintable, row.freezable].map((power) => power?.status);
      const said = chain === "solana" ? powers : [(row as GoplusRow).is_honeypot, (row as GoplusRow).is_open_source];
      return said.every((flag) => readFlag(flag) === null)
        ? unusable("no flag of this token is stated")
        : toHarmless(withoutImpossible(row as GoplusRow));
    },
  });
}
