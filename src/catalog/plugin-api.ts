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
export {
  addBankDays,
  B3_RULES,
  bankHolidaysOf,
  countBankDays,
  isAshWednesday,
  isBankDay,
} from "../calendars/brazil.ts";
export {
  type Calendar,
  type CalendarEnd,
  createCalendar,
  findExchange,
  type MarketStatus,
  type Session,
  type SessionState,
} from "../calendars/calendar.ts";
export { BOE_DATES, BOE_PROVISIONAL_FROM, BOJ_DATES, COPOM_DATES } from "../calendars/central-banks.ts";
export {
  addDays,
  daysBetween,
  easterOf,
  type ISODate,
  isWeekend,
  japaneseEquinox,
  nthWeekday,
  toDate,
  weekdayFrom,
  weekdayOf,
  yearOf,
} from "../calendars/dates.ts";
export { EXCHANGES } from "../calendars/exchanges.ts";
export { type FXWeekState, getFXWeek, getLastFXClose } from "../calendars/fx-week.ts";
export type {
  CalendarChanges,
  Confidence,
  Exchange,
  PublishedYear,
  SessionHours,
  YearDays,
} from "../calendars/types.ts";
export type { DailyTime } from "../calendars/zone-time.ts";
export { type LocalTime, nextInstant, type TimeOfDay, toInstant, toLocal } from "../calendars/zone-time.ts";
export { findMPPChallenge, readMPPRequest, readMPPTerms } from "../challenge-reader/mpp-terms.ts";
export {
  isPayToValid,
  isTestNetwork,
  isUSDC,
  type PaymentTerm,
  type PaymentTerms,
  readTerms,
} from "../challenge-reader/payment-terms.ts";
export { readChallenge, type StatedTerms, termsOf } from "../challenge-reader/read-challenge.ts";
export {
  decodeAlgorandAddress,
  encodeAlgorandAddress,
  isAlgorandAddress,
  sha512_256,
} from "../core/algorand-address.ts";
export { type AuthChallenge, parseAuthChallenges } from "../core/auth-challenges.ts";
export { type Clock, renderTime, systemTimers, type TimeLimit, type Timers } from "../core/clock.ts";
export { closest, listClosest } from "../core/closest.ts";
export { compareText } from "../core/compare-text.ts";
export { compileSchema, type SchemaCheck } from "../core/compile-schema.ts";
export { DURATION_PATTERN, parseDuration } from "../core/duration.ts";
export {
  type ErrorCode,
  type FixedBy,
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
export type { IPAddress, IPEndpoint, IPRange } from "../core/ip-address.ts";
export { parseJSON, valueAt } from "../core/json-values.ts";
export { keepFor } from "../core/keep-for.ts";
export { parseAtomic, parseUSD, renderUSD, USDC_DECIMALS } from "../core/money.ts";
export { createNoSuchSubject, type MissingSubject } from "../core/no-such-subject.ts";
export { once } from "../core/once.ts";
export { getOwn } from "../core/own.ts";
export type { PassedOn } from "../core/passed-on.ts";
export { roundOrNull, roundPrice, roundTo } from "../core/rounding.ts";
export type { Rounding } from "../core/schema-fields.ts";
export { closed, count, day, nullable, number, oneOf, share, text } from "../core/schema-fields.ts";
export { createSingleFlight, type SingleFlight } from "../core/single-flight.ts";
export { decodeSolanaAddress, isSolanaAddress } from "../core/solana-address.ts";
export { renderUnits } from "../core/token-amount.ts";
export { askGrounded, type Grounded, type GroundedModel, type GroundedQuestion } from "../grounding/ask-grounded.ts";
export { type FactRow, readFactRows } from "../grounding/fact-rows.ts";
export type {
  FactDraft,
  FactsPack,
  ListedFact,
  NamedDay,
  PackBuilder,
  PackFrame,
  SourceText,
  Unit,
} from "../grounding/facts.ts";
export { createPack, dayOf, hashPack } from "../grounding/facts.ts";
export { createGuard, type Guard } from "../grounding/guard.ts";
export { keepShown } from "../grounding/keep-shown.ts";
export { createToken, readJSON, writeMaterial, writeRules } from "../grounding/prompt.ts";
export { WRITTEN_FIELDS, type Written, type WrittenBlock } from "../grounding/schema.ts";
export { createSentences, type Part as SentencePart, type SentenceWriter, showFact } from "../grounding/sentences.ts";
export type { FigureOptions, Said, SaidPart, Teller, ToldLanguage } from "../grounding/teller.ts";
export {
  areSuspiciousTogether,
  cleanTitles,
  cleanUntrusted,
  isSuspicious,
  warnWithheld,
} from "../grounding/untrusted.ts";
export type { Rule as GroundingRule, Violation } from "../grounding/violations.ts";
export {
  type BlockPlan,
  renderMarkdown,
  type Writing,
  type WritingPlan,
  writeBlocks,
  writeByTemplates,
} from "../grounding/write-blocks.ts";
export type {
  GuardedAnswer,
  GuardedFailure,
  GuardedFetch,
  GuardedHop,
  GuardedRequest,
  GuardedResult,
  GuardRule,
  TLSFacts,
} from "../guarded-fetch/types.ts";
export { jaroWinkler } from "../names/jaro-winkler.ts";
export { createNameIndex, createNameIndexInSteps } from "../names/name-index.ts";
export { consonantsOf, type NormalizeOptions, type NormalName, normalizeName } from "../names/normalize-name.ts";
export type { AlignedWords, FindOptions, ListedName, NameIndex, NameMatch } from "../names/types.ts";
export {
  findAsset,
  findNetwork,
  findUSDC,
  isSameAsset,
  requireAsset,
  requireChainId,
  requireNetwork,
} from "../networks/find.ts";
export type { ChainFamily, KnownAsset, KnownNetwork } from "../networks/types.ts";
export {
  type HistoryMoment,
  type HistoryProof,
  type HistoryRoots,
  logOutcomes,
  outcomeLogOf,
  readHistoryMoment,
} from "../records/history-trees.ts";
export {
  type ConsistencyClaim,
  createMerkleRoot,
  createMerkleTree,
  hashMerkleLeaf,
  type InclusionClaim,
  type MerkleRoot,
  type MerkleTree,
  type PartialTree,
  rootOfLeaves,
  verifyConsistency,
  verifyInclusion,
} from "../records/merkle-tree.ts";
export type { PayeeAddress, PayeeProof, ProofStep } from "../records/payee-proof.ts";
export type { PeerStatement, Peers, SignedStatement, StatementRequest } from "../records/peer-statements.ts";
export type {
  NodeSigner,
  OutcomeDraft,
  RecordBody,
  RecordLink,
  Records,
  RecordValue,
  StoredOutcome,
  StoredRecord,
  WritableRecords,
} from "../records/record-chain.ts";
export {
  type ChainHead,
  getGenesis,
  getSignedText,
  hashOutcomeLeaf,
  hashRecord,
  type RecordDraft,
  type RecordQuery,
  renderRecord,
} from "../records/record-chain.ts";
export { isSignedText, type SignedText } from "../records/signed-text.ts";
export { type AddressKind, addressParam, type WalletAddress } from "../standard-params/address.ts";
export { type Chain, chainParam } from "../standard-params/chain.ts";
export { countryParam } from "../standard-params/country.ts";
export { dateParam } from "../standard-params/date.ts";
export { type Pair, pairParam, renderPair } from "../standard-params/pair.ts";
export type { ParamOptions, StandardParam } from "../standard-params/parameter.ts";
export type { SymbolAliases, TickerRules } from "../standard-params/symbol.ts";
export { symbolParam, toTicker } from "../standard-params/symbol.ts";
export type { MoneyFormat, NumberFormat } from "../text/format-number.ts";
export { formatLarge, formatMoney, formatNumber, formatPercent } from "../text/format-number.ts";
export { type NumberLocale, type NumberTextOptions, parseDecimal, parseNumber } from "../text/parse-number.ts";
export type { Bars, Chart, ChartBand, ChartLine, HeatMap, TimeChart } from "./chart.ts";
export type {
  Asked,
  Asks,
  FetchContext,
  History,
  JobContext,
  JobSourceContext,
  Observation,
  Payer,
  RunPurpose,
  Source,
  SourceContext,
  WritableHistory,
} from "./context.ts";
export type { AnyDataset, TextOptions } from "./dataset.ts";
export {
  type CSVOptions,
  type DatasetDefinition,
  type DatasetFetch,
  type DatasetFiles,
  defineDataset,
  type FetchedDataset,
  type FetchedFile,
  type FileRequest,
  type XMLElement,
} from "./dataset.ts";
export type { DatasetForm, DatasetReader, DatasetVersion } from "./dataset-reader.ts";
export { isWanted } from "./demand.ts";
export { createEditions, type EditionHours, type Editions, type EditionsOptions } from "./editions.ts";
export { exampleOf, type MadeExample } from "./example.ts";
export {
  type Asking,
  type AskingOptions,
  type Attempt,
  describeFailure,
  type Outcome,
  outcomeOf,
  type Part,
  type Parts,
  toTooBusy,
} from "./failover.ts";
export type { AnswerForm, FormError } from "./form.ts";
export { type AnyFreeRoute, defineFreeRoute, type FreeContext, type FreeRouteDefinition } from "./free-route.ts";
export type { Gist, Headline, TellGist } from "./gist.ts";
export type {
  Completion,
  CompletionRequest,
  Model,
  ModelClass,
  ModelFacts,
  ModelMessage,
  ModelNeed,
  ModelRule,
  ModelUsage,
  ModelUse,
} from "./model.ts";
export type { NodeFacts, PayerFacts, PaymentTotal, PeerIdentity, SoldProduct } from "./node-facts.ts";
export type { OfferedValues, Offering } from "./offering.ts";
export { OFFICIAL_RATE_COLUMNS } from "./official-rates.ts";
export type { PathSettings } from "./path-setting.ts";
export { type Phrased, phrased, rewindPhrased, type Write } from "./phrased.ts";
export { defineJob, definePlugin, type JobDefinition, type PluginDefinition } from "./plugin.ts";
export type { AnyProduct } from "./product.ts";
export { type Computed, defineProduct, type PreviewPolicy, type ProductDefinition } from "./product.ts";
export type { KeyRule, OAuthRule, ProviderLimits, QuotaPeriod, TermsClass } from "./provider.ts";
export { defineProvider, type ProviderDefinition } from "./provider.ts";
export { PAGE_ROWS, type PagesQuery, readNewest, readPages } from "./read-pages.ts";
export type {
  AnswerFacts,
  Charset,
  Download,
  DownloadRequest,
  ErrorForm,
  ErrorMeaning,
  RequestTarget,
  Unpacking,
  UpstreamRequest,
  Validators,
} from "./request.ts";
export type { Rounder } from "./round-data.ts";
export { drawRows, type RowChart } from "./row-chart.ts";
export { assertAboveFloor, type EachRow, Rows, RowsByKey, Whole, type WholeReason } from "./rows.ts";
export type { Elsewhere } from "./send-instead.ts";
export { citeSample, defineSeries, type Sample, type Series, type SeriesDefinition } from "./series.ts";
export {
  defineSimulator,
  type SimulatedAnswer,
  type SimulatedRequest,
  type SimulatedSocket,
  type SimulatedWorld,
  type Simulator,
  simulateOAuth,
} from "./simulator.ts";
export type { Drained, Gap, SubscriptionRequest } from "./subscription.ts";
export type { AnyTable, Bounds, Columns, ColumnType } from "./table.ts";
export {
  type Column,
  column,
  defineTable,
  type Migration,
  type RowOf,
  type RowQuery,
  type RowReader,
  type TableDefinition,
  type TableWriter,
  type Where,
} from "./table.ts";
export { isUnusable, type Unusable, unusable } from "./unusable.ts";
