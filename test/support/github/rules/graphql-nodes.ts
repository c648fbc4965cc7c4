import { type DocumentNode, type FieldNode, Kind, type SelectionSetNode } from 'graphql';
import { GraphqlRefusal } from '../graphql/refusal.ts';

/**
 * Throws where a query could return more nodes than GitHub allows (GitHub Docs, "Rate limits and query limits for the GraphQL
 * API", node limit): a connection can return its `first` or `last` for each node that it stands on.
 */
export function assertNodeLimit(
  document: DocumentNode,
  variables: Readonly<Record<string, unknown>>,
  most: number,
): void {
  const nodes = countNodes(document, variables);
  if (nodes > most)
    throw new GraphqlRefusal(
      'MAX_NODE_LIMIT_EXCEEDED',
      `This query requests up to ${nodes.toLocaleString('en')} possible nodes which exceeds the maximum limit of ${most.toLocaleString('en')}.`,
    );
}

function countNodes(document: DocumentNode, variables: Readonly<Record<string, unknown>>): number {
  const fragments = new Map(
    document.definitions.flatMap((one) =>
      one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one.selectionSet] as const] : [],
    ),
  );
  const sizeOf = (field: FieldNode): number | null => {
    const size = field.arguments?.find(({ name }) => name.value === 'first' || name.value === 'last')?.value;
    if (size?.kind === Kind.INT) return Number(size.value);
    return size?.kind === Kind.VARIABLE ? Number(variables[size.name.value] ?? 0) : null;
  };
  const count = (set: SelectionSetNode | undefined, parents: number): number =>
    (set?.selections ?? []).reduce((sum, selection) => {
      if (selection.kind === Kind.FRAGMENT_SPREAD)
        return sum + count(fragments.get(selection.name.value), parents);
      if (selection.kind === Kind.INLINE_FRAGMENT) return sum + count(selection.selectionSet, parents);
      const size = sizeOf(selection);
      const here = size === null ? parents : parents * size;
      return sum + (size === null ? 0 : here) + count(selection.selectionSet, here);
    }, 0);
  return document.definitions.reduce(
    (sum, one) => sum + (one.kind === Kind.OPERATION_DEFINITION ? count(one.selectionSet, 1) : 0),
    0,
  );
}
