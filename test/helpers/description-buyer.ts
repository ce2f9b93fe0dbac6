import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Tool } from "@modelcontextprotocol/sdk/types.js";
import { newPayer } from "./demo-node.ts";
import { createPaymentPayload } from "./sign-for.ts";

type Members = Record<string, unknown>;

/** What the agent knows of whom it deals with, and the words by which a description asks for it. */
const KNOWN = [
  { asked: /^(EVM|Wallet on|Address on) /, value: "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045" },
  { asked: /^Name of /, value: "Example Shipping Company" },
  { asked: /^Address of the (peer|paid resource)/, value: "https://seller.sandbox.example/live" },
];

/** What came of a call that was paid for. */
export interface Bought {
  readonly data: Members | null;
  readonly problem: Members | null;
  readonly settlement: unknown;
}

/**
 * An agent with the official SDK and a wallet that read nothing but what tools/list says: it fills in what a
 * description asks for from what it knows, pays what it is told to, and reads the answer by the tool's own schema.
 */
export interface DescriptionBuyer {
  /** @param is_bare Leaves everything out, as far as a description allows. */
  buy(tool: string, is_bare?: boolean): Promise<Bought>;
  close(): Promise<void>;
}

async function listTools(client: Client): Promise<readonly Tool[]> {
  const found: Tool[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await client.listTools(cursor === undefined ? {} : { cursor });
    found.push(...page.tools);
    cursor = page.nextCursor;
    if (cursor === undefined) return found;
  }
}

/** What no description asks of it stays away. */
function fillIn({ inputSchema }: Tool): Members {
  const properties = Object.entries((inputSchema.properties ?? {}) as Record<string, { description?: string }>);
  return Object.fromEntries(
    properties.flatMap(([name, { description = "" }]) => {
      const known = KNOWN.find(({ asked }) => asked.test(description));
      return known ? [[name, known.value]] : [];
    }),
  );
}

/** A new wallet signs what the unpaid result asks for. */
async function sign(required: unknown): Promise<unknown> {
  const header = Buffer.from(JSON.stringify(required)).toString("base64");
  const challenge = new Response(null, { status: 402, headers: { "PAYMENT-REQUIRED": header } });
  return JSON.parse(Buffer.from(await createPaymentPayload(challenge, newPayer()), "base64").toString());
}

export async function createDescriptionBuyer(url: string): Promise<DescriptionBuyer> {
  const client = new Client({ name: "description-buyer", version: "1.0.0" });
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`));
  // The SDK's own types disagree under exactOptionalPropertyTypes.
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  const tools = await listTools(client);
  return {
    async buy(name, is_bare = false) {
      const tool = tools.find((one) => one.name === name);
      if (!tool) throw new Error(`there is no tool ${name}`);
      const args = is_bare ? {} : fillIn(tool);
      const asked = await client.callTool({ name, arguments: args });
      const payment = await sign(asked.structuredContent);
      // The SDK refuses an answer that is not as the tool's output schema says.
      const paid = await client.callTool({ name, arguments: args, _meta: { "x402/payment": payment } });
      const content = paid.structuredContent as Members;
      return {
        data: paid.isError ? null : (content.data as Members),
        problem: paid.isError ? content : null,
        settlement: paid._meta?.["x402/payment-response"],
      };
    },
    close: () => client.close(),
  };
}
