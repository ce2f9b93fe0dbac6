/** One family of samples, as Prometheus knows it. Money is in USD, times in seconds. */
export interface MetricFamily {
  /** snake_case with the unit, without the prefix and, for counters, without "_total". */
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram";
  /** Read at each scrape: nothing is counted for this page alone. */
  read(): readonly MetricSample[] | Promise<readonly MetricSample[]>;
}

export interface MetricSample {
  readonly value: number;
  /** A closed set of values each: never a payer, a key or text of strangers. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Of a histogram: "bucket", "sum" or "count". */
  readonly part?: "bucket" | "sum" | "count";
}

export interface MetricsPage {
  readonly content_type: string;
  readonly body: string;
}

/** Renders the families in the form a scraper asks for. */
export type RenderMetrics = (accept: string | null) => Promise<MetricsPage>;

const PREFIX = "intel_node_";
/** More samples of one family than this would be a mistake in its labels: a scraper is not to choke on it. */
const SAMPLES_MAX = 2_000;

/**
 * The page of metrics: OpenMetrics 1.0 where the scraper asks for it, else the older text format. prom-client is
 * loaded with the first scrape, so that a node nobody scrapes pays nothing for it.
 */
export function createMetricsPage(families: readonly MetricFamily[]): RenderMetrics {
  return async (accept) => {
    const { Registry } = await import("prom-client");
    const is_open = accept?.includes("application/openmetrics-text") === true;
    const type = is_open ? Registry.OPENMETRICS_CONTENT_TYPE : Registry.PROMETHEUS_CONTENT_TYPE;
    const registry = new Registry();
    registry.setContentType(type as typeof Registry.PROMETHEUS_CONTENT_TYPE);
    // What the registry renders of a metric is its `get`: ours are read elsewhere, once per scrape.
    const add = registry.registerMetric.bind(registry) as (metric: unknown) => void;
    for (const family of families) {
      add(toMetric(family, (await family.read()).slice(0, SAMPLES_MAX)));
    }
    return { content_type: registry.contentType, body: await registry.metrics() };
  };
}

function toMetric({ name, help, type }: MetricFamily, samples: readonly MetricSample[]): unknown {
  // Both formats call a counter by its name with "_total"; the registry itself adds it for OpenMetrics.
  const full = `${PREFIX}${name}${type === "counter" ? "_total" : ""}`;
  const values = samples.map(({ value, labels = {}, part }) => ({
    value,
    labels,
    ...(part === undefined ? {} : { metricName: `${full}_${part}` }),
  }));
  const metric = {
    name: full,
    help,
    type,
    // The registry takes "_total" off the name before it asks, when it renders OpenMetrics.
    get: async () => ({ name: metric.name, help, type, values }),
  };
  return metric;
}
