import { expect, test } from 'vitest';
import { readTemplate } from '../../../src/reporting/posting/read-template.ts';

/** A base branch with these files; `asked` are the paths that were looked for. */
function branch(files: Readonly<Record<string, string>> = {}) {
  const asked: string[] = [];
  const readBaseFile = async (path: string) => {
    asked.push(path);
    return files[path] ?? null;
  };
  return { asked, ports: { readBaseFile } };
}

test('reads the configured template, and reports a missing one', async () => {
  const { asked, ports } = branch({ 'a.md': 'A', long: 'x'.repeat(30_001), whole: 'x'.repeat(30_000) });
  expect([
    await readTemplate('handoff', 'a.md', ports),
    await readTemplate('pull_request', 'b.md', ports),
    await readTemplate('pull_request', 'long', ports),
    (await readTemplate('pull_request', 'whole', ports)).template?.length,
    asked,
  ]).toEqual([
    { template: 'A', problem: null },
    { template: null, problem: 'The template b.md is no file of the base branch.' },
    { template: null, problem: 'The template long is no file of the base branch.' },
    30_000,
    ['a.md', 'b.md', 'long', 'whole'],
  ]);
});

test('reads the repository’s own template for a pull request by default', async () => {
  const { asked, ports } = branch();
  const missing = await readTemplate('pull_request', undefined, ports);
  const found = await readTemplate(
    'pull_request',
    undefined,
    branch({ 'docs/pull_request_template.md': 'D' }).ports,
  );
  expect([missing, found.template, asked]).toEqual([
    { template: null, problem: null },
    'D',
    ['.github/', '', 'docs/'].flatMap((at) => [
      `${at}pull_request_template.md`,
      `${at}PULL_REQUEST_TEMPLATE.md`,
    ]),
  ]);
});

test('reads no template if it is disabled, unavailable or for a handoff', async () => {
  const { asked, ports } = branch();
  const none = { template: null, problem: null };
  expect([
    await readTemplate('pull_request', false, ports),
    await readTemplate('handoff', undefined, ports),
    await readTemplate('pull_request', 'a.md', {}),
    asked,
  ]).toEqual([none, none, none, []]);
});
