import { GraphqlRefusal } from './refusal.ts';

interface PageArguments {
  readonly first?: number | null;
  readonly last?: number | null;
  readonly after?: string | null;
  readonly before?: string | null;
}

const cursorOf = (index: number) => Buffer.from(`cursor:${index}`).toString('base64');
const indexOf = (cursor: string) =>
  Number(Buffer.from(cursor, 'base64').toString('utf8').slice('cursor:'.length));

/**
 * A connection over `items`. `first` or `last` is between 1 and 100, else the query is refused
 * (GitHub Docs, "Rate limits and query limits for the GraphQL API", node limit).
 */
export function connection<Item>(name: string, items: readonly Item[], node: (item: Item) => unknown) {
  return ({ first, last, after, before }: PageArguments) => {
    const size = first ?? last;
    if (size == null)
      throw new GraphqlRefusal(
        'MISSING_PAGINATION_BOUNDARIES',
        `You must provide a \`first\` or \`last\` value to properly paginate the \`${name}\` connection.`,
      );
    if (size < 1 || size > 100)
      throw new GraphqlRefusal(
        'EXCESSIVE_PAGINATION',
        `Requesting ${size} records on the \`${name}\` connection exceeds the \`first\` limit of 100 records.`,
      );
    const low = after == null ? 0 : indexOf(after) + 1;
    const high = before == null ? items.length : indexOf(before);
    const start = first == null ? Math.max(high - size, low) : low;
    const end = first == null ? high : Math.min(low + size, high);
    const edges = items
      .slice(start, end)
      .map((item, index) => ({ cursor: cursorOf(start + index), node: node(item) }));
    return {
      totalCount: items.length,
      edges,
      nodes: edges.map((edge) => edge.node),
      pageInfo: {
        hasNextPage: end < items.length,
        hasPreviousPage: start > 0,
        startCursor: edges[0]?.cursor ?? null,
        endCursor: edges.at(-1)?.cursor ?? null,
      },
    };
  };
}
