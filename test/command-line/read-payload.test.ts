import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readPayload } from '../../src/command-line/user-files.ts';
import { ConfigError } from '../../src/contract/errors.ts';

let file: string;
beforeAll(async () => {
  file = path.join(await mkdtemp(path.join(tmpdir(), 'anode-payload-')), 'event.json');
});
afterAll(() => rm(path.dirname(file), { recursive: true, force: true }));

const refusal = async (): Promise<string> => {
  const error = await readPayload(file).then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ConfigError);
  return error instanceof ConfigError ? error.message : '';
};

test('reads a payload unchanged', async () => {
  await writeFile(file, '{"action":"created","issue":{"number":1}}');
  expect(await readPayload(file)).toEqual({ action: 'created', issue: { number: 1 } });
});

test('refuses a file that is no JSON object, by its name', async () => {
  const said: string[] = [];
  for (const text of ['[1]', 'null', '"text"']) {
    await writeFile(file, text);
    said.push(await refusal());
  }
  expect(said).toEqual(
    said.map(() => `${file} is not a JSON object: it takes the payload as GitHub sends it.`),
  );
  await writeFile(file, '{"action":');
  expect((await refusal()).startsWith(`${file} is not JSON: `)).toBe(true);
});

test('refuses a missing file, by its name', async () => {
  await rm(file, { force: true });
  expect(await refusal()).toBe(`${file} cannot be read: there is no such file.`);
});
