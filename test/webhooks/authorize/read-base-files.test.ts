import { expect, test } from 'vitest';
import { readBaseFiles } from '../../../src/webhooks/authorize/read-base-files.ts';
import { apiError } from '../event-request.ts';

const place = { owner: 'acme', name: 'shop', branch: 'main' } as never;

function octokitOf(answers: Readonly<Record<string, unknown>>) {
  const asked: unknown[] = [];
  const getContent = async (query: { path: string }) => {
    asked.push(query);
    const data = answers[query.path];
    if (data instanceof Error) throw data;
    return { data };
  };
  return { asked, octokit: { rest: { repos: { getContent } } } as never };
}

test('files are read from the branch, and entries without content are omitted', async () => {
  const { asked, octokit } = octokitOf({
    a: { type: 'file', encoding: 'base64', content: 'aMO2\n' },
    folder: [{ type: 'file' }],
    link: { type: 'symlink', encoding: 'base64', content: 'aGk=' },
    large: { type: 'file', encoding: 'none', content: '' },
    gone: apiError(404),
  });
  const found = await readBaseFiles(octokit, place, ['a', 'folder', 'link', 'large', 'gone']);
  expect([[...found].map(([path, bytes]) => [path, bytes.toString()]), asked[0], asked.length]).toEqual([
    [['a', 'hö']],
    { owner: 'acme', repo: 'shop', path: 'a', ref: 'main' },
    5,
  ]);
});

test('any error except a missing file is thrown', async () => {
  await expect(readBaseFiles(octokitOf({ a: apiError(500) }).octokit, place, ['a'])).rejects.toThrow('500');
});
