import { z } from 'zod';
import { errorsOfCall, errorsOfEveryCall } from '#contract/call-errors.ts';
import { type Endpoint, scopesOfCall } from '#contract/endpoint.ts';
import { type EndpointName, endpoints } from '#contract/endpoints.ts';
import { type ErrorCode, errorAnswer, errorCodes } from '#contract/errors.ts';
import { groupOf, groups } from '#contract/groups.ts';
import { webhookBody } from '#contract/notifications.ts';
import { tokenScopes } from '#domain/personal-tokens.ts';
import { sessionCookieOf } from './session-cookie.ts';
import { type AnswerTable, tableOf } from './table.ts';

/** What of JSON Schema the shapes of the contract come to. `x-unit` is hours, share or percent; of a text with commas `x-values` are its parts. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly propertyNames?: Schema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly 'x-unit'?: string;
  readonly 'x-values'?: readonly string[];
}

type Content = Readonly<
  Record<string, { readonly schema?: Schema; readonly example?: unknown; readonly examples?: object }>
>;

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  /** Absent of what is open to all. */
  readonly security?: readonly { readonly session?: readonly string[]; readonly token?: readonly string[] }[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<
    Record<string, { readonly $ref?: string; readonly description?: string; readonly content?: Content }>
  >;
}

export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly components: {
    readonly securitySchemes: object;
    readonly schemas: { readonly Error: Schema };
    readonly examples: Readonly<
      Record<string, { readonly summary: string; readonly 'x-status': number; readonly value: object }>
    >;
    readonly responses: { readonly Error: Operation['responses'][string] };
  };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<
    Record<string, Readonly<Record<string, Pick<Operation, 'summary' | 'requestBody' | 'responses'>>>>
  >;
}

/** `format` says what the patterns of moments and ids say. Answers stay open: names may come. */
const schemaOf = (shape: z.ZodType, io: 'input' | 'output') =>
  z.toJSONSchema(shape, {
    ...{ io, unrepresentable: 'any', target: 'draft-2020-12' },
    override({ jsonSchema }) {
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
      if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  }) as Schema;

const json = (shape: z.ZodType, io: 'input' | 'output') => ({
  'application/json': { schema: schemaOf(shape, io) },
});

const documents = new Map<string, OpenApiDocument>();

/**
 * Describes every call as an OpenAPI 3.1 document, from the very shapes that validate it (docs/server.md#calls-and-errors). It is made once
 * for each address, and only when it is asked for.
 */
export function openApiDocument(public_url: string): OpenApiDocument {
  const document = documents.get(public_url) ?? describeCalls(public_url);
  documents.set(public_url, document);
  return document;
}

function describeCalls(public_url: string): OpenApiDocument {
  const paths: Record<string, Record<string, Operation>> = {};
  for (const [name, entry] of Object.entries<Endpoint>(endpoints) as [EndpointName, Endpoint][]) {
    paths[entry.path] = { ...paths[entry.path], [entry.method.toLowerCase()]: operation(name, entry) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Mergelight', version: '1', description: 'How a team’s pull requests really flow.' },
    servers: [{ url: public_url }],
    tags: groups.map(({ name, about }) => ({ name, description: about })),
    components: {
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: sessionCookieOf(public_url) },
        token: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'mgl_…',
          description: `A personal token from the settings, as far as its scopes go: ${tokenScopes.join(', ')}. Any of those that a call names is needed.`,
        },
      },
      schemas: { Error: schemaOf(errorAnswer, 'output') },
      examples: Object.fromEntries(
        Object.entries(errorCodes).map(([code, [status, error]]) => [
          code,
          { summary: error, 'x-status': status, value: { error, code, request_id: 'req-1' } },
        ]),
      ),
      responses: { Error: errorResponse('What every call can answer.', errorsOfEveryCall) },
    },
    paths,
    webhooks: {
      notification: {
        post: {
          summary: 'What a channel of the type webhook is sent (docs/server.md#notifications).',
          requestBody: { required: true, content: json(webhookBody, 'output') },
          responses: { '2XX': { description: 'Taken.' } },
        },
      },
    },
  };
}

/** The answers by which calls fail, each code as an example by its name. */
const errorResponse = (description: string, codes: readonly ErrorCode[]) => ({
  description,
  content: {
    'application/json': {
      schema: { $ref: '#/components/schemas/Error' },
      examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
    },
  },
});

function errorResponses(name: EndpointName): Operation['responses'] {
  const byStatus = Map.groupBy(errorsOfCall(name), (code) => errorCodes[code][0]);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      errorResponse(codes.map((code) => errorCodes[code][1]).join(' '), codes),
    ]),
  );
}

function operation(name: EndpointName, entry: Endpoint): Operation {
  const table = tableOf(entry);
  const content = contentOf(entry, table);
  const answered = {
    description: entry.summary,
    ...(table !== null && { headers: csvHeaders }),
    ...(content && { content }),
  };
  return {
    operationId: name,
    tags: [groupOf(entry)],
    summary: entry.summary,
    ...(entry.access === 'session' && {
      security: [{ session: [] }, ...scopesOfCall(entry).map((scope) => ({ token: [scope] }))],
    }),
    parameters: [
      ...parameters(entry.params, 'path'),
      ...parameters(entry.query, 'query'),
      ...(table === null ? [] : csvParameters(table)),
    ],
    ...(entry.body && { requestBody: { required: true, content: json(entry.body, 'input') } }),
    responses: {
      ...Object.fromEntries([entry.status, ...(entry.alsoStatus ?? [])].map((status) => [status, answered])),
      ...errorResponses(name),
      default: { $ref: '#/components/responses/Error' },
    },
  };
}

/** A CSV has all rows unless `limit` is given; where it is cut it says so. */
const csvHeaders = {
  'X-Truncated': { description: 'true of a CSV that lacks rows: it has the first 100,000.', schema: { const: 'true' } },
  'X-Total-Count': { description: 'Of how many rows, with X-Truncated.', schema: { type: 'integer' } },
};

function csvParameters({ parts }: AnswerTable): Parameter[] {
  const parameter = (name: string, description: string, schema: Schema): Parameter => ({
    ...{ name, in: 'query', required: false, description, schema },
  });
  const part = 'Of a CSV: a row for each element of this list instead, behind the columns of what it is in.';
  return [
    parameter('format', 'Instead of Accept.', { type: 'string', enum: ['json', 'csv'], default: 'json' }),
    ...(parts.length === 0 ? [] : [parameter('part', part, { type: 'string', enum: parts })]),
  ];
}

/** In which of its formats a file is sent, the request says. */
const fileTypes = ['text/csv', 'application/json', 'application/pdf'];

function contentOf(entry: Endpoint, table: AnswerTable | null): Content | undefined {
  if (entry.media === 'file')
    return Object.fromEntries(fileTypes.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]));
  if (entry.answer === undefined) return undefined;
  if (entry.media === 'events') return { 'text/event-stream': { schema: schemaOf(entry.answer, 'output') } };
  // Each line is one of them.
  if (entry.media === 'lines')
    return { 'application/x-ndjson': { schema: schemaOf((entry.answer as z.ZodArray<z.ZodType>).element, 'output') } };
  return { ...json(entry.answer, 'output'), ...(table !== null && { 'text/csv': { schema: { type: 'string' } } }) };
}

function parameters(shape: z.ZodType | undefined, place: 'path' | 'query'): Parameter[] {
  if (shape === undefined) return [];
  const { properties = {}, required = [] } = schemaOf(shape, 'input');
  return Object.entries(properties).map(([name, described]) => {
    const { description, ...schema } = described;
    const isRequired = place === 'path' || required.includes(name);
    return { name, in: place, required: isRequired, ...(description !== undefined && { description }), schema };
  });
}
