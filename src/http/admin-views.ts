import { type Operations, runOperation } from "../admin/operations.ts";
import { renderFindForm, renderFound } from "../pages/admin/find.ts";
import { renderKey, renderKeys } from "../pages/admin/keys.ts";
import type { Section } from "../pages/admin/layout.ts";
import { renderOverview, renderSales, renderSalesFilter } from "../pages/admin/overview.ts";
import { renderOffForm, renderProducts } from "../pages/admin/products.ts";
import { renderProviderOff, renderSources } from "../pages/admin/sources.ts";
import {
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
import { type Html, html } from "../pages/html.ts";

/** Which page, and of what. */
export interface AdminView {
  readonly section: Section;
  readonly title?: string;
  /** What the query says, as far as the page reads it. */
  readonly asked: Readonly<Record<string, string>>;
}

const READS: Readonly<Partial<Record<Section, readonly string[]>>> = {
  sales: ["product", "network", "label", "before", "period", "by"],
  find: ["word"],
  keys: ["key", "after"],
  sources: ["provider"],
  logs: ["least", "event"],
};

/** As long as the longest word that is looked for: a replay key. */
const WORD_CHARS_MAX = 300;

export function viewOf(section: Section, search: string): AdminView {
  const query = new URLSearchParams(search);
  const read = (READS[section] ?? []).flatMap((name) => {
    const value = query.get(name);
    return value ? [[name, value.slice(0, WORD_CHARS_MAX)] as const] : [];
  });
  const asked = Object.fromEntries(read);
  const title = section === "keys" ? asked.key : section === "sources" ? asked.provider : undefined;
  return { section, asked, ...(title ? { title } : {}) };
}

/** What stands above the part that changes by itself. */
const FIXED: Readonly<Partial<Record<Section, (view: AdminView, csrf: string) => Html>>> = {
  sales: ({ asked }) => renderSalesFilter(asked),
  find: ({ asked }) => renderFindForm(asked.word),
  products: (_, csrf) => renderOffForm(csrf),
  alerts: (_, csrf) => renderAlertForms(csrf),
  logs: ({ asked }) => renderLogFilter(asked),
};

async function readSums(operations: Operations, { period, by }: SumsView): Promise<Html> {
  const asked = { ...(period ? { period } : {}), ...(by ? { by } : {}) };
  type Sums = Awaited<ReturnType<Operations["sales_sums"]>>;
  return renderSums((await runOperation(operations, "sales_sums", asked)) as Sums);
}

/**
 * The part of a page that changes by itself; null for pages of forms, which keep what is typed. Its own forms are
 * buttons alone.
 */
export async function renderLive(
  operations: Operations,
  { section, asked }: AdminView,
  csrf: string,
): Promise<Html | null> {
  switch (section) {
    case "":
      return renderOverview(await operations.overview({}));
    case "sales": {
      type Sales = Awaited<ReturnType<Operations["sales"]>>;
      const { period = "", by = "", ...filter } = asked;
      // Asked for, not shown by itself: a page that changes each second would add up a month each second.
      const sums = period === "" && by === "" ? "" : await readSums(operations, { period, by });
      return html`${renderSumLinks({ period, by })}${sums}${renderSales(
        (await runOperation(operations, "sales", filter)) as Sales,
        filter,
      )}`;
    }
    case "find": {
      const { word } = asked;
      return renderFound(word === undefined ? null : await operations.find({ word }));
    }
    case "products":
      return renderProducts(await operations.products({}), csrf);
    case "sources":
      if (asked.provider !== undefined) return null;
      return renderSources(await operations.sources({}), csrf);
    case "attention":
      return renderAttention(await operations.attention({}));
    case "alerts":
      return renderAlerts(await operations.alerts({}));
    case "logs": {
      type Logs = Awaited<ReturnType<Operations["logs"]>>;
      return renderLogs((await runOperation(operations, "logs", asked)) as Logs);
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

async function renderForms(operations: Operations, { section, asked }: AdminView, csrf: string): Promise<Html> {
  switch (section) {
    case "keys": {
      if (asked.key === undefined)
        return renderKeys(await operations.keys(asked.after ? { after: asked.after } : {}), csrf);
      const key_id = asked.key;
      const [key, lines] = await Promise.all([
        runOperation(operations, "key", { key_id }),
        runOperation(operations, "key_statement", { key_id }),
      ]);
      return renderKey(key as Record<string, unknown>, lines as Record<string, unknown>, csrf);
    }
    case "sources": {
      const { provider = "" } = asked;
      return renderProviderOff(await operations.providers_off({ provider }), provider, csrf);
    }
    case "jobs":
      return renderJobs(await operations.jobs({}), csrf);
    case "backups":
      return renderBackups(await operations.backups({}), csrf);
    case "config":
      return renderConfig(await operations.config({}), csrf);
    default:
      return html``;
  }
}
