import { createTwoFilesPatch } from 'diff';
import { afterEach, expect, test } from 'vitest';
import { openTools, type ToolHarness } from '../tool-harness.ts';

let tools: ToolHarness | undefined;
afterEach(() => tools?.close());

type Change = readonly [path: string, before: string, after: string];

const patchOf = ([path, before, after]: Change) =>
  `diff --git a/${path} b/${path}\n${createTwoFilesPatch(`a/${path}`, `b/${path}`, before, after).replace(/^=+\n/, '')}`;

/** Reports a finding in each changed file whose title demands tests; returns the tool's answer. */
async function demandTests(changes: readonly Change[], at = changes.map(([path]) => path)): Promise<string> {
  tools = await openTools({
    'other.js': 'run();\n',
    ...Object.fromEntries(changes.map(([path, , after]) => [path, after])),
  });
  Object.assign(tools.context.state, { reviewed: changes.map(patchOf).join('') });
  const findings = at.map((path) => ({
    ...{ path, line: 1, severity: 'medium', category: 'tests' },
    ...{ title: 'No test covers this', body: 'Nothing runs it.' },
  }));
  return tools.say('report_findings', { findings });
}

const inPython = (docstring: string, code = 'return 1') =>
  `#!/usr/bin/python3\n# ${docstring}\ndef one():\n    """${docstring}\n\n    ${docstring}"""\n    ${code}  # ${docstring}\n`;
const inRust = (comment: string, code = '1') =>
  `${comment}fn one() -> i32 {\n    ${code} // ${comment.length}\n}\n`;
const inTypeScript = (comment: string, code = "'use strict'") => `/** ${comment} */\n${code}\n`;

test('no tests are demanded where only comments, docstrings or prose change', async () => {
  const changes: Change[] = [
    ['src/one.py', inPython('Returns one.'), inPython('Returns the number one.')],
    ['src/one.rs', inRust(''), inRust('/// Returns one.\n')],
    ['src/one.ts', inTypeScript('One.'), inTypeScript('One\n * more.')],
    ['README.md', 'One.\n', 'Two.\n'],
  ];
  expect(await demandTests(changes, [...changes.map(([path]) => path), 'other.js'])).toBe(
    'Recorded: nothing found.\nLeft out, as only comments or prose changed there, which need no tests: src/one.py:1 "No test covers this", src/one.rs:1 "No test covers this", src/one.ts:1 "No test covers this", README.md:1 "No test covers this", other.js:1 "No test covers this".',
  );
  expect(tools?.context.state.findings).toEqual([]);
});

test.each<[what: string, change: Change]>([
  ['a statement beside a docstring', ['a.py', inPython('One.'), inPython('Two.', 'return 2')]],
  ['a string that is no docstring', ['a.py', 'x = "one"\n', 'x = "two"\n']],
  ['a formatted string that runs code', ['a.py', 'f"{one()}"\n', 'f"{two()}"\n']],
  ['a directive of JavaScript', ['a.js', "'use strict'\nrun();\n", "'use server'\nrun();\n"]],
  [
    'a directive of Go',
    [
      'a.go',
      'package a\n\n//go:embed a.txt\nvar a string\n',
      'package a\n\n//go:embed b.txt\nvar a string\n',
    ],
  ],
  ['the program of a script', ['a.sh', '#!/bin/sh\nrun\n', '#!/bin/bash\nrun\n']],
  ['text that cannot be parsed', ['a.py', 'def (:\n# one\n', 'def (:\n# two\n']],
  ['a file of an unknown language', ['a.zig', '// one\n', '// two\n']],
])('tests may be demanded for %s', async (_, change) => {
  expect(await demandTests([change])).toMatch(/^1 finding recorded\./);
});

test('in a change with code, only its comments need no tests', async () => {
  const code: Change = ['src/code.ts', inTypeScript('One.'), inTypeScript('One.', 'run()')];
  const comment: Change = ['src/one.ts', inTypeScript('One.'), inTypeScript('Two.')];
  expect(await demandTests([code, comment], ['src/code.ts', 'src/one.ts', 'other.js'])).toBe(
    '2 findings recorded. Not on a line of the diff, so posted at a line of it within ten, else only in the summary:\n- other.js:1 "No test covers this": the change under review does not touch this file\nIf another line was intended, report the whole list again.\nLeft out, as only comments or prose changed there, which need no tests: src/one.ts:1 "No test covers this".',
  );
});
