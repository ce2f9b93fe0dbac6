import { type Html, html } from "../html.ts";
import { type ListView, longTable, renderListFilter } from "./list.ts";
import { form, mark, showTime } from "./parts.ts";

/** A key in the form of the operator's commands. */
interface ShownKey {
  readonly key_id: string;
  readonly plan: string;
  readonly label: string | null;
  readonly balance_usd: string | null;
  readonly balance_until: string | null;
  readonly pass_until: string | null;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  readonly suspended_at: string | null;
  readonly daily_cap_usd: string | null;
  readonly call_cap_usd: string | null;
  readonly calls: number;
}

interface ShownLine {
  readonly at: string;
  readonly kind: string;
  readonly product: string | null;
  readonly calls: number;
  readonly change_usd: string;
  readonly balance_usd: string;
}

/** Whether the key can be used; if not, since when. */
const stateOf = ({ revoked_at, suspended_at }: ShownKey): string | null => {
  if (revoked_at !== null) return `revoked ${showTime(revoked_at)}`;
  return suspended_at === null ? null : `suspended ${showTime(suspended_at)}`;
};
const endOf = (key: ShownKey): string =>
  stateOf(key) ?? showTime(key.expires_at ?? key.balance_until ?? key.pass_until);

export function renderKeys(answer: Readonly<Record<string, unknown>>, csrf: string, view: ListView): Html {
  const items = answer.items as readonly ShownKey[];
  const next = answer.next as number | null;
  const back = "/admin/keys";
  return html`<h2>Issue a key</h2>${form({
    op: "key_issue",
    button: "Issue",
    csrf,
    back,
    fields: [
      { name: "credit_usd", label: "Credit in USD", hint: "5" },
      { name: "duration", label: "Lasts", hint: "30d" },
      { name: "plan", label: "or a plan", hint: "day_pass" },
      { name: "label", label: "Your note" },
    ],
  })}<h2>Keys</h2>${renderListFilter(view)}${longTable(
    {
      name: "Keys",
      head: ["Key", "Note", "Plan", "Balance", "Ends", "A day", "A call", "Calls"],
      rows: items.map((key) => [
        mark(stateOf(key) === null, html`<a href="/admin/keys?key=${key.key_id}">${key.key_id}</a>`),
        key.label ?? "-",
        key.plan,
        key.balance_usd ?? "-",
        endOf(key),
        key.daily_cap_usd ?? "-",
        key.call_cap_usd ?? "-",
        key.calls,
      ]),
    },
    view,
  )}${next === null ? "" : html`<p><a href="/admin/keys?after=${next}">More keys</a></p>`}`;
}

/** One key: its statement, and the actions on it. */
export function renderKey(
  key: Readonly<Record<string, unknown>>,
  lines: Readonly<Record<string, unknown>>,
  { csrf, view }: { readonly csrf: string; readonly view: ListView },
) {
  const shown = key as unknown as ShownKey;
  const { key_id, label, plan, balance_usd, revoked_at, daily_cap_usd, call_cap_usd } = shown;
  const items = lines.items as readonly ShownLine[];
  const common = { csrf, back: `/admin/keys?key=${key_id}`, hidden: { key_id } };
  const state = stateOf(shown);
  return html`<p>${mark(state === null, state ?? "active")} · plan ${plan} · balance ${balance_usd ?? "none"}</p>
${
  revoked_at === null
    ? html`<h2>Top up</h2>${form({
        ...common,
        op: "key_top_up",
        button: "Top up",
        fields: [
          { name: "credit_usd", label: "Credit in USD", hint: "5" },
          { name: "duration", label: "Lasts", hint: "30d" },
        ],
      })}<h2>Note and limits</h2>${form({
        ...common,
        op: "key_amend",
        button: "Save",
        fields: [
          { name: "label", label: "Your note", value: label ?? "" },
          { name: "daily_cap_usd", label: "USD a day at most", value: daily_cap_usd ?? "none" },
          { name: "call_cap_usd", label: "USD a call at most", value: call_cap_usd ?? "none" },
        ],
      })}<h2>Revoke</h2>${form({ ...common, op: "key_revoke", button: "Revoke this key for good" })}`
    : form({ ...common, op: "key_expire", button: "Book what is left of its balance" })
}<h2>Statement</h2>${longTable(
    {
      name: "Statement",
      head: ["Time", "Kind", "What", "Calls", "Change", "Balance"],
      rows: items.map((line) => [
        ...[showTime(line.at), line.kind, line.product ?? "-", line.calls, line.change_usd, line.balance_usd],
      ]),
    },
    view,
  )}<p><a href="/admin/keys">All keys</a></p>`;
}
