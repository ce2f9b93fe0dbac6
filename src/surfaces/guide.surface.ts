import guide from "../../docs/agent.md" with { type: "text" };
import { GUIDE_PATH } from "./guide-path.ts";
import { defineSurface } from "./types.ts";

/** The address that the guide's examples use. */
const EXAMPLE_URL = "https://node.example.com";
const EXAMPLE_HOST = "node.example.com";

/** docs/agent.md with this node's address: headers, keys, recovery and doors stand in no other document. */
export const surface = defineSurface({
  path: GUIDE_PATH,
  summary: "The guide for agents: paying, keys, recovery, MCP and A2A",
  content_type: "text/markdown",
  render: ({ node }) => ({
    content_type: "text/markdown; charset=utf-8",
    body: guide
      .replaceAll(EXAMPLE_URL, node.public_url)
      .replaceAll(EXAMPLE_HOST, new URL(node.public_url).host)
      .replaceAll("](buyers/README.md)", `](${node.public_url}/llms-full.txt)`),
  }),
});
