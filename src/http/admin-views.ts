import { type Operations, runOperation } from "../admin/operations.ts";
import { renderFindForm, renderFound } from "../pages/admin/find.ts";
import { renderKey, renderKeys } from "../pages/admin/keys.ts";
import { type AdminSection, sectionPath } from "../pages/admin/layout.ts";
import { type ListView, renderListFilter } from "../pages/admin/list.ts";
import { renderOverview, renderSales, renderSalesFilter } from "../pages/admin/overview.ts";
import { PRODUCTS_SHOWN, renderOffForm, renderProducts } from "../pages/admin/products.ts";
import { renderProviderOff, renderSources, SOURCES_SHOWN } from "../pages/admin/sources.ts";
import {
  ALERTS_SHOWN,
  CONFIG_SHOWN,
  JOBS_SHOWN,
  renderAlertForms,
  renderAlerts,
  renderAttention,
  renderBackups,
  renderConfig,
  renderJobs,
  renderLogFilter,
  renderLogs,
} from "../pages/admin/state.ts";
import { renderSumLinks, renderSums, type SumsView } from "../pages/admin/sums.ts";
import { renderWatches, WATCHES_SHOWN } from "../pages/admin/watches.ts";
import { type Html, html } from "../pages/html.ts";

/** Which page, and of what. */
export interface AdminView {
  readonly section: AdminSection;
  readonly title?: string;
  /** What the query says, as far as the page reads it. */
  readonly asked: Readonly<Record<string, string>>;
}

const READS: Readonly<Partial<Record<AdminSection, readonly string[]>>> = {
  sales: ["product", "network", "label", "before", "period", "by"],
  find: ["word"],
  products: ["q", "show", "page", "off_page", "refused_page"],
  keys: ["key", "after", "q", "page"],
  watches: ["q", "show", "page"],
  sources: ["provider", "q", "show", "page", "off_page"],
  jobs: ["q", "show", "page"],
  attention: ["q", "page", "missing_page"],
  alerts: ["q", "show", "page", "told_page"],
  backups: ["q", "page"],
  config: ["q", "show", "page"],
  logs: ["least", "event", "q", "page"],
};
/** Sales of one page: a row is some lines on a phone. */
const SALES_A_PAGE = 25;
/** Lines of the log that are searched: all that are held. */
const LINES_SEARCHED = 400;
/** Keys are searched in so many pages of the books at most. */
const KEY_PAGES_MAX = 50;

const listOf = ({ section, asked }: AdminView): ListView => ({ path: sectionPath(section), asked });

/** As long as the longest word that is looked for: a replay key. */
const WORD_CHARS_MAX = 300;

export function viewOf(section: AdminSection, search: string): AdminView {
  const query = new URLSearchParams(search);
  const read = (READS[section] ?? []).flatMap((name) => {
    const value = query.get(name);
    return value ? [[name, value.slice(0, WORD_CHARS_MAX)] as const] : [];
  });
  const asked = Object.fromEntries(read);
  const title = section === "keys" ? asked.key : section === "sources" ? asked.provider : undefined;
  return { section, asked, ...(title ? { title } : {}) };
}

/** The text above the live part. */
const FIXED: Readonly<Partial<Record<AdminSection, (view: AdminView, csrf: string) => Html>>> = {
  sales: ({ asked }) => renderSalesFilter(asked),
  find: ({ asked }) => renderFindForm(asked.word),
  products: (view, csrf) => html`${renderOffForm(csrf)}${renderListFilter(listOf(view), { show: PRODUCTS_SHOWN })}`,
  watches: (view) => renderListFilter(listOf(view), { show: WATCHES_SHOWN }),
  sources: (view) => renderListFilter(listOf(view), { show: SOURCES_SHOWN }),
  attention: (view) => renderListFilter(listOf(view)),
  alerts: (view, csrf) => html`${renderAlertForms(csrf)}${renderListFilter(listOf(view), { show: ALERTS_SHOWN })}`,
  logs: ({ asked }) => renderLogFilter(asked),
};

async function readSums(operations: Operations, { period, by }: SumsView): Promise<Html> {
  const asked = { ...(period ? { period } : {}), ...(by ? { by } : {}) };
  type Sums = Awaited<ReturnType<Operations["sales_sums"]>>;
  return renderSums((await runOperation(operations, "sales_sums", asked)) as Sums);
}

/**
 * The live part of a page; null for pages of forms, which keep what is typed. Its own forms are
 * buttons alone.
 */
export async function renderLive(operations: Operations, view: AdminView, csrf: string): Promise<Html | null> {
  const { section, asked } = view;
  const list = listOf(view);
  switch (section) {
    case "":
      return renderOverview(await operations.overview({}));
    case "sales": {
      type Sales = Awaited<ReturnType<Operations["sales"]>>;
      const { period = "", by = "", ...filter } = asked;
      // Shown on request only: a page that changes each second would add up a month each second.
      const sums = period === "" && by === "" ? "" : await readSums(operations, { period, by });
      const wanted = { limit: SALES_A_PAGE, ...filter };
      return html`${renderSumLinks({ period, by })}${sums}${renderSales(
        (await runOperation(operations, "sales", wanted)) as Sales,
        filter,
      )}`;
    }
    case "find": {
      const { word } = asked;
      return renderFound(word === undefined ? null : await operations.find({ word }));
    }
    case "products":
      return renderProducts(await operations.products({}), csrf, list);
    case "watches":
      return renderWatches(await operations.watches({}), list);
    case "sources":
      if (asked.provider !== undefined) return null;
      return renderSources(await operations.sources({}), csrf, list);
    case "attention":
      return renderAttention(await operations.attention({}), list);
    case "alerts":
      return renderAlerts(await operations.alerts({}), list);
    case "logs": {
      type Logs = Awaited<ReturnType<Operations["logs"]>>;
      const { least, event } = asked;
      const wanted = { limit: LINES_SEARCHED, ...(least ? { least } : {}), ...(event ? { event } : {}) };
      return renderLogs((await runOperation(operations, "logs", wanted)) as Logs, list);
    }
    default:
      return null;
  }
}

/** The body of a page. */
export async function renderView(operations: Operations, view: AdminView, csrf: string): Promise<Html> {
  const live = await renderLive(operations, view, csrf);
  if (live === null) return renderForms(operations, view, csrf);
  const above = FIXED[view.section]?.(view, csrf) ?? "";
  // What was filtered stays as it was asked for.
  const changes = Object.keys(view.asked).length === 0;
  return html`${above}<div${changes ? html` id="live" data-of="${view.section}"` : ""}>${live}</div>`;
}

async function renderForms(operations: Operations, view: AdminView, csrf: string): Promise<Html> {
  const { section, asked } = view;
  const list = listOf(view);
  const withFilter = (body: Html, show: readonly string[] = []) => html`${renderListFilter(list, { show })}${body}`;
  switch (section) {
    case "keys":
      return asked.key === undefined
        ? renderKeys(await readKeys(operations, asked), csrf, list)
        : renderOneKey(operations, asked.key, { csrf, view: list });
    case "sources": {
      const { provider = "" } = asked;
      return renderProviderOff(await operations.providers_off({ provider }), provider, csrf);
    }
    case "jobs":
      return withFilter(renderJobs(await operations.jobs({}), csrf, list), JOBS_SHOWN);
    case "backups":
      return renderBackups(await operations.backups({}), csrf, list);
    case "config":
      return withFilter(renderConfig(await operations.config({}), csrf, list), CONFIG_SHOWN);
    default:
      return html``;
  }
}

async function renderOneKey(
  operations: Operations,
  key_id: string,
  about: { readonly csrf: string; readonly view: ListView },
): Promise<Html> {
  const [key, lines] = await Promise.all([
    runOperation(operations, "key", { key_id }),
    runOperation(operations, "key_statement", { key_id }),
  ]);
  return renderKey(key as Record<string, unknown>, lines as Record<string, unknown>, about);
}

/** A page of the books' keys; where words are searched for, those of all pages. */
async function readKeys(operations: Operations, { q, after }: AdminView["asked"]): Promise<Record<string, unknown>> {
  type Keys = { readonly items: readonly unknown[]; readonly next: number | null };
  const read = async (from: string | undefined) =>
    (await runOperation(operations, "keys", from ? { after: from } : {})) as Keys;
  if (!q) return { ...(await read(after)) };
  const items: unknown[] = [];
  let next: number | null = 0;
  for (let page = 0; next !== null && page < KEY_PAGES_MAX; page += 1) {
    const found: Keys = await read(next === 0 ? undefined : String(next));
    items.push(...found.items);
    next = found.next;
  }
  return { items, next: null };
}
