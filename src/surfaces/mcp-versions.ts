/** Revisions of the Model Context Protocol that /mcp speaks: the newest works without a handshake. */
export const MCP_MODERN = "2026-07-28";
/** Newest first. These begin with `initialize`. */
export const MCP_LEGACY = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;
export const MCP_VERSIONS: readonly string[] = [MCP_MODERN, ...MCP_LEGACY];

export const MCP_PATH = "/mcp";
export const MCP_SERVER_CARD_PATH = "/mcp/server-card";
