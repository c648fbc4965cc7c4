import { expect, test } from 'vitest';
import { createReadableLog, readableEntry } from '../../action/readable-log.ts';
import { ConfigError } from '../../src/contract/errors.ts';
import { createLog } from '../../src/redaction/create-log.ts';

/** Returns the lines of a job's log for the entries of the pipeline's log. */
function printed(write: (log: ReturnType<typeof createLog>) => void): string[] {
  const texts: string[] = [];
  write(
    createLog(
      'warn',
      createReadableLog((text) => void texts.push(text)),
      ['the-secret-of-a-job'],
    ),
  );
  return texts;
}

test('an entry is its message with its fields, without times and run ids', () => {
  expect(
    printed((log) => {
      log.warn({ run: 'run_1', status: 403, message: 'Not accessible' }, 'The thread takes no comment.');
      log.warn({ run: 'run_1' }, 'It has the-secret-of-a-job.');
      log.warn('plain');
    }),
  ).toEqual([
    'The thread takes no comment (status: 403, message: Not accessible)',
    'It has [redacted].',
    'plain',
  ]);
});

test('an equal entry is printed once', () => {
  expect(
    printed((log) => {
      for (const run of ['run_1', 'run_2']) log.warn({ run }, 'The thread takes no comment.');
    }),
  ).toEqual(['The thread takes no comment.']);
});

test('an error has a trace only if it is a defect', () => {
  const refused = Object.assign(new Error('Resource not accessible'), { status: 403 });
  const [config, api, defect = ''] = printed((log) => {
    log.error({ err: new ConfigError('No key is set.') }, 'the run failed');
    log.warn({ err: refused }, 'No reaction was given.');
    log.warn({ err: new TypeError('x is undefined') }, 'not finished, for a defect');
  });
  expect([config, api]).toEqual([
    'the run failed (error: No key is set.)',
    'No reaction was given (error: Resource not accessible)',
  ]);
  expect(defect).toMatch(
    /^not finished, for a defect \(error: x is undefined\)\nTypeError: x is undefined\n {4}at /u,
  );
});

test('any other text stays as it is', () => {
  expect(['not JSON', '[1]', '"text"'].map(readableEntry)).toEqual(['not JSON', '[1]', '"text"']);
});
