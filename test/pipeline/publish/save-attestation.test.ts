import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { saveAttestation } from '../../../src/pipeline/publish/save-attestation.ts';
import { createLog } from '../../../src/redaction/create-log.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'anode-attestation-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('an attestation that cannot be uploaded is in the folder of the run, and the log has the reason', async () => {
  const logged: string[] = [];
  const log = createLog('warn', { write: (line: string) => void logged.push(line) }, []);
  const storeAttestation = async () => {
    throw new Error('The service is down.');
  };
  const run = path.join(folder, 'run_1');
  const commit = { sha: 'a'.repeat(40), attestation: '{"signed":true}\n' };
  const file = await saveAttestation(commit, run, { log, storeAttestation });
  expect([file, await readFile(file ?? '', 'utf8'), JSON.parse(logged[0] ?? '')]).toEqual([
    path.join(run, 'attestation.json'),
    commit.attestation,
    expect.objectContaining({
      msg: 'The attestation of aaaaaaaaaaaa could not be uploaded.',
      err: expect.objectContaining({ message: 'The service is down.' }),
    }),
  ]);
});

test('a commit without an attestation leaves no file', async () => {
  const log = createLog('silent', { write: () => undefined }, []);
  expect(await saveAttestation({ sha: 'b'.repeat(40) }, path.join(folder, 'run_2'), { log })).toBe(null);
});
