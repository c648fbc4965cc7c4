import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseTextReply, type TextDirective } from '../../../src/agent/models/parse-text-reply.ts';

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

const cases: [title: string, reply: string, expected: TextDirective[]][] = [
  ['plain text is an answer', 'All tests pass.\n\nDone.', [answer('All tests pass.\n\nDone.')]],
  ['ANSWER loses its word', 'ANSWER: 42', [answer('42')]],
  ['ANSWER may stand alone on its line', 'ANSWER:\nYes.\nReally.', [answer('Yes.\nReally.')]],
  ['nothing at all is nothing', ' \n ', []],
  ['BASH on one line', 'BASH: npm test', [bash('npm test')]],
  ['prose before a directive', 'I look first.\nBASH: ls', [answer('I look first.'), bash('ls')]],
  [
    'BASH of several lines reaches to the next directive',
    'BASH: for f in *; do\n  echo "$f"\ndone\nTOOL: {"name": "read", "args": {"path": "a"}}',
    [bash('for f in *; do\n  echo "$f"\ndone'), tool('read', { path: 'a' })],
  ],
  ['a word inside a line is no directive', 'Use BASH: ls for it', [answer('Use BASH: ls for it')]],
  ['an indented word is no directive', 'BASH: cat <<X\n  TOOL: no\nX', [bash('cat <<X\n  TOOL: no\nX')]],
  ['a lower-case word is no directive', 'bash: ls', [answer('bash: ls')]],
  ['BASH with its command in a fence', 'BASH:\n```bash\nls -la\n```', [bash('ls -la')]],
  [
    'prose after a fenced command is an answer',
    'BASH:\n```sh\nls\n```\nLet me see.',
    [bash('ls'), answer('Let me see.')],
  ],
  [
    'a directive-like line in a fenced command belongs to it',
    'BASH:\n```\ncat > x <<E\nTOOL: {"name": "x"}\nE\n```',
    [bash('cat > x <<E\nTOOL: {"name": "x"}\nE')],
  ],
  ['a command in backticks', 'BASH: `ls -la`', [bash('ls -la')]],
  ['a substitution in backticks stays', 'BASH: echo `date`', [bash('echo `date`')]],
  ['a directive in a fence of the prose', 'First:\n```\nBASH: ls\n```', [answer('First:'), bash('ls')]],
  [
    'several directives in one fence, prose behind',
    '```text\nBASH: ls\nTOOL: {"name": "glob", "args": {}}\n```\nThen I go on.',
    [bash('ls'), tool('glob', {}), answer('Then I go on.')],
  ],
  [
    'a fence that only mentions a directive stays prose',
    'The log:\n```\n$ run\nBASH: ls\n```',
    [answer('The log:\n```\n$ run\nBASH: ls\n```')],
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
    'prose after TOOL is an answer',
    'TOOL: {"name": "read", "args": {"path": "a"}}\nNow I wait.',
    [tool('read', { path: 'a' }), answer('Now I wait.')],
  ],
  ['TOOL without a name', 'TOOL: {"path": "a"}', [tool('TOOL', { path: 'a' })]],
  ['TOOL without JSON', 'TOOL: read the file', [tool('TOOL', 'read the file')]],
  [
    'broken arguments are kept raw',
    'TOOL: {"name": "read", "args": {"path": \'a\'}}',
    [tool('read', '{"path": \'a\'}')],
  ],
  [
    'cut-off arguments are kept raw',
    'TOOL: {"name": "create_file", "args": {"path": "a", "content": "x',
    [tool('create_file', '{"path": "a", "content": "x')],
  ],
  ['PATCH', `PATCH:\n${diff}`, [{ kind: 'patch', patch: diff }]],
  [
    'PATCH in a fence',
    `PATCH:\n\`\`\`diff\n${diff}\`\`\`\nPlease look.`,
    [{ kind: 'patch', patch: diff }, answer('Please look.')],
  ],
  [
    'PATCH, then an answer',
    `PATCH:\n${diff}ANSWER: Proposed.`,
    [{ kind: 'patch', patch: diff }, answer('Proposed.')],
  ],
];

describe('parseTextReply', () => {
  it.each(cases)('%s', (_title, reply, expected) => {
    expect(parseTextReply(reply)).toEqual(expected);
  });

  it('takes anything without failing, and loses no word of a reply without directives', () => {
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
        const calls = lines.filter((text) => /^(BASH|TOOL|PATCH):/.test(text)).length;
        expect(parts.filter(({ kind }) => kind !== 'answer').length).toBeLessThanOrEqual(calls);
        if (!lines.some((text) => /^[A-Z]+:/.test(text))) {
          const text = lines.join('\n').trim();
          expect(parts).toEqual(text === '' ? [] : [answer(text)]);
        }
      }),
    );
  });
});
