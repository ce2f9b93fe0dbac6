import type { ProductsAnswer } from "../../admin/answers.ts";
import { type Html, html } from "../html.ts";
import { type ListView, longTable } from "./list.ts";
import { form, mark, showAge, showTime } from "./parts.ts";

const BACK = "/admin/products";

const counts = (of: Readonly<Record<string, number>>): string =>
  Object.entries(of)
    .map(([name, count]) => `${name} ${count}`)
    .join(", ") || "-";

/** The form above the part that is updated by script, so that typed words stay. */
export const renderOffForm = (csrf: string): Html =>
  html`<h2>Take off sale</h2><p class="soft">Buyers read the reason. Until a time they are told to come back then (503);
without one, that it is gone (410). Nothing is charged.</p>${form({
    op: "products_off",
    button: "Take off sale",
    csrf,
    back: BACK,
    fields: [
      { name: "product", label: "Product", hint: "/sanctions" },
      { name: "reason", label: "Reason, public" },
      { name: "until", label: "Until, UTC", hint: "2026-12-31" },
    ],
  })}`;

const renderSwitch = (op: "products_off" | "products_on", path: string, csrf: string): Html => {
  const button = op === "products_on" ? "Sell" : "Off";
  const about = op === "products_on" ? `Sell ${path} again` : `Take ${path} off sale`;
  return form({ op, button, csrf, back: BACK, about, hidden: { product: path } });
};

/** The choices of products to show. */
export const PRODUCTS_SHOWN = ["failing", "paid"] as const;

const isShown = ({ off_sale, ok, paid }: ProductsAnswer["items"][number], show: string | undefined): boolean => {
  if (show === "failing") return off_sale !== null || ok === false;
  return show !== "paid" || Object.keys(paid).length > 0;
};

export const renderProducts = ({ items, withheld, faults }: ProductsAnswer, csrf: string, view: ListView): Html =>
  html`<p class="soft">Counts since the start of the node.</p>${longTable(
    {
      name: "Products",
      head: [
        ...["Product", "USD", "Paid", "Asked", "Paid of asked", "Settled", "Mean", "Failures", "Data", "Preview"],
        ...["Sources", "Sale"],
      ],
      rows: items
        .filter((one) => isShown(one, view.asked.show))
        .map((one) => [
          mark(one.off_sale === null && one.ok !== false, one.path),
          one.price_usd,
          counts(one.paid),
          one.challenges,
          one.conversion === null ? "-" : `${(100 * one.conversion).toFixed(1)} %`,
          `$${one.settled_usd}`,
          one.latency_ms_mean === null ? "-" : `${one.latency_ms_mean} ms`,
          one.off_sale ?? counts(one.failures),
          showAge(one.data_age_s),
          showTime(one.preview_as_of),
          one.providers.join(", ") || "-",
          renderSwitch("products_off", one.path, csrf),
        ]),
    },
    view,
  )}<h2>Not sold</h2>${longTable(
    {
      name: "Not sold",
      head: ["Product", "Why", "Sale"],
      rows: withheld.map(({ path, why, is_switched }) => [
        path,
        why,
        is_switched ? renderSwitch("products_on", path, csrf) : "-",
      ]),
      param: "off_page",
    },
    view,
  )}${
    faults.length === 0
      ? ""
      : html`<h2>Refused</h2>${longTable(
          {
            name: "Refused",
            head: ["Where", "Why"],
            rows: faults.map(({ file, line, message }) => [`${file}${line === undefined ? "" : `:${line}`}`, message]),
            param: "refused_page",
          },
          view,
        )}`
  }`;
