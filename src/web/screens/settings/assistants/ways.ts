/** How an assistant is connected: what to do, and what to put there. */
export interface Way {
  readonly key: string;
  readonly name: string;
  readonly what: string;
  readonly label: string;
  readonly text: (address: string) => string;
}

/** Where a token is to be put in. */
const TOKEN = 'mgl_YOUR_TOKEN';

const header = { Authorization: `Bearer ${TOKEN}` };
const json = (of: object) => JSON.stringify(of, null, 2);

export const ways: readonly Way[] = [
  {
    key: 'claude-code',
    name: 'Claude Code',
    what: 'Run this in a terminal, then ask “What waits for me?”',
    label: 'Command',
    text: (address) =>
      `claude mcp add --transport http mergelight ${address} --header "Authorization: ${header.Authorization}"`,
  },
  {
    key: 'cursor',
    name: 'Cursor',
    what: 'Put this into ~/.cursor/mcp.json, or .cursor/mcp.json of a project that nobody else reads.',
    label: 'mcp.json',
    text: (address) => json({ mcpServers: { mergelight: { url: address, headers: header } } }),
  },
  {
    key: 'vs-code',
    name: 'VS Code',
    what: 'Put this into mcp.json (“MCP: Open User Configuration”). VS Code asks for the token once and keeps it.',
    label: 'mcp.json',
    text: (address) =>
      json({
        inputs: [{ type: 'promptString', id: 'mergelight-token', description: 'Mergelight token', password: true }],
        servers: {
          mergelight: {
            type: 'http',
            url: address,
            // biome-ignore lint/suspicious/noTemplateCurlyInString: VS Code fills it in
            headers: { Authorization: 'Bearer ${input:mergelight-token}' },
          },
        },
      }),
  },
  {
    key: 'json',
    name: 'Others (JSON)',
    what: 'Most other clients take this, by Streamable HTTP with a header.',
    label: 'Configuration',
    text: (address) => json({ mcpServers: { mergelight: { type: 'http', url: address, headers: header } } }),
  },
];
