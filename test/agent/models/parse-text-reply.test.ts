import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseTextReply } from '../../../src/agent/models/parse-text-reply.ts';
import type { TextDirective } from '../../../src/agent/models/read-calls.ts';
import { growsTooFast } from '../../support/grows-too-fast.ts';

const prose = (text: string): TextDirective => ({ kind: 'prose', text });
const answer = (text: string): TextDirective => ({ kind: 'answer', text });
const bash = (command: string): TextDirective => ({ kind: 'bash', command });
const tool = (name: string, input: Extract<TextDirective, { kind: 'tool' }>['input']): TextDirective => ({
  kind: 'tool',
  name,
  input,
});
const diff = `--- a/x.txt
+++ b/x.txt
@@ -1,2 +1,2 @@
 TOOL: kept
-old
+new
`;

type Case = [title: string, reply: string, expected: TextDirective[]];
const cases: Case[] = [
  ['plain text is prose', 'All tests pass.\n\nDone.', [prose('All tests pass.\n\nDone.')]],
  ['ANSWER loses its word', 'ANSWER: 42', [answer('42')]],
  ['ANSWER may stand alone on its line', 'ANSWER:\nYes.\nReally.', [answer('Yes.\nReally.')]],
  ['nothing at all is nothing', ' \n ', []],
  ['BASH on one line', 'BASH: npm test', [bash('npm test')]],
  ['prose before a directive', 'I look first.\nBASH: ls', [prose('I look first.'), bash('ls')]],
  [
    'BASH of several lines reaches to the next directive',
    'BASH: for f in *; do\n  echo "$f"\ndone\nTOOL: {"name": "read", "args": {"path": "a"}}',
    [bash('for f in *; do\n  echo "$f"\ndone'), tool('read', { path: 'a' })],
  ],
  ['a word inside a line is no directive', 'Use BASH: ls for it', [prose('Use BASH: ls for it')]],
  [
    'an indented word within a command is no directive',
    'BASH: cat <<X\n  TOOL: no\nX',
    [bash('cat <<X\n  TOOL: no\nX')],
  ],
  ['BASH with its command in a fence', 'BASH:\n```bash\nls -la\n```', [bash('ls -la')]],
  ['prose after a fenced command is dropped', 'BASH:\n```sh\nls\n```\nLet me see.', [bash('ls')]],
  [
    'a directive-like line in a fenced command belongs to it',
    'BASH:\n```\ncat > x <<E\nTOOL: {"name": "x"}\nE\n```',
    [bash('cat > x <<E\nTOOL: {"name": "x"}\nE')],
  ],
  ['a command in backticks', 'BASH: `ls -la`', [bash('ls -la')]],
  ['a substitution in backticks stays', 'BASH: echo `date`', [bash('echo `date`')]],
  ['a directive in a fence of the prose', 'First:\n```\nBASH: ls\n```', [prose('First:'), bash('ls')]],
  [
    'several directives in one fence, prose behind',
    '```text\nBASH: ls\nTOOL: {"name": "glob", "args": {}}\n```\nThen I go on.',
    [bash('ls'), tool('glob', {})],
  ],
  [
    'a fence that only mentions a directive stays prose',
    'The log:\n```\n$ run\nBASH: ls\n```',
    [prose('The log:\n```\n$ run\nBASH: ls\n```')],
  ],
  [
    'an explicit answer may show directives in fences',
    'ANSWER: Write\n```\nBASH: ls\n```\nfor a listing.',
    [answer('Write\n```\nBASH: ls\n```\nfor a listing.')],
  ],
  ['bold directives', '**BASH:** ls', [bash('ls')]],
  ['carriage returns', 'BASH: a\r\nb\r\nTOOL: {"name":"x"}\r\n', [bash('a\nb'), tool('x', {})]],
  ['a thinking block is not acted on', '<think>\nBASH: rm -rf /\n</think>\nANSWER: No.', [answer('No.')]],
  [
    'TOOL over several lines',
    'TOOL: {\n  "name": "edit_file",\n  "args": {"path": "main.go", "edits": [{"old": "{", "new": "\\"}"}]}\n}',
    [tool('edit_file', { path: 'main.go', edits: [{ old: '{', new: '"}' }] })],
  ],
  [
    'TOOL in a fence of its own',
    'TOOL:\n```json\n{"name": "read", "args": {"path": "a"}}\n```',
    [tool('read', { path: 'a' })],
  ],
  ['TOOL with the fence on its line', 'TOOL: ```json\n{"name": "read", "args": {}}\n```', [tool('read', {})]],
  ['TOOL without args', 'TOOL: {"name": "todo_read"}', [tool('todo_read', {})]],
  [
    'TOOL with other words',
    'TOOL: {"tool": "read", "arguments": {"path": "a"}}',
    [tool('read', { path: 'a' })],
  ],
  ['TOOL with the name outside', 'TOOL: read {"path": "a"}', [tool('read', { path: 'a' })]],
  [
    'prose after TOOL is dropped',
    'TOOL: {"name": "read", "args": {"path": "a"}}\nNow I wait.',
    [tool('read', { path: 'a' })],
  ],
  ['TOOL without a name', 'TOOL: {"path": "a"}', [tool('TOOL', { path: 'a' })]],
  ['TOOL without JSON', 'TOOL: read the file', [tool('TOOL', 'read the file')]],
  [
    'other quotes are repaired',
    'TOOL: {"name": "read", "args": {"path": \'a\'}}',
    [tool('read', { path: 'a' })],
  ],
  [
    'cut-off arguments are kept raw',
    'TOOL: {"name": "create_file", "args": {"path": "a", "content": "x',
    [tool('create_file', '{"path": "a", "content": "x')],
  ],
  [
    'arguments cut off in a string that looks like an end',
    'TOOL: {"name": "create_file", "args": {"path": "a", "content": "f() {}',
    [tool('create_file', '{"path": "a", "content": "f() {')],
  ],
  ['PATCH', `PATCH:\n${diff}`, [{ kind: 'patch', patch: diff }]],
  ['PATCH in a fence', `PATCH:\n\`\`\`diff\n${diff}\`\`\`\nPlease look.`, [{ kind: 'patch', patch: diff }]],
  ['PATCH, then an answer', `PATCH:\n${diff}ANSWER: Proposed.`, [{ kind: 'patch', patch: diff }]],
  // Calls in the forms models were trained on.
  ...['tool_call', 'function_call', '|tool_call|', 'tool_use'].map(
    (tag): Case => [
      `a call in <${tag}>`,
      `<${tag}>\n{"name": "bash", "arguments": {"command": "ls\n"}}\n</${tag}>`,
      [tool('bash', { command: 'ls\n' })],
    ],
  ),
  [
    'several tagged calls behind prose, in its line, and what is made up behind them',
    'I look. <tool_calls><tool_call>{"name":"read","arguments":{"path":"a"}}</tool_call>\n<tool_call>{"name":"read","arguments":"{\\"path\\":\\"b\\"}"}</tool_call></tool_calls>\nRESULT: x\nANSWER: y',
    [prose('I look.'), tool('read', { path: 'a' }), tool('read', { path: 'b' })],
  ],
  [
    'a list of calls behind a tag',
    '[TOOL_CALLS] [{"name":"read","arguments":{"path":"a"}}, {"name":"glob","arguments":{}}]',
    [tool('read', { path: 'a' }), tool('glob', {})],
  ],
  ['a tag with the name', '<function=bash>{"command": "ls"}</function>', [tool('bash', { command: 'ls' })]],
  [
    'a tag with tags of arguments',
    '<tool_call>\n<function=edit_file>\n<parameter=path>\na\n</parameter>\n<parameter=new>\nANSWER: b\n  c\n</parameter>\n</function>\n</tool_call>',
    [tool('edit_file', { path: 'a', new: 'ANSWER: b\n  c' })],
  ],
  [
    'a tag after the word',
    'TOOL: <tool_call>{"name": "glob", "arguments": {}}</tool_call>\nTOOL:\n<tool_call>{"name": "read", "arguments": {}}</tool_call>',
    [tool('glob', {}), tool('read', {})],
  ],
  [
    'a tagged call that cannot be read is told',
    '<tool_call>read("a")</tool_call>\nThen.',
    [tool('TOOL', 'read("a")')],
  ],
  ['a tag prose speaks of', 'Close the <tool_call> tag.', [prose('Close the <tool_call> tag.')]],
  [
    'nothing but JSON of a call',
    '{"name": "read", "parameters": {"path": "a"}}',
    [tool('read', { path: 'a' })],
  ],
  [
    'nothing but JSON of a call with its arguments beside the name',
    '{"tool": "read", "path": "a"}',
    [tool('read', { path: 'a' })],
  ],
  [
    'JSON as endpoints write calls',
    '{"type": "function", "function": {"name": "read", "arguments": "{\\"path\\": \\"a\\"}"}}',
    [tool('read', { path: 'a' })],
  ],
  [
    'JSON of calls in a fence behind prose',
    'First:\n\n```json\n{"name": "read", "input": {"path": "a"}}\n```\n',
    [prose('First:'), tool('read', { path: 'a' })],
  ],
  [
    'JSON of calls behind prose, with a fence before',
    'It says\n```\nx\n```\nso\n{\n  "name": "read",\n  "args": {"path": "a"}\n}\n{"name": "glob", "args": {}}',
    [prose('It says\n```\nx\n```\nso'), tool('read', { path: 'a' }), tool('glob', {})],
  ],
  [
    'JSON that only has a name is data',
    '{"name": "left-pad", "version": "1.0.0"}',
    [prose('{"name": "left-pad", "version": "1.0.0"}')],
  ],
  [
    'JSON in an explicit answer is data',
    'ANSWER: {"tool": "read", "path": "a"}',
    [answer('{"tool": "read", "path": "a"}')],
  ],
  ['one fence of shell', '```bash\nls\npwd\n```', [bash('ls\npwd')]],
  ['one fence of shell behind prose', 'I look.\n```sh\nls\n```\n', [prose('I look.'), bash('ls')]],
  [
    'a fence of shell a person is to run',
    'Done. To start it, you can run\n```sh\nnpm start\n```',
    [prose('Done. To start it, you can run\n```sh\nnpm start\n```')],
  ],
  [
    'fences of shell in an explanation',
    'Install\n```sh\nnpm ci\n```\nand\n```sh\nnpm test\n```',
    [prose('Install\n```sh\nnpm ci\n```\nand\n```sh\nnpm test\n```')],
  ],
  [
    'a fence of shell with prose behind it',
    'It ran\n```sh\nls\n```\nand was well.',
    [prose('It ran\n```sh\nls\n```\nand was well.')],
  ],
  [
    'a fence of shell before a directive is not run beside it',
    'So:\n```sh\nls\n```\nBASH: ls',
    [prose('So:\n```sh\nls\n```'), bash('ls')],
  ],

  // Words not quite as told.
  [
    'words in small letters',
    'I look.\nbash: ls\ntool: {"name": "glob", "args": {}}\nanswer: done',
    [prose('I look.'), bash('ls'), tool('glob', {})],
  ],
  ['an answer in small letters', 'answer: 42', [answer('42')]],
  ['a patch in small letters', `patch:\n${diff}`, [{ kind: 'patch', patch: diff }]],
  [
    'an indented word',
    'I look:\n\n  BASH: ls\n  TOOL: {"name": "glob"}',
    [prose('I look:'), bash('ls'), tool('glob', {})],
  ],
  ['a tool as a title', 'Tool: read {"path": "a"}', [tool('read', { path: 'a' })]],
  ['bold words with the colon outside', '**BASH**: ls', [bash('ls')]],
  [
    'messages of the shell, and sentences',
    'bash: foo: command not found\ntool: none was needed\nBash: the usual one\npatch: applied',
    [prose('bash: foo: command not found\ntool: none was needed\nBash: the usual one\npatch: applied')],
  ],
  [
    'small words in an explicit answer',
    'ANSWER: It prints\nbash: ls\n  TOOL: x',
    [answer('It prints\nbash: ls\n  TOOL: x')],
  ],

  // JSON that is not quite.
  [
    'raw line breaks and tabs in strings, with directives in them',
    'TOOL: {"name": "edit_file", "args": {"old": "a\n\tb", "new": "a\nANSWER: \\"c\\"\n```\n"}}\nBASH: ls',
    [tool('edit_file', { old: 'a\n\tb', new: 'a\nANSWER: "c"\n```\n' }), bash('ls')],
  ],
  [
    'the same in a fence',
    'TOOL:\n```json\n{"name": "edit_file", "args": {"new": "x\n```\nBASH: y\n"}}\n```\nBASH: ls',
    [tool('edit_file', { new: 'x\n```\nBASH: y\n' }), bash('ls')],
  ],
  [
    'backslashes of code in strings',
    'TOOL: {"name": "grep", "args": {"pattern": "\\d+\\.\n\\u00e9\\n"}}',
    [tool('grep', { pattern: '\\d+\\.\né\n' })],
  ],
  [
    'trailing commas',
    'TOOL: {"name": "read", "args": {"path": "a", "lines": [1, 2,],},}',
    [tool('read', { path: 'a', lines: [1, 2] })],
  ],
  ['arguments beside the name', 'TOOL: {"name": "read", "path": "a"}', [tool('read', { path: 'a' })]],
  ['TOOL as a call of code', 'TOOL: read("lib/view.js")', [tool('TOOL', 'read("lib/view.js")')]],

  // Here-documents.
  [
    'a here-document is read to its terminator',
    'BASH: cat > a <<\'EOF\' && cat > b <<-"X Y"\nANSWER: x\n```\nEOF\nTOOL: {}\n\tX Y\nwc a\nTOOL: {"name": "glob"}',
    [
      bash('cat > a <<\'EOF\' && cat > b <<-"X Y"\nANSWER: x\n```\nEOF\nTOOL: {}\n\tX Y\nwc a'),
      tool('glob', {}),
    ],
  ],
  [
    'a here-document in a fence may hold fences',
    'BASH:\n```bash\ncat > a <<EOF\n```js\nANSWER: x\n```\nEOF\nwc a\n```\nTOOL: {"name": "glob"}',
    [bash('cat > a <<EOF\n```js\nANSWER: x\n```\nEOF\nwc a'), tool('glob', {})],
  ],
  [
    'a here-document in a fence without a word',
    '```bash\ncat > a <<EOF\n```js\nBASH: x\n```\nEOF\n```',
    [bash('cat > a <<EOF\n```js\nBASH: x\n```\nEOF')],
  ],
  [
    'no here-document without its terminator',
    'BASH: echo $((1 << n)); cat <<< n\nTOOL: {"name": "glob"}',
    [bash('echo $((1 << n)); cat <<< n'), tool('glob', {})],
  ],

  // What only the results could say.
  [
    'made-up results are dropped, actions are kept',
    'I look.\nBASH: ls\nRESULT:\na\n```\nBASH: no\n```\nRESULT 2 of 2 (error):\nb\nTOOL: {"name": "glob"}\nRESULT: c\nANSWER: All is well.',
    [prose('I look.'), bash('ls'), tool('glob', {})],
  ],
  [
    'made-up results and answers behind JSON',
    '{"name": "read", "args": {"path": "a\nBASH: b"}}\nRESULT: x\n{"name": "glob", "args": {}}\nANSWER: y',
    [tool('read', { path: 'a\nBASH: b' })],
  ],
  ['a made-up answer behind JSON', '{"name": "glob", "args": {}}\nANSWER: y', [tool('glob', {})]],
  ['a made-up result behind shell', '```sh\nls\n```\nRESULT: x', [bash('ls')]],
  ['shell in front of an answer', '```sh\nls\n```\nANSWER: y', [prose('```sh\nls\n```'), answer('y')]],
  ['a result in an answer', 'ANSWER: It is\nRESULT: 5', [answer('It is\nRESULT: 5')]],
  ['a result in prose', 'It is\nRESULT: 5', [prose('It is\nRESULT: 5')]],
];

describe('parseTextReply', () => {
  it.each(cases)('%s', (_title, reply, expected) => {
    expect(parseTextReply(reply)).toEqual(expected);
  });

  it.each([
    '{"id": 1}\n',
    '{\nRESULT:\n',
    '}\nRESULT:\n',
    '{\n',
    '<tool_call>\n',
    '```\n',
    'BASH: a <<X\n',
  ])('parses a long reply of %j in linear time', (piece) => {
    expect(parseTextReply(piece.repeat(1_500)).length).toBeGreaterThan(0);
  });

  it.each<[string, TextDirective[]]>([
    ['BASH: rm -rf a/b', [tool('bash', '{"command":"rm -rf a/b"…')]],
    ['BASH: ls\nTOOL: {"name": "x", "args": {"y": [{}]}', [bash('ls'), tool('x', '{"y": [{}]…')]],
    ['BASH: ls\nRESULT:\na', [bash('ls')]],
    ['I look at', [prose('I look at')]],
    ['', []],
  ])('does not run the last action of %j in a truncated reply', (reply, expected) => {
    expect(parseTextReply(reply, true)).toEqual(expected);
  });

  it('accepts any text, and keeps every word of a reply without directives', () => {
    const line = fc.constantFrom(
      'BASH: a',
      'TOOL: {',
      'TOOL: {"name":"x"}',
      'PATCH:',
      'ANSWER: b',
      '```',
      '```sh',
      'prose',
      '~~~',
      '{',
      '}',
      '',
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
        const parts = parseTextReply(lines.join('\n'));
        const actions = parts.filter(({ kind }) => kind !== 'answer' && kind !== 'prose');
        const calls = lines.filter((text) => /^(BASH|TOOL|PATCH):|^```sh/.test(text)).length;
        expect(actions.length).toBeLessThanOrEqual(calls);
        if (!lines.some((text) => /^[A-Z]+:|^```sh/.test(text))) {
          const text = lines.join('\n').trim();
          expect(parts).toEqual(text === '' ? [] : [prose(text)]);
        }
      }),
    );
  });
});

describe('a long reply', () => {
  const shapes: Readonly<Record<string, (length: number) => string>> = {
    lines: (length) => 'x\n'.repeat(length),
    'here-documents without an end': (length) => `BASH: cat <<A\n${'cat <<B\n'.repeat(length)}`,
    'objects without an end': (length) => '{\n'.repeat(length),
    'broken calls': (length) => 'TOOL: {"a\n'.repeat(length),
    'calls in tags': (length) => '<tool_call>{"name":"a"}</tool_call>\n'.repeat(length / 8),
  };

  it('is parsed in linear time', () => {
    const slow = Object.entries(shapes).filter(([, text]) =>
      [1, 2, 3].every(() => growsTooFast(parseTextReply, text)),
    );
    expect(slow.map(([name]) => name)).toEqual([]);
  });

  it('may contain any number of calls', () => {
    const call = '<tool_call>{"name":"read","arguments":{"path":"a"}}</tool_call>\n';
    expect(parseTextReply(call.repeat(150_000)).length).toBe(150_000);
  });
});
