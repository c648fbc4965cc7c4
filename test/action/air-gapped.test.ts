import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { available } from '../sandbox/runner-fixture.ts';

test.skipIf(!available)(
  'on a machine without a network, nothing but GitHub and the model is asked',
  async () => {
    const { stdout, stderr } = await promisify(execFile)('bwrap', [
      ...['--dev-bind', '/', '/', '--unshare-net', '--die-with-parent'],
      ...[process.execPath, 'test/support/air-gapped-job.ts'],
    ]);
    expect({ ...JSON.parse(stdout), stderr }).toEqual({
      ends: [
        ['pull_request', 0, '', 'success'],
        ['issue_comment', 0, '', 'success'],
      ],
      said: [
        expect.stringContaining('colour.ts:2:'),
        expect.stringContaining('function colour'),
        expect.stringContaining('Edited colour.ts'),
      ],
      colour: 'export function colour() {\n  return "blue";\n}',
      // GitHub and the model are on the loopback address.
      hosts: ['127.0.0.1'],
      stderr: '',
    });
  },
);
