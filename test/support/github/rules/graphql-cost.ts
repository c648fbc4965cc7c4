import { type DocumentNode, type FieldNode, Kind, type SelectionSetNode } from 'graphql';
import { GraphqlRefusal } from '../graphql/refusal.ts';

/** The most that a query may take (GitHub Docs, "Rate limits and query limits for the GraphQL API"). */
export interface Cost {
  /** Nodes that it could return: a connection returns its `first` or `last` for each node that it stands on. */
  readonly nodes: number;
  /** Points of the hour's limit: a hundredth of the requests that its connections need, at least 1. */
  readonly points: number;
}

/** Throws where a query could return more nodes than GitHub allows (the same page, node limit). */
export function assertNodeLimit({ nodes }: Cost, most: number): void {
  if (nodes > most)
    throw new GraphqlRefusal(
      'MAX_NODE_LIMIT_EXCEEDED',
      `This query requests up to ${nodes.toLocaleString('en')} possible nodes which exceeds the maximum limit of ${most.toLocaleString('en')}.`,
    );
}

/** The cost of a document with these variables. */
export function costOf(document: DocumentNode, variables: Readonly<Record<string, unknown>>): Cost {
  const fragments = new Map(
    document.definitions.flatMap((one) =>
      one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one.selectionSet] as const] : [],
    ),
  );
  const defaults = new Map(
    document.definitions.flatMap((one) =>
      one.kind === Kind.OPERATION_DEFINITION
        ? (one.variableDefinitions ?? []).flatMap(({ variable, defaultValue }) =>
            defaultValue?.kind === Kind.INT ? [[variable.name.value, defaultValue.value] as const] : [],
          )
        : [],
    ),
  );
  const sizeOf = (field: FieldNode): number | null => {
    const size = field.arguments?.find(({ name }) => name.value === 'first' || name.value === 'last')?.value;
    if (size?.kind === Kind.INT) return Number(size.value);
    if (size?.kind !== Kind.VARIABLE) return null;
    return Number(variables[size.name.value] ?? defaults.get(size.name.value) ?? 0);
  };
  let nodes = 0;
  let requests = 0;
  const count = (set: SelectionSetNode | undefined, parents: number): void => {
    for (const selection of set?.selections ?? []) {
      if (selection.kind === Kind.FRAGMENT_SPREAD) count(fragments.get(selection.name.value), parents);
      else if (selection.kind === Kind.INLINE_FRAGMENT) count(selection.selectionSet, parents);
      else {
        const size = sizeOf(selection);
        if (size !== null) {
          requests += parents;
          nodes += parents * size;
        }
        count(selection.selectionSet, parents * (size ?? 1));
      }
    }
  };
  for (const one of document.definitions)
    if (one.kind === Kind.OPERATION_DEFINITION) count(one.selectionSet, 1);
  return { nodes, points: Math.max(1, Math.round(requests / 100)) };
}
