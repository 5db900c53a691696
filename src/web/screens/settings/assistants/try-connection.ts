/** What a try of the connection came to, in a sentence. */
export interface Tried {
  readonly works: boolean;
  readonly sentence: string;
}

/** Asks as an assistant does, which tools there are for this token; the token goes nowhere else and is not kept. */
export async function tryConnection(token: string, send: typeof fetch = fetch): Promise<Tried> {
  if (!/^mgl_[0-9A-Za-z]+$/.test(token)) return { works: false, sentence: 'A token of Mergelight begins with mgl_.' };
  try {
    const answer = await send('/mcp', {
      method: 'POST',
      credentials: 'omit',
      headers: {
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
    });
    const text = await answer.text();
    if (!answer.ok) return { works: false, sentence: errorIn(text) ?? `Request failed: ${answer.status}` };
    const count = toolsIn(text);
    return count === null
      ? { works: false, sentence: 'The answer is none of an assistant’s server.' }
      : { works: true, sentence: `It works: this token has ${count} tools.` };
  } catch {
    return { works: false, sentence: 'The server could not be reached.' };
  }
}

function errorIn(text: string): string | null {
  try {
    const { error } = JSON.parse(text) as { error?: unknown };
    return typeof error === 'string' ? error : null;
  } catch {
    return null;
  }
}

/** How many tools an answer lists, be it JSON or an event of a stream that holds it; null where it lists none. */
function toolsIn(text: string): number | null {
  const data = /^data: (.*)$/m.exec(text)?.[1] ?? text;
  try {
    const { result } = JSON.parse(data) as { result?: { tools?: unknown[] } };
    return Array.isArray(result?.tools) ? result.tools.length : null;
  } catch {
    return null;
  }
}
