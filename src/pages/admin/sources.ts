import type { ProviderOffAnswer, SourcesAnswer } from "../../admin/answers.ts";
import { type Html, html } from "../html.ts";
import { type ListView, longTable } from "./list.ts";
import { form, mark, showTime, table } from "./parts.ts";

const BACK = "/admin/sources";

/** The choices of sources to show. */
export const SOURCES_SHOWN = ["failing"] as const;

type Provider = SourcesAnswer["providers"][number];

const renderAdds = ({ turns_on, read_by, jobs }: Provider["adds"]): string =>
  [
    ...(turns_on.length > 0 ? [`would sell ${turns_on.join(", ")}`] : []),
    ...(read_by.length > 0 ? [`one more source of ${read_by.join(", ")}`] : []),
    ...(jobs.length > 0 ? [`read by ${jobs.join(", ")}`] : []),
  ].join("; ");

const isShown = ({ ok, breaker }: Provider, show: string | undefined): boolean =>
  show !== "failing" || ok === false || breaker !== "closed";

const renderInUse = (providers: readonly Provider[], view: ListView): Html =>
  longTable(
    {
      name: "Providers in use",
      head: [
        ...["Provider", "Calls", "Failures", "Breaker", "Quota", "Terms", "Never read from real bytes", "Last error"],
        "Use",
      ],
      rows: providers
        .filter((one) => isShown(one, view.asked.show))
        .map((one) => [
          mark(one.ok, one.provider),
          one.calls,
          one.failures,
          one.breaker,
          one.quotas.map(({ period, spent, limit }) => `${spent} of ${limit} a ${period}`).join(", ") || "-",
          one.terms,
          one.imagined.join(", ") || "-",
          one.last_error ?? "-",
          html`<a href="${BACK}?provider=${one.provider}" aria-label="Switch ${one.provider} off">Off…</a>`,
        ]),
    },
    view,
  );

const renderOff = (providers: readonly Provider[], csrf: string, view: ListView): Html =>
  longTable(
    {
      name: "What a key or a licence would add",
      head: ["Provider", "Set", "It adds", "Where to get it", "Use"],
      rows: providers.map((one) => [
        one.provider,
        one.why_off,
        renderAdds(one.adds) || "nothing by itself",
        html`<a href="${one.docs_url}" rel="noopener noreferrer nofollow">${one.title}</a>`,
        one.is_switched
          ? form({
              op: "providers_on",
              button: "Use",
              csrf,
              back: BACK,
              about: `Use ${one.provider} again`,
              hidden: { provider: one.provider },
            })
          : "-",
      ]),
      param: "off_page",
    },
    view,
  );

export const renderSources = (
  { facilitators, networks_left_out, providers }: SourcesAnswer,
  csrf: string,
  view: ListView,
): Html =>
  html`<h2>Facilitators</h2>${table(
    "Facilitators",
    ["Facilitator", "Networks", "Asked", "Last error", "To see to"],
    facilitators.map((one) => [
      mark(one.ok, one.id),
      one.networks.join(", ") || "-",
      showTime(one.last_check),
      one.last_error ?? "-",
      [...one.warnings, ...networks_left_out.filter(({ network }) => one.networks.includes(network))]
        .map(({ network, why }) => `${network}: ${why}`)
        .join("; ") || "-",
    ]),
  )}<h2>Providers in use</h2>${renderInUse(
    providers.filter(({ why_off }) => why_off === null),
    view,
  )}<h2>What a key or a licence would add</h2>${renderOff(
    providers.filter(({ why_off }) => why_off !== null),
    csrf,
    view,
  )}`;

/** The list of products that would go off sale with a provider, shown before the switch. */
export const renderProviderOff = (effect: ProviderOffAnswer, provider: string, csrf: string): Html =>
  html`<h2>No longer sold without ${provider}</h2>${table(
    "No longer sold",
    ["Product", "Why"],
    [
      ...effect.no_longer_sold.map(({ path, why }) => [path, why]),
      ...effect.values_no_longer_sold.map((value) => [value, "nobody else has it"]),
    ],
  )}<h2>Sold with one source less</h2><p>${effect.lose_a_source.join(", ") || "None."}</p>
<h2>Jobs that rest</h2><p>${effect.jobs_that_rest.join(", ") || "None."}</p>${form({
    op: "providers_off",
    button: `Switch ${provider} off`,
    csrf,
    back: BACK,
    hidden: { provider, yes: "true" },
    fields: [
      { name: "reason", label: "Reason, public" },
      { name: "until", label: "Until, UTC", hint: "2026-12-31" },
    ],
  })}<p><a href="${BACK}">All sources</a></p>`;
