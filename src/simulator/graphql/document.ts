import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  GraphQLError,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
  type ValueNode,
  validate,
} from 'graphql';
import { type HostError, hostError } from './failures.ts';

/** A field as the price and the checks see it: what it asks for, and what lies below. */
export interface PlannedField {
  readonly name: string;
  readonly responseKey: string;
  readonly parentType: string;
  readonly node: FieldNode;
  readonly isConnection: boolean;
  /** It selects rows, not only counts. */
  asksRows: boolean;
  /** All of these must hold for the field to be asked (`@include`, `@skip`). */
  readonly conditions: readonly { readonly value: ValueNode; readonly wanted: boolean }[];
  readonly children: Map<string, PlannedField>;
}

export interface Operation {
  readonly name: string | null;
  readonly node: OperationDefinitionNode;
  readonly fields: ReadonlyMap<string, PlannedField>;
  /** Every field asked anywhere in it. */
  readonly all: readonly PlannedField[];
}

interface PreparedDocument {
  readonly document: DocumentNode | null;
  readonly errors: readonly HostError[];
  readonly operations: readonly Operation[];
}

/** Documents are parsed and checked once: a client sends the same few again and again. */
const KEPT_DOCUMENTS = 500;

/** Parses, validates against the schema and plans a document; the result is kept. Never throws: errors are in it. */
export function documentReader(schema: GraphQLSchema): (query: string) => PreparedDocument {
  const kept = new Map<string, PreparedDocument>();
  return (query) => {
    const known = kept.get(query);
    if (known !== undefined) return known;
    const prepared = prepare(schema, query);
    const oldest = kept.keys().next().value;
    if (kept.size >= KEPT_DOCUMENTS && oldest !== undefined) kept.delete(oldest);
    kept.set(query, prepared);
    return prepared;
  };
}

function prepare(schema: GraphQLSchema, query: string): PreparedDocument {
  let document: DocumentNode;
  try {
    document = parse(query);
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    return { document: null, errors: [hostError(error)], operations: [] };
  }
  const errors = validate(schema, document).map(hostError);
  if (errors.length > 0) return { document, errors, operations: [] };
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const node of document.definitions) {
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node);
  }
  const operations: Operation[] = [];
  for (const node of document.definitions) {
    if (node.kind !== Kind.OPERATION_DEFINITION) continue;
    const root = schema.getRootType(node.operation);
    const fields = new Map<string, PlannedField>();
    const all: PlannedField[] = [];
    if (root) plan(schema, fragments, root, node.selectionSet, [], fields, all);
    operations.push({ name: node.name?.value ?? null, node, fields, all });
  }
  return { document, errors, operations };
}

/** Collects the fields of a selection set; fields with the same response key are one. */
function plan(
  schema: GraphQLSchema,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  type: GraphQLCompositeType,
  selectionSet: SelectionSetNode,
  conditions: PlannedField['conditions'],
  into: Map<string, PlannedField>,
  all: PlannedField[],
): void {
  for (const selection of selectionSet.selections) {
    const here = [...conditions];
    for (const directive of selection.directives ?? []) {
      const value = directive.arguments?.[0]?.value;
      if (value !== undefined) here.push({ value, wanted: directive.name.value === 'include' });
    }
    if (selection.kind !== Kind.FIELD) {
      const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value);
      if (fragment === undefined) continue;
      const condition = fragment.typeCondition;
      const narrowed = condition === undefined ? type : schema.getType(condition.name.value);
      if (isCompositeType(narrowed)) {
        plan(schema, fragments, narrowed, fragment.selectionSet, here, into, all);
      }
      continue;
    }
    const name = selection.name.value;
    const responseKey = selection.alias?.value ?? name;
    const definition = isObjectType(type) || isInterfaceType(type) ? type.getFields()[name] : undefined;
    const fieldType = definition === undefined ? undefined : getNamedType(definition.type);
    const key = `${type.name}.${responseKey}`;
    let field = into.get(key);
    if (field === undefined) {
      const isConnection =
        fieldType?.name.endsWith('Connection') === true &&
        definition?.args.some((arg) => arg.name === 'first') === true;
      field = {
        name,
        responseKey,
        parentType: type.name,
        node: selection,
        isConnection,
        asksRows: false,
        conditions: here,
        children: new Map(),
      };
      into.set(key, field);
      all.push(field);
    }
    if (selection.selectionSet !== undefined && isCompositeType(fieldType)) {
      plan(schema, fragments, fieldType, selection.selectionSet, [], field.children, all);
    }
    if ([...field.children.values()].some((child) => child.name === 'nodes' || child.name === 'edges')) {
      field.asksRows = true;
    }
  }
}
