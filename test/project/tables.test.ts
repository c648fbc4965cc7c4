import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { eventShapes } from '../../src/webhooks/triggers/events.ts';

let copy: string;
/** A copy of the sources that knows one more verb and one more event, each from one file. */
beforeAll(() => {
  copy = mkdtempSync(path.join(tmpdir(), 'anode-tables-'));
  cpSync('src', path.join(copy, 'src'), { recursive: true });
  cpSync('package.json', path.join(copy, 'package.json'));
  symlinkSync(path.resolve('node_modules'), path.join(copy, 'node_modules'));
  const put = (file: string, before: string, added: string) => {
    const target = path.join(copy, file);
    const text = readFileSync(target, 'utf8');
    expect(text.split(before).length, `${file} has one place for it`).toBe(2);
    writeFileSync(
      target,
      text.replace(before, () => `${added}${before}`),
    );
  };
  put(
    'src/contract/verbs.ts',
    '  triage: {\n',
    `  translate: { ...defaults, prompt: 'Translate the texts.', profile: 'study', showsDiff: true, byLabel: true,
    aliases: ['localise'], on: both, text: 'optional', does: 'reads', afterMention: 'alone', flags: ofRuns,
    usage: '[words]', help: 'translate the texts' },\n`,
  );
  put(
    'src/webhooks/triggers/events.ts',
    "  'issues.assigned': ",
    "  'issues.opened': { read: (event, name, settings) => fromThread(event, name, settings, 'triage') },\n",
  );
});
afterAll(() => rmSync(copy, { recursive: true }));

const program = `
import { findTrigger } from './src/webhooks/triggers/events.ts';
import { findCandidate } from './src/webhooks/triggers/find-candidate.ts';
import { makePlan } from './src/webhooks/plan/make-plan.ts';
import { planPrompt } from './src/webhooks/plan/plan-prompt.ts';
import { plannedRun } from './src/pipeline/context/planned-run.ts';
import { triggerDefaults } from './src/config/defaults.ts';
import { parseRepositoryConfig } from './src/config/parse-repository-config.ts';
const config = parseRepositoryConfig('triggers: { label: { words: translate } }', 'anode.yml', 'app');
const settings = { ...triggerDefaults(config), autoReview: true, reviewDrafts: false, ownLogins: [],
  waiting: null, questionComment: null, confirmationComment: null, autorun: null };
const sender = { login: 'ada', id: 7, type: 'User' };
const repository = { name: 'shop', owner: { login: 'acme' } };
const issue = { number: 4, updated_at: '2026-01-01T00:00:00Z', state: 'open' };
const event = (action, more = {}) => ({ name: 'issues', delivery_id: null,
  payload: { action, issue, repository, sender, ...more } });
const label = findTrigger(event('labeled', { label: { name: 'words' } }), settings);
const opened = findTrigger(event('opened'), settings);
const plan = makePlan({ trigger: label, source: { kind: 'app', delivery_id: null },
  repository: { owner: 'acme', name: 'shop', default_branch: 'main', clone_url: 'https://x/y.git', private: false },
  defaultHead: 'a'.repeat(40), pull: null, title: 'T', requester: { ...sender, permission: 'write' }, config,
  configSource: null, sandbox: null, prompt: planPrompt(label, (text) => text, (text) => text),
  threadContext: '', attachments: [], waiting: null, ids: { runId: 'run_1', sessionId: 'sess_1' },
  now: new Date(0) });
const onPull = { ...plan, thread: { kind: 'pull_request', number: 4, title: 'T' } };
console.log(JSON.stringify({ candidate: findCandidate(event('opened')).kind, opened: opened.kind, verb: plan.verb,
  prompt: plan.prompt, profile: plan.profile, push: plan.push, readOnly: plan.read_only,
  showDiff: plannedRun(onPull).showDiff }));
`;

test('A verb and an event take one file each: the table', async () => {
  const file = path.join(copy, 'try.ts');
  writeFileSync(file, program);
  const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', file], { cwd: copy });
  expect(JSON.parse(stdout)).toEqual({
    ...{ candidate: 'candidate', opened: 'triage', verb: 'translate', prompt: 'Translate the texts.' },
    ...{ profile: 'study', push: { kind: 'none', reason: '`translate` only reads.' }, readOnly: true },
    showDiff: true,
  });
});

test('app.yml subscribes to the events of the table', () => {
  const { default_events } = parse(readFileSync('app.yml', 'utf8'));
  const subscribed = Object.keys(eventShapes).filter((name) => eventShapes[name]?.subscribed);
  expect(default_events.toSorted()).toEqual(subscribed.toSorted());
});
