import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { buildSchema, type GraphQLFieldResolver, type GraphQLSchema, isObjectType } from 'graphql';
import type { Context } from './context.ts';

/** How the fields of a type are answered from the state behind it: a value or a function of source, arguments and context. */
export type Fields<Source> = Record<
  string,
  (source: Source, args: Readonly<Record<string, unknown>>, context: Context) => unknown
>;

/** GitHub's published schema with the given answers. Throws for an answer to a field that the schema doesn't have. */
export function hostSchema(answers: Record<string, Fields<never>>): GraphQLSchema {
  // Without descriptions, two thirds of the text, it is parsed in less than half the time.
  const text = readFileSync(schemaFile(), 'utf8').replaceAll(/""".*?"""/gs, '');
  const schema = buildSchema(text, { assumeValid: true, assumeValidSDL: true, noLocation: true });
  for (const [typeName, fields] of Object.entries(answers)) {
    const type = schema.getType(typeName);
    if (!isObjectType(type)) throw new Error(`The published schema has no object type ${typeName}.`);
    const known = type.getFields();
    for (const [name, answer] of Object.entries(fields)) {
      const field = known[name];
      if (field === undefined) throw new Error(`The published schema has no field ${typeName}.${name}.`);
      field.resolve = answer as GraphQLFieldResolver<never, Context> as GraphQLFieldResolver<unknown, unknown>;
    }
  }
  return schema;
}

/** Where the published schema's text lies: its package exports a module only, which would load a megabyte more than is needed. */
function schemaFile(): string {
  const name = '@octokit/graphql-schema';
  const folders = createRequire(import.meta.url).resolve.paths(name) ?? [];
  const file = folders.map((folder) => join(folder, name, 'schema.graphql')).find((path) => existsSync(path));
  if (file === undefined) throw new Error(`The package ${name} is not installed: run npm install.`);
  return file;
}
