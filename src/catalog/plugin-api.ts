/**
 * Everything an operator's plugin may import from "intel-node". docs/plugin-author.md explains it; nothing else of the
 * node is a promise.
 */

export { CHECK_RESULTS, CHECK_SEVERITIES } from "../audit/rule.ts";
export {
  domainKey,
  isProbe,
  type PayToScreen,
  type Probe,
  type SellerDocument,
  type SellerReadings,
} from "../audit/stranger/facts.ts";
export { addressOfHost } from "../audit/stranger/hosts.ts";
export { judgeStranger, STRANGER_VERDICTS } from "../audit/stranger/judge.ts";
export { addBankDays, countBankDays, isBankDay } from "../calendars/brazil.ts";
export { type Calendar, createCalendar, findExchange, type SessionState } from "../calendars/calendar.ts";
export { BOE_DATES, BOE_PROVISIONAL_FROM, BOJ_DATES, COPOM_DATES } from "../calendars/central-banks.ts";
export {
  addDays,
  daysBetween,
  type ISODate,
  isWeekend,
  nthWeekday,
  toDate,
  weekdayOf,
  yearOf,
} from "../calendars/dates.ts";
export { getFXWeek, getLastFXClose } from "../calendars/fx-week.ts";
export type { CalendarChanges } from "../calendars/types.ts";
export { nextInstant, toInstant, toLocal } from "../calendars/zone-time.ts";
export { findMPPChallenge, readMPPRequest, readMPPTerms } from "../challenge-reader/mpp-terms.ts";
export {
  isPayToValid,
  isTestNetwork,
  isUSDC,
  type PaymentTerm,
  type PaymentTerms,
  readTerms,
} from "../challenge-reader/payment-terms.ts";
export { readChallenge, termsOf } from "../challenge-reader/read-challenge.ts";
export { renderTime, systemTimers } from "../core/clock.ts";
export { closest, listClosest } from "../core/closest.ts";
export { compareText } from "../core/compare-text.ts";
export { compileSchema } from "../core/compile-schema.ts";
export { parseDuration } from "../core/duration.ts";
export {
  isNodeError,
  isOwnLimit,
  messageOf,
  NodeError,
  type NodeErrorOptions,
  toNodeError,
  UpstreamError,
  type UpstreamErrorKind,
} from "../core/errors.ts";
export { checksumAddress, isAddress } from "../core/eth-address.ts";
export { cleanForeign, cutForeign, mapTexts } from "../core/foreign-text.ts";
export { canonicalJSON, sha256Hex } from "../core/hash.ts";
export { parseJSON, valueAt } from "../core/json-values.ts";
export { type Draft, missing, missingIn, withNulls } from "../core/missing.ts";
export { parseAtomic, USDC_DECIMALS } from "../core/money.ts";
export { createNoSuchSubject } from "../core/no-such-subject.ts";
export { once } from "../core/once.ts";
export { getOwn } from "../core/own.ts";
export type { PassedOn } from "../core/passed-on.ts";
export { roundTo } from "../core/rounding.ts";
export { closed, count, day, nullable, number, oneOf, type Rounding, share, text } from "../core/schema-fields.ts";
export { isSolanaAddress } from "../core/solana-address.ts";
export { renderUnits } from "../core/token-amount.ts";
export { askGrounded } from "../grounding/ask-grounded.ts";
export { readFactRows } from "../grounding/fact-rows.ts";
export type {
  FactDraft,
  FactsPack,
  ListedFact,
  NamedDay,
  PackBuilder,
  PackFrame,
  SourceText,
} from "../grounding/facts.ts";
export { createPack, dayOf } from "../grounding/facts.ts";
export { createGuard } from "../grounding/guard.ts";
export { keepShown } from "../grounding/keep-shown.ts";
export { createToken, readJSON, writeMaterial, writeRules } from "../grounding/prompt.ts";
export { WRITTEN_FIELDS } from "../grounding/schema.ts";
export { type SentenceWriter, showFact } from "../grounding/sentences.ts";
export type { Teller } from "../grounding/teller.ts";
export { cleanTitles, cleanUntrusted, isSuspicious, warnWithheld } from "../grounding/untrusted.ts";
export {
  type BlockPlan,
  renderMarkdown,
  type Writing,
  type WritingPlan,
  writeBlocks,
  writeByTemplates,
} from "../grounding/write-blocks.ts";
export type { GuardedAnswer, GuardedFailure, GuardedRequest, GuardedResult } from "../guarded-fetch/types.ts";
export { createNameIndex, createNameIndexInSteps } from "../names/name-index.ts";
export type { ListedName, NameIndex, NameMatch } from "../names/types.ts";
export { findNetwork, findUSDC, requireAsset, requireChainId, requireNetwork } from "../networks/find.ts";
export { type HistoryMoment, type HistoryProof, logOutcomes, readHistoryMoment } from "../records/history-trees.ts";
export {
  createMerkleRoot,
  createMerkleTree,
  hashMerkleLeaf,
  type MerkleRoot,
  verifyInclusion,
} from "../records/merkle-tree.ts";
export type { PayeeProof } from "../records/payee-proof.ts";
export type { SignedStatement } from "../records/peer-statements.ts";
export type { NodeSigner, RecordBody, Records, RecordValue, StoredRecord } from "../records/record-chain.ts";
export {
  type ChainHead,
  getGenesis,
  getSignedText,
  hashOutcomeLeaf,
  hashRecord,
  type RecordDraft,
  renderRecord,
} from "../records/record-chain.ts";
export { isSignedText } from "../records/signed-text.ts";
export { chainParam } from "../standard-params/chain.ts";
export { pairParam, renderPair } from "../standard-params/pair.ts";
export type { SymbolAliases, TickerRules } from "../standard-params/symbol.ts";
export { symbolParam, toTicker } from "../standard-params/symbol.ts";
export { formatLarge, formatMoney, formatNumber, formatPercent } from "../text/format-number.ts";
export { parseNumber } from "../text/parse-number.ts";
export type { Chart, ChartBand, ChartLine } from "./chart.ts";
export type { Computed } from "./computed.ts";
export type { FetchContext, History, JobContext, OtherAnswer, Source, WritableHistory } from "./context.ts";
export {
  type DatasetDefinition,
  type DatasetFetch,
  type DatasetFiles,
  defineDataset,
  type FetchedDataset,
  type FileRequest,
  type XMLElement,
} from "./dataset.ts";
export type { DatasetReader, DatasetVersion } from "./dataset-reader.ts";
export { isWanted } from "./demand.ts";
export { createEditions, type Editions, type EditionsOptions } from "./editions.ts";
export { exampleOf } from "./example.ts";
export { type Outcome, outcomeOf, type ProviderAttempt, toTooBusy } from "./failover.ts";
export type { AnswerForm, FormError } from "./form.ts";
export { defineFreeRoute, type FreeContext } from "./free-route.ts";
export type { TellGist } from "./gist.ts";
export type { Completion, CompletionRequest, Model, ModelFacts, ModelMessage } from "./model.ts";
export type { NodeFacts, PaymentTotal, PeerIdentity, SoldProduct } from "./node-facts.ts";
export type { OfferedValues, Offering } from "./offering.ts";
export { OFFICIAL_RATE_COLUMNS } from "./official-rates.ts";
export { phrased, rewindPhrased, type Write } from "./phrased.ts";
export { defineJob, definePlugin } from "./plugin.ts";
export { defineProduct } from "./product.ts";
export { defineProvider, type ProviderDefinition } from "./provider.ts";
export { PAGE_ROWS, readNewest, readPages } from "./read-pages.ts";
export type { UpstreamRequest } from "./request.ts";
export { roundAs } from "./round-data.ts";
export { drawRows } from "./row-chart.ts";
export { assertAboveFloor, type EachRow, Rows, RowsByKey, Whole } from "./rows.ts";
export type { SoldElsewhere } from "./send-instead.ts";
export { citeSample, defineSeries, type SeriesSample } from "./series.ts";
export {
  defineSimulator,
  type SimulatedAnswer,
  type SimulatedRequest,
  type SimulatedWorld,
  simulateOAuth,
} from "./simulator.ts";
export type { Drained } from "./subscription.ts";
export type { Columns } from "./table.ts";
export { column, defineTable, type RowOf, type Where } from "./table.ts";
export { isUnusable, type Unusable, unusable } from "./unusable.ts";
