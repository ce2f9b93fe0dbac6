import { type Computed, compareText, getOwn, NodeError } from "intel-node";
import { BLOCK_LABELS, describeScreens } from "../screens/screens.ts";
import { describeContract, findPoisoning, totalOf, type WalletInputs } from "../wallet-scan/compute.ts";
import type { Screen } from "../wallet-scan/schema.ts";
import { countCounterparties, getMovedShare } from "../wallets/wallet.ts";
import type { WalletAuditData, WalletVerdict } from "./schema.ts";

const DAY_MS = 86_400_000;
const POISONING_MIN = 3;
const SCOPE_NOTE =
  "CLEAR means: no adverse finding in the screens listed, all of which ran. Not checked: who stands behind the " +
  "wallet, more than one hop of money, mixers nobody labelled, other chains.";

/** Points of what GoPlus says and of what the wallet itself shows; onchain.md 4.4. */
const LABEL_POINTS: Readonly<Record<string, number>> = {
  mixer: 35,
  blacklist_doubt: 30,
  honeypot_related_address: 30,
  fake_kyc: 25,
  reinit: 20,
  malicious_mining_activities: 15,
  gas_abuse: 15,
};
const UNKNOWN_POINTS = 25;

type Flag = WalletAuditData["flags"][number];
const flag = (id: string, points: number, evidence: string): Flag => ({ id, points, evidence });

/** Which screens a verdict of CLEAR needs. */
const REQUIRED: Readonly<Record<"evm" | "solana", readonly string[]>> = {
  evm: ["S1", "S2", "S3", "S4", "S5", "S6"],
  solana: ["S1", "S4", "S5"],
};

function seeHistory({ profile }: WalletInputs): Screen {
  const is_known = profile.first_seen_ms !== null && profile.tx_count !== null && !profile.is_first_lower_bound;
  const is_read = is_known && profile.missing.length === 0;
  return {
    id: "S4",
    provider: "nodes and explorer",
    status: is_read ? "clear" : "unknown",
    detail: is_read ? "age and count are known" : "age or count could not be read whole",
  };
}

const NEAR_SHARE_BLOCK = 0.1;
/** Share of its volume with counterparties on a list. */
function getNearShare({ profile, screens }: WalletInputs): number | null {
  const near = screens.listed_counterparties ?? [];
  return near.length === 0 ? null : getMovedShare(profile, new Set(near.map(({ address }) => address.toLowerCase())));
}

/** Why a wallet is blocked whatever else is known; empty when it is not. */
function listBlocks(inputs: WalletInputs, described: readonly Screen[]): readonly Flag[] {
  const { screens } = inputs;
  const near_share = getNearShare(inputs) ?? 0;
  const hits = described.filter(({ id, status }) => status === "hit" && ["S1", "S2", "S6"].includes(id));
  const labels = (screens.labels ?? []).filter((label) => BLOCK_LABELS.includes(label));
  return [
    ...hits.map(({ id, detail }) => flag(id, 100, detail)),
    ...(near_share >= NEAR_SHARE_BLOCK
      ? [flag("S5", 100, `${(near_share * 100).toFixed(1)} % of the coin it moved went to or came from listed ones`)]
      : []),
    ...labels.map((label) => flag(`S3_${label}`, 100, "labelled so by GoPlus")),
  ];
}

function listFlags(inputs: WalletInputs, screens: readonly Screen[]): readonly Flag[] {
  const { profile, read_at_ms } = inputs;
  const { labels, malicious_contracts, listed_counterparties: near } = inputs.screens;
  const age_days = profile.first_seen_ms === null ? null : (read_at_ms - profile.first_seen_ms) / DAY_MS;
  const poisoning = findPoisoning(profile)?.length ?? 0;
  const missing = screens.filter(({ id, status }) => status === "unknown" && REQUIRED[profile.kind].includes(id));
  return [
    ...(labels ?? []).flatMap((label) => {
      const points = getOwn(LABEL_POINTS, label);
      return points === undefined ? [] : [flag(label, points, "labelled so by GoPlus")];
    }),
    ...((malicious_contracts ?? 0) > 0 ? [flag("malicious_contracts", 25, `made ${malicious_contracts}`)] : []),
    ...((near ?? []).length > 0 ? [flag("sanctioned_counterparty", 40, `${near?.length} of its counterparties`)] : []),
    ...(profile.account_type === "contract"
      ? [flag("contract", 20, `${describeContract(profile)}; its code was not verified here`)]
      : []),
    ...(profile.account_type === "eip7702" ? [flag("eip7702", 25, `delegates to ${profile.delegate}`)] : []),
    ...(age_days !== null && age_days < 7 ? [flag("new", 15, `${age_days.toFixed(1)} days old`)] : []),
    ...(age_days !== null && age_days >= 7 && age_days < 30
      ? [flag("young", 8, `${age_days.toFixed(1)} days old`)]
      : []),
    ...(profile.tx_count === 0 ? [flag("never_sent", 5, "no outgoing transaction")] : []),
    ...(poisoning >= POISONING_MIN ? [flag("address_poisoning", 10, `${poisoning} senders`)] : []),
    ...missing.map(({ id, detail }) => flag(`unknown_${id}`, UNKNOWN_POINTS, detail)),
  ];
}

const CAUTION_FROM = 15;
function judge(blocks: readonly Flag[], risk: number, is_whole: boolean): readonly [WalletVerdict, string] {
  const [first] = blocks;
  if (first) return ["BLOCK", `${first.id}: ${first.evidence}`];
  if (!is_whole) return ["CAUTION", "a required screen gave no answer"];
  return risk >= CAUTION_FROM ? ["CAUTION", "findings add up to caution"] : ["CLEAR", "no adverse finding"];
}

/**
 * @throws NodeError upstream_unavailable when OFAC's list cannot be relied on and nothing blocks the wallet: then no
 * verdict would be worth its price.
 */
export function computeWalletAudit(inputs: WalletInputs): Computed<WalletAuditData> {
  const { profile, screens, read_at_ms } = inputs;
  const described = [...describeScreens(screens), seeHistory(inputs)].sort((a, b) => compareText(a.id, b.id));
  const blocks = listBlocks(inputs, described);
  if (blocks.length === 0 && !screens.is_ofac_fresh) {
    throw new NodeError("upstream_unavailable", "OFAC's list cannot be relied on now.");
  }
  const flags = [...blocks, ...listFlags(inputs, described)];
  const risk = Math.min(
    100,
    flags.reduce((sum, { points }) => sum + points, 0),
  );
  const is_whole = described.every(({ id, status }) => status !== "unknown" || !REQUIRED[profile.kind].includes(id));
  const [verdict, basis] = judge(blocks, risk, is_whole);
  const age_days = profile.first_seen_ms === null ? null : (read_at_ms - profile.first_seen_ms) / DAY_MS;
  const balance_usd = totalOf(profile.holdings);
  const checked = profile.transactions === null ? null : countCounterparties(profile).length;
  const warnings = [
    ...(age_days === null ? ["profile.age_days: no explorer told it"] : []),
    ...(profile.tx_count === null ? ["profile.tx_count: not every chain could be counted"] : []),
    ...(balance_usd === null ? ["profile.balance_usd: nothing it holds has a price"] : []),
    ...(getNearShare(inputs) === null
      ? ["counterparties.sanctioned_share: none of them is known to stand in a list, or no coin moved"]
      : []),
    ...(checked === null ? ["counterparties.checked: no explorer told them"] : []),
    ...described.filter(({ status }) => status === "unknown").map(({ id, detail }) => `screens.${id}: ${detail}`),
  ];
  return {
    as_of_ms: profile.read_at_ms,
    data: {
      address: profile.address,
      kind: profile.kind,
      verdict,
      basis,
      risk,
      confidence: profile.kind === "evm" ? "full" : "limited",
      screens: described,
      flags: [...flags],
      profile: { age_days, tx_count: profile.tx_count, account_type: profile.account_type, balance_usd },
      counterparties: {
        checked,
        sanctioned_share: getNearShare(inputs),
        sanctioned: (screens.listed_counterparties ?? []).map(({ address, list }) => ({ address, list })),
      },
      scope_note: SCOPE_NOTE,
      not_advice: true,
    },
    warnings,
  };
}
