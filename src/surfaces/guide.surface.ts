import guide from "../../docs/agent.md" with { type: "text" };
import { GUIDE_PAGE_PATH, GUIDE_PATH } from "./guide-path.ts";
import { defineSurface, type Rendered, type SurfaceModel } from "./types.ts";

/** The address that the guide's examples use. */
const EXAMPLE_URL = "https://node.example.com";
const EXAMPLE_HOST = "node.example.com";

/** docs/agent.md with this node's address: headers, keys, recovery and doors are in no other document. */
const renderGuide = ({ node }: Pick<SurfaceModel, "node">): string =>
  guide
    .replaceAll(EXAMPLE_URL, node.public_url)
    .replaceAll(EXAMPLE_HOST, new URL(node.public_url).host)
    .replaceAll("](buyers/README.md)", `](${node.public_url}/llms-full.txt)`);

const markdown = (model: SurfaceModel): Rendered => ({
  content_type: "text/markdown; charset=utf-8",
  body: renderGuide(model),
});

export const surfaces = [
  defineSurface({
    path: GUIDE_PATH,
    summary: "The guide for agents: paying, keys, recovery, MCP and A2A",
    content_type: "text/markdown",
    render: markdown,
  }),
  defineSurface({
    path: GUIDE_PAGE_PATH,
    summary: "The same guide, as a page in a browser",
    content_type: "text/markdown",
    render: markdown,
  }),
];
