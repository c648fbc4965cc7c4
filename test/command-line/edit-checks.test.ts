import { afterAll, beforeAll, expect, test } from 'vitest';
import { available } from '../sandbox/runner-fixture.ts';
import { call, lastResults } from '../uses/support/conversation.ts';
import { type Local, startLocal } from '../uses/support/start-local.ts';

let local: Local;
beforeAll(async () => {
  local = await startLocal();
});
afterAll(() => local.close());

/** One run that breaks a data file and a script; what the model was told of each, and what the record says. */
async function breakBoth(args: readonly string[]) {
  const prompt = `break ${args.join(' ')}`;
  let told = '';
  local.learn(prompt, (turn, request) => {
    if (turn === 2) told = lastResults(request);
    const edit = (file: string, text: string) => call('write_file', { path: file, content: text });
    return turn === 1 ? { calls: [edit('a.json', '{'), edit('b.sh', 'if\n')] } : { text: 'Done.' };
  });
  const folder = await local.checkout({ 'a.json': '{}\n', 'b.sh': 'true\n' });
  const { stdout } = await local.anode(folder, [
    'run',
    '--prompt',
    prompt,
    '--output',
    'stream-json',
    ...args,
  ]);
  const validations = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
    .flatMap((event) => {
      if (event.type === 'validation') return [`${event.check} ${event.files}: ${event.output}`];
      return event.type === 'change' ? [`${event.change.path} ${event.change.validation}`] : [];
    });
  return { told: [told.includes('[json]'), told.includes('[bash]')], validations };
}

test.runIf(available)('a run in a sandbox checks its changes with parsers and programs', async () => {
  expect(await breakBoth(['--sandbox', 'required'])).toEqual({
    told: [true, true],
    validations: [
      'a.json failed',
      expect.stringMatching(/^bash b\.sh: b\.sh:2 error syntax error: .* \[bash\]$/),
      'b.sh failed',
    ],
  });
});

test('a run without a sandbox checks its changes without programs', async () => {
  expect(await breakBoth(['--sandbox', 'off', '--preset', 'unrestricted'])).toEqual({
    told: [true, false],
    validations: ['a.json failed', 'b.sh unchecked'],
  });
});
