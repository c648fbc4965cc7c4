import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultBranchTemplate } from '../../../src/config/defaults.ts';
import { type BranchFacts, branchName, slugOf } from '../../../src/webhooks/plan/branch-name.ts';

const facts: BranchFacts = {
  prefix: 'anode/',
  entityType: 'issue',
  entityNumber: '7',
  timestamp: '20260102-030405',
  date: '20260102',
  slug: 'support-week-numbers',
  sha: 'abc1234',
  requester: 'ada',
  run: 'run_1',
};
const name = (template: string, more: Partial<BranchFacts> = {}, taken = 'main') =>
  branchName(template, { ...facts, ...more }, taken);

test('a branch has the parts of its template, without characters that git or a shell interprets', () => {
  expect([
    name(defaultBranchTemplate),
    name('{{prefix}}{{ slug }}-{{sha}}', { prefix: 'bots/' }),
    name('feature/{{requester}}/{{date}}', { requester: 'dependabot[bot]' }),
    name('{{slug}}', { slug: '' }),
    name('../../{{slug}}..x.lock', { slug: '$(id) ~^: été @{1}' }),
    name('{{prefix}}x', { prefix: '-/.hidden//' }),
    name('{{slug}}', { slug: 'Main' }),
    name('HEAD'),
    name('{{ constructor }}/x'),
    name('ß/é日本é/a__b- -c'),
    name('x', {}, 'X'),
    name('.-.x.-/-.LOCK/y-.LOCK.lock/z..lock.-'),
    name('a.locked/lock'),
    name(`${'x'.repeat(113)}.LOCK.-y`),
    name(`${'x'.repeat(119)}/y`),
    name(`${'long-'.repeat(60)}`).length,
  ]).toEqual([
    'anode/issue-7-20260102-030405',
    'bots/support-week-numbers-abc1234',
    'feature/dependabot-bot/20260102',
    'anode-run_1',
    'id-ete-1-.x',
    'hidden/x',
    'Main-20260102-030405',
    'anode-run_1',
    'constructor/x',
    'ss/e-e/a__b-c',
    'x-20260102-030405',
    'x/LOCK/y/z',
    'a.locked/lock',
    'x'.repeat(113),
    'x'.repeat(119),
    119,
  ]);
});

test('a slug consists of the first whole words of a title, without accents', () => {
  expect([
    slugOf('Support week numbers!'),
    slugOf('Größe der Kalenderwochen über den Jahreswechsel hinweg ändern'),
    slugOf('日本語'),
    slugOf(' «été» '),
    slugOf(`${'x'.repeat(38)} yz`),
    slugOf(`${'x'.repeat(37)} yz`),
    slugOf('x'.repeat(60)),
  ]).toEqual([
    'support-week-numbers',
    'grosse-der-kalenderwochen-uber-den',
    '',
    'ete',
    'x'.repeat(38),
    `${'x'.repeat(37)}-yz`,
    'x'.repeat(40),
  ]);
});

test('git accepts the name, whatever template and title contain', () => {
  const names = fc
    .sample(fc.tuple(fc.string({ unit: 'binary', maxLength: 40 }), fc.string({ maxLength: 40 })), 40)
    .map(([template, slug]) => name(`${template}{{slug}}/${slug}`, { slug }));
  const refused = names.filter((one) => {
    try {
      execFileSync('git', ['check-ref-format', '--branch', one], { stdio: 'ignore' });
      return !/^[\w./-]{1,120}$/.test(one);
    } catch {
      return true;
    }
  });
  expect(refused).toEqual([]);
});
