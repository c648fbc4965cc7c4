import { rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { able, type ScriptedLanguages, type Speaker, scriptedLanguages } from './scripted-server.ts';

let languages: ScriptedLanguages | null = null;
afterEach(async () => {
  await languages?.close();
  languages = null;
});

const pushes = { textDocumentSync: 1 };
const note =
  '[path:line:column count from 1, as read shows lines; as input, line and character count from 0, one less]';

/** Publishes an error for each `bad` of a text. */
function check({ send }: Speaker, uri: unknown, text: string, version: unknown): void {
  const diagnostics = text.split('\n').flatMap((line, index) => {
    const character = line.indexOf('bad');
    const start = { line: index, character };
    return character < 0
      ? []
      : [{ range: { start, end: start }, severity: 1, code: 7, message: 'This is bad.' }];
  });
  send({
    method: 'textDocument/publishDiagnostics',
    params: { uri: String(uri), version: Number(version), diagnostics },
  });
}

/** Publishes a thousand errors. */
function flood({ send }: Speaker, uri: string): void {
  const start = { line: 0, character: 0 };
  const one = { range: { start, end: start }, message: 'no' };
  const diagnostics = Array.from({ length: 1_000 }, () => one);
  send({ method: 'textDocument/publishDiagnostics', params: { uri, diagnostics } });
}

/** A server that speaks by itself of whatever it is sent. */
const speaking = able(
  (received, server) => {
    const { textDocument, contentChanges } = received.params as {
      textDocument?: { uri: string; text: string; version: number };
      contentChanges?: readonly { text: string }[];
    };
    if (received.method === 'textDocument/didOpen')
      check(server, textDocument?.uri, textDocument?.text ?? '', textDocument?.version);
    if (received.method === 'textDocument/didChange')
      check(server, textDocument?.uri, contentChanges?.[0]?.text ?? '', textDocument?.version);
    return received.method === 'textDocument/hover'
      ? { contents: { kind: 'plaintext', value: 'known' } }
      : undefined;
  },
  { ...pushes, hoverProvider: true },
);

/** What the server was told of files, less the address of the tree. */
const toldOf = ({ received, harness }: ScriptedLanguages) =>
  received
    .filter(({ method }) => /did(Open|Change|Close|Save|ChangeWatchedFiles)$/.test(method))
    .map(({ method, params }) =>
      `${method.replace(/^.*\/did/, '')} ${JSON.stringify(params)}`.replaceAll(`file://${harness.root}/`, ''),
    );

test('a server receives every change of the run by any tool, and diagnostics are for the newest text', async () => {
  const played = await scriptedLanguages({ 'a.toy': 'bad é\n', 'b.toy': 'good\n', 'c.toy': 'c' }, speaking);
  languages = played;
  const { say, harness } = played;
  const { workspace } = harness.context;
  expect(await say('get_diagnostics', { paths: ['a.toy', 'b.toy'], wait: true })).toBe(
    `1 error in 2 files\na.toy:1:1 error [7]: This is bad.\n${note}`,
  );
  await workspace.changes.apply(
    [
      { path: 'a.toy', content: Buffer.from('fine\n') },
      { path: 'new.toy', content: Buffer.from('no\n  bad\n') },
    ],
    { tool: 'edit_file', callId: 'call_2' },
  );
  harness.write('b.toy', 'bad bad\n');
  rmSync(path.join(harness.root, 'c.toy'));
  await workspace.changes.observe({ tool: 'bash', callId: 'call_3' });
  expect(await say('get_diagnostics', { wait: true, severity: 'errors' })).toBe(
    `2 errors in 3 files\nb.toy:1:1 error [7]: This is bad.\nnew.toy:2:3 error [7]: This is bad.\n${note}`,
  );
  rmSync(path.join(harness.root, 'a.toy'));
  expect(await say('lsp', { operation: 'hover', path: 'b.toy', symbol: 'bad' })).toContain('known');
  const open = (name: string, text: string) =>
    `Open ${JSON.stringify({ textDocument: { uri: name, languageId: 'toy', version: 1, text } })}`;
  const change = (name: string, text: string) => [
    `Change ${JSON.stringify({ textDocument: { uri: name, version: 2 }, contentChanges: [{ text }] })}`,
    `Save ${JSON.stringify({ textDocument: { uri: name }, text })}`,
  ];
  const watched = [
    { uri: 'a.toy', type: 2 },
    { uri: 'new.toy', type: 1 },
    { uri: 'b.toy', type: 2 },
    { uri: 'c.toy', type: 3 },
  ];
  expect(toldOf(played)).toEqual([
    open('a.toy', 'bad é\n'),
    open('b.toy', 'good\n'),
    `ChangeWatchedFiles ${JSON.stringify({ changes: watched })}`,
    ...change('b.toy', 'bad bad\n'),
    open('new.toy', 'no\n  bad\n'),
    ...change('a.toy', 'fine\n'),
    'Close {"textDocument":{"uri":"a.toy"}}',
  ]);
});

test('files that are not text are never sent', async () => {
  const played = await scriptedLanguages(
    {
      'a.toy': 'a',
      'bytes.toy': Buffer.from([97, 0, 98]),
      'folder/b.toy': 'b',
      'long.toy': 'x'.repeat(5_000_000),
    },
    speaking,
  );
  languages = played;
  symlinkSync('/etc/passwd', path.join(played.harness.root, 'out.toy'));
  const reply = [];
  for (const file of ['out.toy', '../b.toy', 'bytes.toy', 'long.toy', 'folder', 'gone.toy', 'a.other'])
    reply.push(await played.say('get_diagnostics', { path: file }));
  expect(reply.map((words) => words.replaceAll(played.harness.root, 'ROOT'))).toEqual([
    expect.stringMatching(/^outside_workspace: /),
    expect.stringMatching(/^outside_workspace: /),
    'invalid_input: bytes.toy is no text; language servers read text.',
    'too_large: long.toy has 5000000 bytes; language servers are sent files up to 4194304. Use grep.',
    'invalid_input: folder is a folder; name a file. For a whole folder there is diagnostics.',
    expect.stringMatching(/^not_found: gone\.toy/),
    expect.stringMatching(/^not_found: a\.other/),
  ]);
  expect(toldOf(played)).toEqual([]);
});

test('a whole folder is checked, and files without a server are reported', async () => {
  languages = await scriptedLanguages(
    { 'src/a.toy': 'bad', 'src/b.toy': '', 'c.toy': 'bad', 'd.other': '' },
    speaking,
  );
  const { say } = languages;
  expect([
    await say('diagnostics', { path: 'src' }),
    await say('diagnostics', { severity: 'warning' }),
    await say('diagnostics', { path: 'd.other' }),
    await say('get_diagnostics', { path: 'd.other' }),
    await say('get_diagnostics', {}),
    await say('get_diagnostics', { paths: ['c.toy', 'gone.toy', 'src'] }),
  ]).toEqual([
    `1 error in 2 files\nsrc/a.toy:1:1 error [7]: This is bad.\n${note}`,
    'No warning diagnostics in 3 files.',
    "not_found: No file in d.other is of a language that has a server here. Use bash with the project's own checks.",
    'invalid_input: No language server reads d.other. Use code_search and grep.',
    'invalid_input: This run has changed no file that a language server reads: name files by path or paths, or a folder for diagnostics.',
    `1 error in c.toy\nc.toy:1:1 error [7]: This is bad.\n${note}\n[gone.toy does not exist.]\n[src is a folder; name a file. For a whole folder there is diagnostics.]`,
  ]);
});

test('a server that has not answered yet is reported if the call does not wait', async () => {
  languages = await scriptedLanguages(
    { 'a.toy': 'a' },
    able(() => undefined, pushes),
  );
  expect(await languages.say('get_diagnostics', { path: 'a.toy', wait: true, wait_timeout_ms: 30 })).toBe(
    '[nothing known yet of a.toy; ask again with wait: true]',
  );
});

test('diagnostics dropped by a flood about other files are reported as missing, and return on request', async () => {
  let floods = 1;
  languages = await scriptedLanguages(
    { 'a.toy': 'bad', 'b.toy': 'bad' },
    able((received, server) => {
      const { textDocument, contentChanges } = received.params as {
        textDocument?: { uri: string; text: string; version: number };
        contentChanges?: readonly { text: string }[];
      };
      const text = contentChanges?.[0]?.text ?? textDocument?.text ?? '';
      if (/did(Open|Change)$/.test(received.method))
        check(server, textDocument?.uri, text, textDocument?.version);
      if (received.method === 'textDocument/didOpen' && textDocument?.uri.endsWith('/a.toy') && floods-- > 0)
        for (let count = 0; count < 20; count += 1) flood(server, `file:///elsewhere/${count}.toy`);
      return undefined;
    }, pushes),
  );
  const { say } = languages;
  expect([
    await say('get_diagnostics', { paths: ['a.toy', 'b.toy'], wait: true }),
    await say('get_diagnostics', { path: 'a.toy', wait: true }),
  ]).toEqual([
    `1 error in 2 files\nb.toy:1:1 error [7]: This is bad.\n[too many to keep: 1 more in a.toy; ask for fewer files at once]\n${note}`,
    `1 error in a.toy\na.toy:1:1 error [7]: This is bad.\n${note}`,
  ]);
});

test('a file dropped by a flood of other names returns on request', async () => {
  let floods = 1;
  languages = await scriptedLanguages({ 'a.toy': 'bad' }, (received, server) => {
    const answer = speaking(received, server);
    if (received.method === 'textDocument/didOpen' && floods-- > 0)
      for (let count = 0; count < 5_000; count += 1) check(server, `file:///elsewhere/${count}.toy`, '', 1);
    return answer;
  });
  const { say } = languages;
  // Is answered when all of the flood is heard.
  expect(await say('lsp', { operation: 'hover', path: 'a.toy', line: 0 })).toContain('known');
  expect(await say('get_diagnostics', { path: 'a.toy', wait: true })).toBe(
    `1 error in a.toy\na.toy:1:1 error [7]: This is bad.\n${note}`,
  );
});

test('answers about one file are cut to a thousand diagnostics, and the rest is counted', async () => {
  const start = { line: 0, character: 0 };
  const items = Array.from({ length: 1_002 }, () => ({ range: { start, end: start }, message: 'no' }));
  languages = await scriptedLanguages(
    { 'a.toy': '' },
    able(({ method }) => (method === 'textDocument/diagnostic' ? { kind: 'full', items } : undefined), {
      ...pushes,
      diagnosticProvider: {},
    }),
  );
  const replyText = await languages.say('get_diagnostics', { path: 'a.toy' });
  expect(replyText.split('\n').filter((line) => !line.endsWith('error: no'))).toEqual([
    '1000 errors in a.toy',
    '[500 more; narrow path or severity]',
    '[too many to keep: 2 more in a.toy]',
    note,
  ]);
});
