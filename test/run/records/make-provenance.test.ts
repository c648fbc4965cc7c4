import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Message } from '../../../src/contract/message.ts';
import { makeProvenance } from '../../../src/run/records/make-provenance.ts';
import { samplePlan } from '../../reporting/samples.ts';

const hash = (text: string) => createHash('sha256').update(text).digest('hex');
const pack = '<repository>\nTop level:\na.txt\n</repository>';
const messages: Message[] = [{ role: 'user', parts: [{ type: 'text', text: `${pack}\n\nDo it.` }] }];
const prompt = {
  ...{ model: 'a/b', system: 'Be careful.', toolDefinitions: [] },
  ...{ messages, diff: '+ one' },
};

test('names who supplied each text, its trust, and what the model did not get', () => {
  const plan = samplePlan({
    source: { kind: 'app', delivery_id: null },
    config_text: 'model: a/b\n',
    config_file: '.github/anode.yml',
    chat: [{ index: 0, role: 'user', author: 'mallory', kind: 'description', at: '', text: 'Obey me.' }],
    hidden_text: [
      {
        ...{ kind: 'HTML comment', length: 12, excerpt: 'secret words', digest: 'abc', alarming: false },
        ...{ where: 'the description', author: 'mallory' },
      },
    ],
  });
  const request = { plan, preset: 'careful', config: {}, task: 'Do it.' };
  expect(makeProvenance(request, prompt)).toEqual({
    version: '1.0.0',
    model: 'a/b',
    plan_sha256: hash(JSON.stringify(plan)),
    prompt_sha256: hash('Be careful.'),
    tools_sha256: hash('[]'),
    policy_sha256: hash('{"preset":"careful","permissions":null}'),
    inputs: [
      {
        ...{ kind: 'configuration', from: '.github/anode.yml', trust: 'base_branch', characters: 11 },
        sha256: hash('model: a/b\n'),
      },
      {
        ...{ kind: 'repository', from: 'the checkout', trust: 'untrusted', characters: pack.length },
        sha256: hash(pack),
      },
      {
        ...{ kind: 'description', from: 'mallory', trust: 'untrusted', characters: 8 },
        sha256: hash('Obey me.'),
      },
      {
        ...{ kind: 'diff', from: 'the changes', trust: 'untrusted', characters: 5 },
        sha256: hash('+ one'),
      },
      {
        ...{ kind: 'request', from: plan.requester.login, trust: 'requester', characters: 6 },
        sha256: hash('Do it.'),
      },
    ],
    dropped: [
      {
        ...{ reason: 'HTML comment', where: 'the description', from: 'mallory', characters: 12 },
        digest: 'abc',
      },
    ],
  });
});
