/** The tools that are known, as the wire names them; an agent's account that is none of these is called by its login. */
export const knownTools = [
  'aider',
  'amp',
  'claude',
  'cline',
  'codex',
  'copilot',
  'cursor',
  'devin',
  'gemini',
  'jules',
  'replit',
] as const;

/** How a tool writes itself: with a capital, except aider; one that is not known is called as its account is. */
export function toolName(tool: string): string {
  return tool === 'aider' || !knownTools.some((known) => known === tool)
    ? tool
    : tool.charAt(0).toUpperCase() + tool.slice(1);
}

/** How an AI reviewer is called: by its tool where that is known, else by the login of its account. */
export function nameOfReviewer(tool: string | undefined, login: string): string {
  return knownTools.some((known) => known === tool) ? toolName(tool!) : login.replace(/\[bot\]$/i, '');
}
