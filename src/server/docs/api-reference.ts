import { escaped } from '../http/html.ts';
import type { OpenApiDocument, Operation, Parameter, Schema } from '../http/openapi.ts';

/** A call as the page shows it. */
interface Call {
  readonly method: string;
  readonly path: string;
  readonly anchor: string;
  readonly operation: Operation;
}

/** What a reader is told about texts of the contract: where a file of the documentation is, and which calls there are. */
interface Links {
  readonly calls: ReadonlyMap<string, string>;
  readonly titleOf: (file: string) => { slug: string; title: string } | undefined;
}

/** Numbers beyond it are no limit that a reader has to know. */
const NO_LIMIT = 2_147_483_647;

/** `GET /api/pr/{repoOwner}` as `get-api-pr-repoowner`. */
export const anchorOfCall = (method: string, path: string) =>
  `${method}${path}`
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

/** The calls of an OpenAPI document as a page for people: what `main` holds, without the frame around it. */
export function apiReference(document: OpenApiDocument, titleOf: Links['titleOf']): string {
  const calls = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]): Call => {
      const name = method.toUpperCase();
      return { method: name, path, anchor: anchorOfCall(name, path), operation };
    }),
  );
  const links = { calls: new Map(calls.map(({ method, path, anchor }) => [`${method} ${path}`, anchor])), titleOf };
  const origin = document.servers[0]?.url ?? '';
  const groups = document.tags.map(({ name, description }) => {
    const own = calls.filter(({ operation }) => operation.tags.includes(name));
    return { name, description, anchor: `group-${anchorOfCall('', name)}`, own };
  });
  const contents = groups.map(
    ({ name, anchor, own }) => `<section data-group>
<p id="of-${anchor}"><a href="#${anchor}">${escaped(name)}</a></p>
<ul aria-labelledby="of-${anchor}">${own
      .map(
        (call) =>
          `<li data-words="${wordsOf(call, name)}"><a href="#${call.anchor}">${methodOf(call.method)}<span>${broken(call.path)}</span></a></li>`,
      )
      .join('')}</ul>
</section>`,
  );
  const parts = groups.map(
    ({ name, description, anchor, own }) => `<section data-group aria-labelledby="${anchor}">
<h2 id="${anchor}">${escaped(name)}</h2>
<p>${inWords(description, links)}</p>
${own.map((call) => callHtml(call, name, origin, document, links)).join('\n')}
</section>`,
  );
  return `<a class="skip" href="#api">Skip to the calls</a>
<nav aria-label="Calls">
<div class="find" role="search"><label for="find">Find a call <kbd>/</kbd></label>
<input id="find" type="search" autocomplete="off" spellcheck="false" placeholder="Path, words or a scope">
<p id="found" role="status">${calls.length} calls</p></div>
<details open><summary>All calls</summary>
${contents.join('\n')}
</details>
</nav>
<div id="api" tabindex="-1">
<h1>API reference</h1>
<div data-introduction>${introduction(calls, origin, document, links)}</div>
<p class="none" id="none" hidden>No call has all of these words. <button type="button">Show all calls</button></p>
${parts.join('\n')}
${sentHtml(document, links)}
</div>`;
}

/** What a search looks at, in lower case. */
function wordsOf({ method, path, operation }: Call, group: string): string {
  const scopes = scopesOf(operation);
  const access = operation.security === undefined ? 'open' : scopes.length > 0 ? scopes.join(' ') : 'session';
  const names = operation.parameters.map(({ name }) => name).join(' ');
  const text = `${method} ${path} ${operation.operationId} ${operation.summary} ${names} ${group} ${access}`;
  return escaped(text.toLowerCase());
}

const scopesOf = ({ security = [] }: Operation) => [...new Set(security.flatMap(({ token = [] }) => token))];

const methodOf = (method: string) => `<span class="method ${method.toLowerCase()}">${method}</span>`;
/** A path may break before each of its parts. */
const broken = (path: string) => escaped(path).replace(/(?!^)\//g, '<wbr>/');

function introduction(calls: readonly Call[], origin: string, document: OpenApiDocument, links: Links): string {
  const byToken = calls.filter(({ operation }) => scopesOf(operation).length > 0).length;
  const limits = links.titleOf('docs/server.md') === undefined ? '' : '/docs/server#personal-tokens';
  const common = document.components.responses.Error;
  return `<p>The ${calls.length} calls that this server answers, made from <a href="/api/openapi.json">its OpenAPI document</a>. ${byToken} of them answer to a personal token: make one in <a href="/settings/tokens">Settings, Tokens</a> and send it as a header. A token reads what its owner reads and changes nothing.</p>
${codeHtml(`curl -H "Authorization: Bearer mgl_YOUR_TOKEN" "${origin}/api/team-stats"`, 'the first request')}
<ul>
<li>Instants are ISO 8601 in UTC, durations hours and not rounded, shares 0 to 1. What is not known is <code>null</code>, never 0.</li>
<li>A token may make 120 requests a minute, 5,000 an hour, and four at once, unless whoever runs this server set others; the headers <code>RateLimit-*</code> say how many are left (<a href="${limits}">Personal tokens</a>).</li>
<li>Assistants ask by the Model Context Protocol at <code>${escaped(origin)}/mcp</code>: <a href="/settings/assistants">Settings, Assistants</a> says how.</li>
</ul>
<h2 id="errors">Errors</h2>
<p>Every error is JSON of this shape, whatever was asked for:</p>
${treeHtml(document.components.schemas.Error, links)}
<p>Beside those that stand with it, every call can answer:</p>
${errorTable(common === undefined ? [] : [['…', common]], document, links)}`;
}

function callHtml(call: Call, group: string, origin: string, document: OpenApiDocument, links: Links): string {
  const { method, path, anchor, operation } = call;
  const parameters = (place: Parameter['in']) => operation.parameters.filter((parameter) => parameter.in === place);
  const answers = Object.entries(operation.responses).filter(([status]) => /^2/.test(status));
  const failures = Object.entries(operation.responses).filter(([status]) => /^[45]\d\d$/.test(status));
  const body = operation.requestBody?.content['application/json']?.schema;
  const inputs = [
    ['In the path', parameters('path').map((each) => parameterHtml(each, links))],
    ['In the query', parameters('query').map((each) => parameterHtml(each, links))],
    ['In the body, as JSON', body === undefined ? [] : [treeHtml(body, links, true)]],
  ] as const;
  return `<section class="call" id="${anchor}" data-words="${wordsOf(call, group)}" aria-labelledby="name-${anchor}">
<h3 id="name-${anchor}"><a href="#${anchor}">${methodOf(method)} <code>${broken(path)}</code></a></h3>
<p>${inWords(operation.summary, links)}${operation.description === undefined ? '' : ` ${inWords(operation.description, links)}`}</p>
<p class="access">${accessOf(operation)}</p>
${examplesOf(call, origin)
  .map(([about, example]) => codeHtml(example, `${about} ${method} ${path}`))
  .join('\n')}
${inputs
  .filter(([, items]) => items.length > 0)
  .map(([name, items]) => {
    const list = items.join('');
    return `<h4>${name}</h4>\n${list.startsWith('<li') ? `<ul class="tree">${list}</ul>` : list}`;
  })
  .join('\n')}
${answersHtml(answers, links)}
<details><summary>Errors <span>${[...new Set(failures.map(([status]) => status))].join(', ')}</span></summary>
${errorTable(failures, document, links)}<p>And <a href="#errors">those of every call</a>.</p></details>
</section>`;
}

function accessOf(operation: Operation): string {
  if (operation.security === undefined) return '<span class="chip">open</span> Needs no sign-in.';
  const scopes = scopesOf(operation);
  if (scopes.length === 0)
    return '<span class="chip">session only</span> For whoever is signed in, in a browser: no token may make it.';
  return `${scopes.map((scope) => `<span class="chip">${escaped(scope)}</span>`).join(' or ')} For a token with ${
    scopes.length === 1 ? 'this scope' : 'the scope that its address asks for'
  }, or whoever is signed in.`;
}

type Answered = readonly (readonly [string, Operation['responses'][string]])[];

/** Each way in which the call answers, once: several statuses may have one shape. */
function answersHtml(answers: Answered, links: Links): string {
  const statuses = answers.map(([status]) => status).join(' or ');
  const content = Object.entries(answers[0]?.[1].content ?? {});
  if (content.length === 0) return `<p class="nothing"><strong>Answer ${statuses}</strong> without a body.</p>`;
  return content
    .map(([media, { schema, example }]) => {
      const given = example === undefined ? '' : codeHtml(JSON.stringify(example, null, 2), 'an answer of this call');
      const about = `${escaped(media)} · ${schema === undefined ? 'a file' : typeOf(schema).words}`;
      return `<details><summary>Answer ${statuses} <span>${about}</span></summary>
${schema === undefined ? '' : treeHtml(schema, links)}${given}</details>`;
    })
    .join('\n');
}

function errorTable(failures: Answered, document: OpenApiDocument, links: Links): string {
  const rows = failures.flatMap(([status, { content }]) =>
    Object.keys(content?.['application/json']?.examples ?? {}).map((code) => {
      const sentence = document.components.examples[code]?.summary ?? '';
      const shown = /^\d/.test(status) ? status : document.components.examples[code]?.['x-status'];
      return `<tr><td>${shown}</td><td><code>${code}</code></td><td>${inWords(sentence, links)}</td></tr>`;
    }),
  );
  return `<div class="wide" tabindex="0"><table class="errors"><thead><tr><th>Status</th><th>Code</th><th>Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
}

/** By which request it is made, as a person would type it; none where only the browser makes it. */
function examplesOf({ method, path, operation }: Call, origin: string): (readonly [string, string])[] {
  const isOpen = operation.security === undefined;
  if (!isOpen && scopesOf(operation).length === 0) return [];
  const named = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => named(name));
  const query = operation.parameters
    .filter((each) => each.in === 'query' && each.required)
    .map(({ name, schema }) => `${name}=${schema['x-values']?.[0] ?? schema.enum?.[0] ?? named(name)}`);
  const address = `"${origin}${filled}${query.length > 0 ? `?${query.join('&')}` : ''}"`;
  const header = isOpen ? [] : ['-H "Authorization: Bearer mgl_YOUR_TOKEN"'];
  const media = Object.keys(Object.values(operation.responses)[0]?.content ?? {});
  const request = (more: readonly string[]) =>
    ['curl', ...(method === 'GET' ? [] : [`-X ${method}`]), ...header, ...more, address].join(' ');
  return [
    ['the request', request([])],
    ...media.slice(1).map((each) => [`the request for ${each} of`, request([`-H "Accept: ${each}"`])] as const),
  ];
}

function codeHtml(code: string, about: string): string {
  return `<div class="code"><pre tabindex="0"><code>${escaped(code)}</code></pre><button type="button" data-copy aria-label="Copy ${escaped(about)}">Copy</button></div>`;
}

function parameterHtml({ name, required, description, schema }: Parameter, links: Links): string {
  return fieldHtml(name, { ...schema, ...(description !== undefined && { description }) }, required, links, true);
}

/** The fields of a shape, nested as they are; of a list those of its elements. */
function treeHtml(schema: Schema, links: Links, isInput = false): string {
  const { words, objects, limits } = typeOf(schema, isInput);
  const fields = objects.map((each) => fieldsHtml(each, links, isInput));
  const about = schema.description === undefined ? '' : ` ${inWords(schema.description, links)}`;
  if (fields.length === 0) return `<p class="shape">${words}${limits}.${about}</p>`;
  const lead = words === 'object' && about === '' ? '' : `<p class="shape">${words}${limits}.${about}</p>`;
  return `${lead}${fields.join('<p class="shape">or</p>')}`;
}

function fieldsHtml(schema: Schema, links: Links, isInput: boolean): string {
  const required = new Set(schema.required);
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) =>
    fieldHtml(name, field, required.has(name), links, isInput),
  );
  return `<ul class="tree">${fields.join('')}</ul>`;
}

function fieldHtml(name: string, schema: Schema, required: boolean, links: Links, isInput: boolean): string {
  const { words, objects, limits, nullable } = typeOf(schema, isInput);
  const marks = [
    nullable ? 'or null' : '',
    isInput && required ? '<strong>required</strong>' : '',
    !isInput && !required ? 'may be left out' : '',
    schema.default === undefined ? '' : `default <code>${escaped(String(schema.default))}</code>`,
  ].filter((mark) => mark !== '');
  const type = [`${words}${limits}`, ...marks].join(' · ');
  const about = schema.description === undefined ? '' : `<p>${inWords(schema.description, links)}</p>`;
  const nested = objects.map((each) => fieldsHtml(each, links, isInput)).join('<p class="shape">or</p>');
  return `<li><code>${escaped(name)}</code> <span class="type">${type}</span>${about}${nested}</li>`;
}

interface Type {
  /** HTML. */
  readonly words: string;
  readonly limits: string;
  readonly nullable: boolean;
  /** Those of its shapes that have fields, found through lists and choices. */
  readonly objects: readonly Schema[];
}

function typeOf(schema: Schema, isInput = false): Type {
  const choices = (schema.anyOf ?? schema.oneOf ?? []).filter(({ type }) => type !== 'null');
  const types = [schema.type ?? []].flat();
  const nullable = types.includes('null') || (schema.anyOf ?? schema.oneOf ?? []).some(({ type }) => type === 'null');
  const isSeveral = isInput && choices.length === 2 && choices[0]?.type === 'string' && choices[1]?.type === 'array';
  if (isSeveral || schema['x-values'] !== undefined) {
    const values = schema['x-values'];
    const words = values === undefined ? 'one or several' : `any of ${listOf(values)}`;
    return { words: `${words}, with commas between`, limits: '', nullable, objects: [] };
  }
  if (choices.length > 0) {
    const inner = choices.map((choice) => typeOf(choice, isInput));
    const only = inner.length === 1 ? inner[0] : undefined;
    const words = [...new Set(inner.map((each) => `${each.words}${only ? '' : each.limits}`))].join(' or ');
    const objects = inner.flatMap((each) => each.objects);
    return { words: withUnit(words, schema), limits: only?.limits ?? '', nullable, objects };
  }
  if (schema.enum !== undefined) return { words: listOf(schema.enum), limits: '', nullable, objects: [] };
  if (schema.const !== undefined)
    return { words: `<code>${escaped(String(schema.const))}</code>`, limits: '', nullable, objects: [] };
  if (schema.items !== undefined) {
    const { words, objects } = typeOf(schema.items, isInput);
    const plural = /^[\w ]+$/.test(words) ? `${words}s` : words;
    return { words: `list of ${plural}`, limits: lengthOf(schema.minItems, schema.maxItems, ''), nullable, objects };
  }
  const inner = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;
  if (inner !== undefined && Object.keys(inner).length > 0 && schema.properties === undefined) {
    const keys = schema.propertyNames?.enum;
    const { words, objects } = typeOf(inner, isInput);
    return { words: `${words} by key${keys === undefined ? '' : ` (${listOf(keys)})`}`, limits: '', nullable, objects };
  }
  const [type = 'any value'] = types.filter((each) => each !== 'null');
  if (type === 'object') return { words: 'object', limits: '', nullable, objects: schema.properties ? [schema] : [] };
  const words = { string: wordsOfFormat[schema.format ?? ''] ?? 'text', ...wordsOfType }[type] ?? type;
  const limits =
    type === 'string'
      ? lengthOf(schema.minLength === 1 ? undefined : schema.minLength, schema.maxLength, ' letters')
      : lengthOf(schema.minimum === 0 && !isInput ? undefined : schema.minimum, schema.maximum, '');
  return {
    words: withUnit(words, schema),
    limits: schema['x-unit'] === undefined ? limits : '',
    nullable,
    objects: [],
  };
}

const wordsOfFormat: Record<string, string> = {
  'date-time': 'instant',
  date: 'day',
  uuid: 'id (UUID)',
  uri: 'address',
  email: 'mail address',
  binary: 'file',
};
const wordsOfType: Record<string, string> = {
  integer: 'whole number',
  number: 'number',
  boolean: '<code>true</code> or <code>false</code>',
};
const unitsInWords: Record<string, string> = { hours: 'hours', share: 'share, 0 to 1', percent: 'percent' };

const withUnit = (words: string, { 'x-unit': unit }: Schema) =>
  unit === undefined ? words : (unitsInWords[unit] ?? unit);

const listOf = (values: readonly unknown[]) =>
  values.map((value) => `<code>${escaped(String(value))}</code>`).join(', ');

function lengthOf(least: number | undefined, most: number | undefined, of: string): string {
  const from = least === undefined || least <= -NO_LIMIT ? undefined : least;
  const to = most === undefined || most >= NO_LIMIT ? undefined : most;
  if (from !== undefined && to !== undefined) return `, ${from} to ${to.toLocaleString('en')}${of}`;
  if (to !== undefined) return `, up to ${to.toLocaleString('en')}${of}`;
  return from === undefined || from === 1 ? '' : `, ${from} or more${of}`;
}

/** A text of the contract as HTML: `code`, calls and files of the documentation lead there. */
function inWords(text: string, { calls, titleOf }: Links): string {
  return text
    .split(/(`[^`]+`)/)
    .map((part) => {
      if (!/^`.+`$/.test(part))
        return escaped(part).replace(/\bdocs\/\w+\.md(#[\w-]+)?/g, (name, anchor: string = '') => {
          const document = titleOf(name.split('#')[0] ?? '');
          return document === undefined ? name : `<a href="/docs/${document.slug}${anchor}">${document.title}</a>`;
        });
      const code = part.slice(1, -1);
      const anchor = calls.get(code);
      const html = `<code>${escaped(code)}</code>`;
      return anchor === undefined ? html : `<a href="#${anchor}">${html}</a>`;
    })
    .join('');
}

/** What the server sends by itself. */
function sentHtml(document: OpenApiDocument, links: Links): string {
  const sent = Object.entries(document.webhooks).flatMap(([name, operations]) =>
    Object.entries(operations).map(([method, { summary, requestBody }]) => {
      const schema = requestBody?.content['application/json']?.schema;
      return `<section class="call" id="sent-${name}" aria-labelledby="name-sent-${name}">
<h3 id="name-sent-${name}"><a href="#sent-${name}">${methodOf(method.toUpperCase())} <code>your address</code></a></h3>
<p>${inWords(summary, links)}</p>
<details><summary>Body <span>application/json</span></summary>${schema === undefined ? '' : treeHtml(schema, links)}</details>
</section>`;
    }),
  );
  return `<section data-sent aria-labelledby="sent"><h2 id="sent">What is sent to you</h2>${sent.join('')}</section>`;
}
