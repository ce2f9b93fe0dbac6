/** The attributes of a span: our own names and counts. Never a secret, an address, a payer or a word of a buyer's. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanForm<T> {
  readonly name: string;
  /** "client": somebody else's machine is waited for. Default: this node's own work. */
  readonly kind?: "client";
  readonly attributes?: SpanAttributes;
  /** What is added when the work has its result. */
  readonly outcome?: (result: Awaited<T>) => SpanAttributes;
}

export interface RequestForm<T> extends SpanForm<T> {
  /** Where a trace that was begun elsewhere is named; null where nobody's word on that counts. */
  readonly from: Headers | null;
}

/** Tells a collector what requests spend their time on. There is no tracer unless traces are on. */
export interface Tracer {
  /** Runs the work of one request in the first span of its trace. */
  request<T>(form: RequestForm<T>, work: () => T): T;
  /**
   * Runs work in a span under the one it was called in. Outside a traced request, or after its answer, the work is
   * only run: jobs are not traced.
   */
  span<T>(form: SpanForm<T>, work: () => T): T;
  /** Sends what is left, once. Never rejects. */
  stop(): Promise<void>;
}
