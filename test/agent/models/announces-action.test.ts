import { expect, it } from 'vitest';
import { announcesAction } from '../../../src/agent/models/text-protocol.ts';

it.each([
  'Let me look at the tests.',
  'The bug is in the parser.\n\nI’ll now run the tests:',
  'I found the file. First, I will open lib/view.js',
  'I need to check the configuration first.',
  "That is the cause. I'm going to start by reading the file.",
  'Now running the tests...',
  'I look:\n- BASH: ls',
  '`TOOL: {}`',
  'Action: bash\nAction Input: {"command": "ls"}',
])('%j announces an action', (text) => {
  expect(announcesAction(text)).toBe(true);
});

it.each([
  '',
  'All tests pass.',
  'Let me know if I should look at the tests.',
  "I'll run the tests again if you like.",
  'I will not be able to fix this without the key.',
  'First I said: let me look at the tests. They pass now.',
  'Should I run the migration?',
  'See the log:\n```\nBASH: ls\n```',
  'Tool: vitest\nResult: passed',
  'Running the tests takes two minutes.',
])('%j is an answer', (text) => {
  expect(announcesAction(text)).toBe(false);
});
