/**
 * Everything an operator's plugin may import from "intel-node". docs/plugin-author.md explains it; nothing else of the
 * node is a promise.
 */

export { addBankDays, countBankDays, isBankDay } from "../calendars/brazil.ts";
export {
  type Calendar,
  type CalendarEnd,
  createCalendar,
  findExchange,
  type MarketStatus,
  type Session,
  type SessionState,
} from "../calendars/calendar.ts";
export { addDays, daysBetween, easterOf, type ISODate, weekdayOf, yearOf } from "../calendars/dates.ts";
export { EXCHANGES } from "../calendars/exchanges.ts";
export { type FXWeekState, getFXWeek } from "../calendars/fx-week.ts";
export type { CalendarChanges, Confidence, Exchange } from "../calendars/types.ts";
export { type LocalTime, nextInstant, type TimeOfDay, toInstant, toLocal } from "../calendars/zone-time.ts";
export { compileSchema, type SchemaCheck } from "../core/compile-schema.ts";
export { NodeError, toNodeError, UpstreamError } from "../core/errors.ts";
export type { GuardedAnswer, GuardedFailure, GuardedRequest, GuardedResult, TLSFacts } from "../guarded-fetch/types.ts";
export { jaroWinkler } from "../names/jaro-winkler.ts";
export { createNameIndex } from "../names/name-index.ts";
export { normalizeName } from "../names/normalize-name.ts";
export type { AlignedWords, FindOptions, ListedName, NameIndex, NameMatch } from "../names/types.ts";
export { createMerkleTree, hashMerkleLeaf, type MerkleTree, verifyInclusion } from "../records/merkle-tree.ts";
export type {
  NodeSigner,
  RecordBody,
  Records,
  RecordValue,
  StoredOutcome,
  StoredRecord,
  WritableRecords,
} from "../records/record-chain.ts";
export { type AddressKind, addressParam, type WalletAddress } from "../standard-params/address.ts";
export { type Chain, chainParam } from "../standard-params/chain.ts";
export { countryParam } from "../standard-params/country.ts";
export { dateParam } from "../standard-params/date.ts";
export { type Pair, pairParam, renderPair } from "../standard-params/pair.ts";
export type { ParamOptions, StandardParam } from "../standard-params/parameter.ts";
export { symbolParam, toTicker } from "../standard-params/symbol.ts";
export { formatLarge, formatMoney, formatNumber, formatPercent } from "../text/format-number.ts";
export { type NumberLocale, type NumberTextOptions, parseDecimal, parseNumber } from "../text/parse-number.ts";
export type { Chart, ChartBand, ChartLine, HeatMap, TimeChart } from "./chart.ts";
export type { Asked, FetchContext, History, JobContext, Observation, Source, WritableHistory } from "./context.ts";
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
export type { DatasetReader, DatasetVersion } from "./dataset-reader.ts";
export { type Attempt, describeFailure, type Outcome, outcomeOf, type Part } from "./failover.ts";
export { type AnyFreeRoute, defineFreeRoute, type FreeContext, type FreeRouteDefinition } from "./free-route.ts";
export type { NodeFacts, PayerFacts, PaymentTotal, SoldProduct } from "./node-facts.ts";
export type { OfferedValues, Offering } from "./offering.ts";
export type { PathSettings } from "./path-setting.ts";
export { defineJob, definePlugin, type JobDefinition, type PluginDefinition } from "./plugin.ts";
export { type Computed, defineProduct, type PreviewPolicy, type ProductDefinition } from "./product.ts";
export { defineProvider, type ProviderDefinition } from "./provider.ts";
export type { AnswerFacts, Download, DownloadRequest, ErrorForm, Unpacking, UpstreamRequest } from "./request.ts";
export { citeSample, defineSeries, type Sample, type Series } from "./series.ts";
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
