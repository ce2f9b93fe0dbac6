import type { AdminAnswers } from "../../admin/answers.ts";
import { type Html, type HtmlValue, html } from "../html.ts";

/** An ISO time as shown, "2026-11-21 12:40:07", in UTC, which the page states once. */
export const showTime = (iso: string | null | undefined): string =>
  iso ? iso.slice(0, 19).replace("T", " ") : "never";

/** "3 d 4 h", "12 min", "8 s". */
export function showAge(seconds: number | null): string {
  if (seconds === null) return "-";
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min`;
  if (seconds < 129_600) return `${Math.round(seconds / 3_600)} h`;
  return `${Math.round(seconds / 86_400)} d`;
}

export const showBytes = (bytes: number): string =>
  bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;

export const mark = (ok: boolean | null, text: HtmlValue): Html =>
  html`<span class="dot${ok === false ? " bad" : ""}"></span>${text}`;

/** A table that scrolls inside its own box if it is wider than the page. */
export function table(name: string, head: readonly string[], rows: readonly (readonly HtmlValue[])[]): Html {
  if (rows.length === 0) return html`<p class="soft">None.</p>`;
  return html`<div class="scroll" role="region" aria-label="${name}" tabindex="0"><table><thead><tr>${head.map(
    (cell) => html`<th scope="col">${cell}</th>`,
  )}</tr></thead><tbody>${rows.map(
    (row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`,
  )}</tbody></table></div>`;
}

/** Names and values under each other. */
export const facts = (list: readonly (readonly [name: string, value: HtmlValue])[]): Html =>
  html`<dl class="facts">${list.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;

export interface Field {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly value?: string;
  /** The only allowed values; the first is preselected. */
  readonly options?: readonly string[];
}

export interface FormOptions {
  readonly op: string;
  readonly button: string;
  readonly csrf: string;
  /** Path of the page to show afterwards. */
  readonly back: string;
  readonly fields?: readonly Field[];
  /** Hidden values sent with the form. */
  readonly hidden?: Readonly<Record<string, string>>;
  /** Label for screen readers instead of the button's text, where many buttons look alike. */
  readonly about?: string;
}

/** A form that runs one operation. Works without script. */
export function form({ op, button, csrf, back, fields = [], hidden = {}, about }: FormOptions): Html {
  const sent = { op, csrf, back, ...hidden };
  return html`<form class="op" method="post" action="/admin/do">${Object.entries(sent).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}${fields.map(renderField)}<button${about ? html` aria-label="${about}"` : ""}>${button}</button></form>`;
}

export function renderField({ name, label, hint, value = "", options }: Field): Html {
  const control = options
    ? html`<select name="${name}">${options.map(
        (one) =>
          html`<option value="${one}"${one === value ? html` selected` : ""}>${one === "" ? "all" : one}</option>`,
      )}</select>`
    : html`<input name="${name}" value="${value}"${hint ? html` placeholder="${hint}"` : ""} autocomplete="off">`;
  return html`<label>${label}${control}</label>`;
}

/** Bars for the days of a month; screen readers get the same figures as text. */
export function bars(days: AdminAnswers["overview"]["received"]["by_day"]): Html {
  const highest = Math.max(...days.map(({ usd }) => Number(usd)), 0);
  const width = 600 / Math.max(1, days.length);
  const shown = days.map(({ day, usd, payments }, index) => {
    const height = highest === 0 ? 0 : (100 * Number(usd)) / highest;
    const [x, y] = [(index * width + 1).toFixed(1), (100 - height).toFixed(1)];
    return html`<rect x="${x}" y="${y}" width="${(width - 2).toFixed(1)}" height="${height.toFixed(1)}"
><title>${day}: $${usd}, ${payments} payments</title></rect>`;
  });
  const label = `Received a day, 30 days, at most $${highest} on one day`;
  return html`<svg class="bars" viewBox="0 0 600 100" role="img" aria-label="${label}" preserveAspectRatio="none"
>${shown}</svg><p class="small soft">${days[0]?.day ?? ""} to ${days.at(-1)?.day ?? ""}; highest day $${highest}</p>`;
}
