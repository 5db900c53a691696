import { z } from 'zod';
import { type Endpoint, scopesOfCall } from '#contract/endpoint.ts';
import { endpoints } from '#contract/endpoints.ts';
import { errorAnswer } from '#contract/errors.ts';
import { webhookBody } from '#contract/notifications.ts';
import { tokenScopes } from '#domain/personal-tokens.ts';
import { sessionCookieOf } from './session-cookie.ts';

const json = (shape: z.ZodType, io: 'input' | 'output') => ({
  'application/json': { schema: z.toJSONSchema(shape, { io, unrepresentable: 'any', target: 'draft-2020-12' }) },
});

/** Describes every call as an OpenAPI 3.1 document, from the very shapes that validate it (docs/server.md#calls-and-errors). */
export function openApiDocument(public_url: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const [name, entry] of Object.entries<Endpoint>(endpoints)) {
    paths[entry.path] = { ...paths[entry.path], [entry.method.toLowerCase()]: operation(name, entry) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Mergelight', version: '1', description: 'How a team’s pull requests really flow.' },
    servers: [{ url: public_url }],
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
      responses: { Error: { description: 'What went wrong, in a sentence.', content: json(errorAnswer, 'output') } },
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

function operation(name: string, entry: Endpoint): object {
  const answered = { description: entry.summary, ...(entry.answer && { content: contentOf(entry) }) };
  return {
    operationId: name,
    summary: entry.summary,
    ...(entry.access === 'session' && {
      security: [{ session: [] }, ...scopesOfCall(entry).map((scope) => ({ token: [scope] }))],
    }),
    parameters: [...parameters(entry.params, 'path'), ...parameters(entry.query, 'query')],
    ...(entry.body && { requestBody: { required: true, content: json(entry.body, 'input') } }),
    responses: {
      ...Object.fromEntries([entry.status, ...(entry.alsoStatus ?? [])].map((status) => [status, answered])),
      default: { $ref: '#/components/responses/Error' },
    },
  };
}

function contentOf(entry: Endpoint): object {
  if (entry.answer === undefined) return {};
  if (entry.media === 'events')
    return { 'text/event-stream': { schema: z.toJSONSchema(entry.answer, { unrepresentable: 'any' }) } };
  if (entry.media === 'json or file')
    return { ...json(entry.answer, 'output'), 'text/csv': { schema: { type: 'string' } } };
  return json(entry.answer, 'output');
}

function parameters(shape: z.ZodType | undefined, place: 'path' | 'query'): object[] {
  if (shape === undefined) return [];
  const { properties = {}, required = [] } = z.toJSONSchema(shape, { io: 'input', unrepresentable: 'any' });
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema,
  }));
}
