import { expect, test } from 'vitest';
import { readSource, trackedFiles } from './source-tree.ts';

/** Calls of `createOctokit` that give no redactor: their clients only read. */
const readers = [
  'action/job-ports.ts',
  'action/main.ts',
  'action/open-thread-state.ts',
  'action/run-event.ts',
  'action/run-event.ts',
  'src/command-line/event-command.ts',
  'src/pipeline/context/broker-context.ts',
  'src/pipeline/decide-on-event.ts',
  'src/pipeline/prepare/fetch-attachments.ts',
];

test('every client that may post has a redactor', () => {
  const files = trackedFiles().filter((file) => /^(src|action)\/.*\.ts$/.test(file));
  const calls = files.flatMap((file) =>
    [...readSource(file).matchAll(/(?<!function )createOctokit\(\{([^}]*)\}/g)].map(([, given = '']) => ({
      file,
      posts: /\bposting\b/.test(given),
    })),
  );
  expect(calls.flatMap(({ file, posts }) => (posts ? [] : [file]))).toEqual(readers);
});
