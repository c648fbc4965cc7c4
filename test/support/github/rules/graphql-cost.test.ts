import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { costOf } from './graphql-cost.ts';

const root = path.resolve(import.meta.dirname, '../../../..');

describe('GitHub Docs, "Rate limits and query limits for the GraphQL API"', () => {
  it('the cost of the documented example is as documented: 51 points', () => {
    const document = parse(`query { viewer { login repositories(first: 100) { edges { node { id
      issues(first: 50) { edges { node { id labels(first: 60) { edges { node { id name } } } } } } } } } } }`);
    expect(costOf(document, {})).toEqual({ nodes: 100 + 100 * 50 + 100 * 50 * 60, points: 51 });
  });

  it('an omitted variable counts with its default', () => {
    const document = parse(
      'query ($first: Int = 40) { viewer { repositories(first: $first) { nodes { id } } } }',
    );
    expect([costOf(document, {}), costOf(document, { first: 7 })]).toEqual([
      { nodes: 40, points: 1 },
      { nodes: 7, points: 1 },
    ]);
  });

  it('each document that we send costs one point and a small part of the node limit', async () => {
    const costs: Record<string, number[][]> = {};
    for await (const file of glob('src/**/*.ts', { cwd: root })) {
      const text = await readFile(path.join(root, file), 'utf8');
      const calls = [...text.matchAll(/\boctokit\.graphql\b/g)].length;
      const documents = [...text.matchAll(/(["'`])\s*((?:query|mutation)\s*[({][^"'`]*)\1/g)];
      // A call with a document that this test does not find would not be counted.
      expect([file, documents.length]).toEqual([file, calls]);
      for (const [, , document = ''] of documents) {
        const { nodes, points } = costOf(parse(document), {});
        const name = path.basename(file);
        costs[name] = [...(costs[name] ?? []), [nodes, points]];
      }
    }
    expect(costs).toEqual({
      'commit-changes.ts': [[0, 1]],
      'review-threads.ts': [
        [200, 1],
        [0, 1],
      ],
    });
  });
});
