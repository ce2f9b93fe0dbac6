/** What `bun src/tools/examples.ts` writes into `example.gen.json`: an answer of a sandbox, trimmed. */
export interface MadeExample {
  readonly as_of: string;
  readonly data: unknown;
}

/**
 * A product's example: the call, which its author chooses, and the sandbox's answer to it, which is generated.
 * @param params of the call.
 * @param made the contents of `example.gen.json`. JSON does not carry types: test/contract/catalog.test.ts checks it
 * against the product's schema.
 */
export const exampleOf = <const P>(params: P, made: MadeExample): { params: P; as_of: string; data: never } => ({
  params,
  as_of: made.as_of,
  data: made.data as never,
});
