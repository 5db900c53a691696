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
