import { afterEach, expect, test } from 'vitest';
import { confirmLines } from '../../../src/tools/search/confirm-lines.ts';
import { searchText } from '../../../src/tools/search/search-text.ts';
import { openTools, type ToolHarness } from '../tool-harness.ts';

let tools: ToolHarness;
afterEach(() => tools.close());

const query = {
  pattern: 'needle',
  regex: false,
  caseSensitive: true,
  wordMatch: false,
  glob: undefined,
  maxMatches: 9,
  context: 0,
};

test('while a running process could mislead a search, matches are confirmed from the files', async () => {
  tools = await openTools({
    'a.txt': 'needle in a\r\n',
    'long.txt': `${'é'.repeat(500)}needle${'\u{1f600}'.repeat(500)}\n`,
  });
  const { workspace, signal } = tools.context;
  const honest = await searchText(workspace, { path: '.', kind: 'directory' }, query, { signal });
  const forged = [
    { path: 'a.txt', line: 1, text: 'needle of elsewhere', match: true },
    { path: 'gone.txt', line: 1, text: 'needle', match: true },
  ];
  const found = { ...honest, lines: [...honest.lines, ...forged] };
  const session = (await import('../../../src/tools/shell/sessions/open-shell.ts')).ShellSession;
  const running = new session({
    id: 's',
    command: 'x',
    folder: '',
    callId: 'c',
    spillFolder: workspace.root,
  });
  expect(honest.lines).toHaveLength(2);
  expect([
    await confirmLines(found, { workspace, sessions: { list: () => [] } }),
    await confirmLines(found, { workspace, sessions: { list: () => [running] } }),
  ]).toEqual([found, { ...honest, changed: 2 }]);
});
