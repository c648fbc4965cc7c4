import type { Description, Operation } from './description.ts';

/** An operation found for a request, with its path parameters decoded. */
export interface Route {
  readonly operation: Operation;
  readonly template: string;
  readonly params: Readonly<Record<string, string>>;
}

interface Candidate {
  readonly template: string;
  readonly pattern: RegExp;
  readonly names: readonly string[];
  readonly literals: number;
  readonly operations: Readonly<Record<string, Operation>>;
}

/** Names whose value may contain slashes, as in GitHub's own router. */
const spanning = new Set(['path', 'ref', 'basehead']);

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function candidate(template: string, operations: Record<string, Operation>): Candidate {
  const names: string[] = [];
  const segments = template.split('/').map((segment) => {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    if (name === undefined) return escaped(segment);
    names.push(name);
    return spanning.has(name) ? '(.+)' : '([^/]+)';
  });
  const literals = segments.filter((segment) => !segment.startsWith('(')).length;
  return { template, pattern: new RegExp(`^${segments.join('/')}$`), names, literals, operations };
}

/**
 * Makes a function from method and path to the operation that serves it, undefined where the description
 * has none. Where several match, the one with the most literal segments wins.
 */
export function createRouter(description: Description): (method: string, path: string) => Route | undefined {
  const candidates = Object.entries(description.document.paths)
    .filter(([template]) => !template.includes('}...{'))
    .map(([template, operations]) => candidate(template, operations))
    .sort((a, b) => b.literals - a.literals);
  return (method, path) => {
    // Octokit leaves a slash at the end where a path parameter is empty: the root of the contents.
    const trimmed = path.replace(/\/contents\/?$/, '/contents/%20').replace(/(?<=.)\/$/, '');
    for (const { template, pattern, names, operations } of candidates) {
      const operation = operations[method.toLowerCase()];
      const match = operation === undefined ? null : pattern.exec(trimmed);
      if (operation === undefined || match === null) continue;
      const params = Object.fromEntries(
        names.map((name, index) => [name, decodeURIComponent(match[index + 1] ?? '').trim()]),
      );
      return { operation, template, params };
    }
    return undefined;
  };
}
