/** What a company reports, by the tags that mean it, best first. Order as the synonym groups of edgartools. */
export interface Concept {
  readonly kind: "flow" | "instant";
  readonly us_gaap: readonly string[];
  readonly ifrs?: readonly string[];
  readonly dei?: readonly string[];
  /** Units of its facts: a currency by default. */
  readonly unit?: "per_share" | "shares";
  /** Where several tags cover the newest period the largest value is meant: some leave parts out. */
  readonly largest?: boolean;
}

const flow = (us_gaap: readonly string[], rest: Partial<Concept> = {}): Concept => ({ kind: "flow", us_gaap, ...rest });
const instant = (us_gaap: readonly string[], rest: Partial<Concept> = {}): Concept => ({
  kind: "instant",
  us_gaap,
  ...rest,
});

export const CONCEPTS = {
  revenue: flow(
    [
      ...["RevenueFromContractWithCustomerExcludingAssessedTax", "Revenues"],
      ...["RevenueFromContractWithCustomerIncludingAssessedTax", "RevenuesNetOfInterestExpense", "SalesRevenueNet"],
      "SalesRevenueGoodsNet",
    ],
    { ifrs: ["Revenue"], largest: true },
  ),
  cost: flow(["CostOfRevenue", "CostOfGoodsAndServicesSold", "CostOfGoodsSold"], { ifrs: ["CostOfSales"] }),
  gross_profit: flow(["GrossProfit"], { ifrs: ["GrossProfit"] }),
  operating_income: flow(["OperatingIncomeLoss"], { ifrs: ["ProfitLossFromOperatingActivities"] }),
  pretax: flow(
    [
      "IncomeLossFromContinuingOperationsBeforeIncomeTaxesExtraordinaryItemsNoncontrollingInterest",
      "IncomeLossFromContinuingOperationsBeforeIncomeTaxesMinorityInterestAndIncomeLossFromEquityMethodInvestments",
    ],
    { ifrs: ["ProfitLossBeforeTax"] },
  ),
  tax: flow(["IncomeTaxExpenseBenefit"], { ifrs: ["IncomeTaxExpenseContinuingOperations"] }),
  net_income: flow(["NetIncomeLoss", "NetIncomeLossAvailableToCommonStockholdersBasic", "ProfitLoss"], {
    ifrs: ["ProfitLossAttributableToOwnersOfParent", "ProfitLoss"],
  }),
  eps_diluted: flow(["EarningsPerShareDiluted", "EarningsPerShareBasicAndDiluted", "EarningsPerShareBasic"], {
    ifrs: ["DilutedEarningsLossPerShare"],
    unit: "per_share",
  }),
  d_and_a: flow(
    [
      ...["DepreciationDepletionAndAmortization", "DepreciationAmortizationAndAccretionNet"],
      ...["DepreciationAndAmortization", "Depreciation"],
    ],
    { ifrs: ["DepreciationAndAmortisationExpense"] },
  ),
  interest: flow(["InterestExpense", "InterestExpenseNonoperating", "InterestAndDebtExpense"], {
    ifrs: ["FinanceCosts"],
  }),
  cfo: flow(
    ["NetCashProvidedByUsedInOperatingActivities", "NetCashProvidedByUsedInOperatingActivitiesContinuingOperations"],
    { ifrs: ["CashFlowsFromUsedInOperatingActivities"] },
  ),
  capex: flow(["PaymentsToAcquirePropertyPlantAndEquipment", "PaymentsToAcquireProductiveAssets"], {
    ifrs: ["PurchaseOfPropertyPlantAndEquipmentClassifiedAsInvestingActivities"],
  }),
  sbc: flow(["ShareBasedCompensation"]),
  r_and_d: flow(["ResearchAndDevelopmentExpense"]),
  cash: instant(
    ["CashAndCashEquivalentsAtCarryingValue", "CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalents"],
    { ifrs: ["CashAndCashEquivalents"] },
  ),
  short_investments: instant([
    ...["ShortTermInvestments", "MarketableSecuritiesCurrent", "AvailableForSaleSecuritiesDebtSecuritiesCurrent"],
  ]),
  debt_long: instant(
    ["LongTermDebtNoncurrent", "LongTermDebt", "ConvertibleDebtNoncurrent", "ConvertibleNotesPayable"],
    {
      ifrs: ["NoncurrentPortionOfNoncurrentBorrowings"],
    },
  ),
  debt_current: instant(["DebtCurrent"], { ifrs: ["CurrentBorrowings"] }),
  debt_long_current: instant(["LongTermDebtCurrent"]),
  borrowings_short: instant(["ShortTermBorrowings", "CommercialPaper"]),
  assets: instant(["Assets"], { ifrs: ["Assets"] }),
  assets_current: instant(["AssetsCurrent"], { ifrs: ["CurrentAssets"] }),
  liabilities: instant(["Liabilities"], { ifrs: ["Liabilities"] }),
  liabilities_current: instant(["LiabilitiesCurrent"], { ifrs: ["CurrentLiabilities"] }),
  equity: instant(["StockholdersEquity", "StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest"], {
    ifrs: ["EquityAttributableToOwnersOfParent"],
  }),
  retained: instant(["RetainedEarningsAccumulatedDeficit"], { ifrs: ["RetainedEarnings"] }),
  receivables: instant(["AccountsReceivableNetCurrent"], { ifrs: ["TradeAndOtherCurrentReceivables"] }),
  shares_out: instant(["CommonStockSharesOutstanding"], {
    dei: ["EntityCommonStockSharesOutstanding"],
    unit: "shares",
  }),
  shares_diluted: flow(
    ["WeightedAverageNumberOfDilutedSharesOutstanding", "WeightedAverageNumberOfSharesOutstandingBasic"],
    { unit: "shares" },
  ),
} as const satisfies Readonly<Record<string, Concept>>;

export type ConceptId = keyof typeof CONCEPTS;
export const getConcept = (id: ConceptId): Concept => CONCEPTS[id];
export const CONCEPT_IDS = Object.keys(CONCEPTS) as ConceptId[];

/** Every tag that is read out of a file, by taxonomy. */
export const WANTED_TAGS: Readonly<Record<string, readonly string[]>> = {
  "us-gaap": [...new Set(CONCEPT_IDS.flatMap((id) => getConcept(id).us_gaap))],
  "ifrs-full": [...new Set(CONCEPT_IDS.flatMap((id) => getConcept(id).ifrs ?? []))],
  dei: [...new Set(CONCEPT_IDS.flatMap((id) => getConcept(id).dei ?? []))],
};
