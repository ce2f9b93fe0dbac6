import { type Static, Type } from "@sinclair/typebox";
import { cutForeign, type FetchContext, mapTexts, unusable, Whole } from "intel-node";
import { cleanId } from "../../text/clean-text.ts";
import { rugcheck } from "./provider.ts";

const maybe = <S extends Parameters<typeof Type.Union>[0][number]>(schema: S) =>
  Type.Optional(Type.Union([schema, Type.Null()]));
/** Ids and words, of any length: those that are shown are cut below. */
const Text = maybe(Type.String());
const Num = maybe(Type.Number());
const Amount = maybe(Type.Number({ minimum: 0 }));
const Share = Type.Number({ minimum: 0, maximum: 101 });
const Flag = maybe(Type.Boolean());

const Report = Type.Object({
  mint: Type.String({ minLength: 32, maxLength: 44 }),
  creator: Text,
  creatorBalance: Num,
  token: maybe(
    Type.Object({
      mintAuthority: Text,
      freezeAuthority: Text,
      supply: Num,
      decimals: maybe(Type.Integer({ minimum: 0, maximum: 30 })),
    }),
  ),
  tokenMeta: maybe(Type.Object({ name: Text, symbol: Text, mutable: Flag, updateAuthority: Text })),
  topHolders: maybe(
    Whole("sum", Type.Object({ address: Type.String(), owner: Text, pct: Share, amount: Amount, insider: Flag }), {
      maxItems: 500,
    }),
  ),
  risks: maybe(
    Whole("screening", Type.Object({ name: Type.String(), level: Text, score: Num }), {
      maxItems: 100,
    }),
  ),
  score: Num,
  score_normalised: Num,
  rugged: Flag,
  markets: maybe(
    Whole(
      "sum",
      Type.Object({
        pubkey: Type.String(),
        marketType: Text,
        liquidityA: Text,
        liquidityB: Text,
        liquidityAAccount: Type.Optional(Type.Unknown()),
        lp: maybe(Type.Object({ lpLockedPct: Num, lpLockedUSD: Amount, baseUSD: Amount, quoteUSD: Amount })),
      }),
      { maxItems: 500 },
    ),
  ),
  knownAccounts: maybe(Type.Record(Type.String(), Type.Object({ name: Text, type: Text }))),
  totalHolders: Num,
  totalMarketLiquidity: Num,
  graphInsidersDetected: Num,
  insiderNetworks: maybe(
    Whole("sum", Type.Object({ id: Text, size: Amount, type: Text, tokenAmount: Amount, activeAccounts: Amount }), {
      maxItems: 200,
    }),
  ),
  creatorTokens: maybe(Whole("sum", Type.Object({ mint: Text }), { maxItems: 5_000 })),
});
export type RugcheckReport = Static<typeof Report>;

const toId = (text: string): string => cleanId(text) ?? "";

/**
 * The report with every text that is shown, or compared, bounded; null and absent stay what they are. Of the creator's
 * other tokens only their number is used.
 */
function toHarmless(report: RugcheckReport): RugcheckReport {
  const { token, tokenMeta, topHolders, creatorTokens } = report;
  const named = tokenMeta && mapTexts(tokenMeta, cutForeign, ["name", "symbol"]);
  return {
    ...mapTexts(report, toId, ["creator"]),
    ...(token ? { token: mapTexts(token, toId, ["mintAuthority", "freezeAuthority"]) } : {}),
    ...(named ? { tokenMeta: mapTexts(named, toId, ["updateAuthority"]) } : {}),
    ...(creatorTokens ? { creatorTokens: creatorTokens.map(({ mint = null }) => ({ mint })) } : {}),
    ...(topHolders ? { topHolders: topHolders.map((one) => mapTexts(one, toId, ["address", "owner"])) } : {}),
  };
}

const TTL_MS = 60_000;

/**
 * RugCheck's report of a mint, in its own names and units (`pct` 0 to 100, amounts raw). It states no time.
 * @throws UpstreamError also when it never looked at the token.
 */
export function fetchRugcheckReport(context: Pick<FetchContext, "get">, mint: string): Promise<RugcheckReport> {
  return context.get(rugcheck, {
    path: `/tokens/${mint}/report`,
    schema: Report,
    ttl_ms: TTL_MS,
    read(report) {
      if (report.mint !== mint) return unusable("the report is of another token");
      return report.token || report.topHolders || report.markets
        ? toHarmless(report)
        : unusable("the token was not looked at");
    },
  });
}
