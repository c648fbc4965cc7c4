import { afterEach, beforeEach, expect, it, test } from 'vitest';
import { checkRules } from '../../../src/contract/checks.ts';
import type { Finding } from '../../../src/contract/findings.ts';
import { renderSarif, uploadSarif } from '../../../src/reporting/check-run/sarif.ts';
import { numbered } from '../../../src/reporting/findings/line-context.ts';
import { loadApi } from '../../support/github/protocol/api.ts';
import { everything, octokitForApp, refusalOf, startShop } from '../../support/github/shop.ts';
import { sarifProblems } from '../../support/sarif/sarif-problems.ts';

const source = { lines: () => numbered('first line\nsecond line\nthird line\n') };
const context = { source, sha: null, repository: null, complete: true, forUpload: false };

const secret: Finding = {
  path: 'src/a b/ä.ts',
  side: 'RIGHT',
  start_line: 1,
  line: 2,
  severity: 'critical',
  category: 'security',
  title: 'A credential in the change',
  body: 'Revoke it.',
  check: 'secrets',
};
const bug: Finding = {
  path: 'b.ts',
  side: 'RIGHT',
  line: 3,
  severity: 'low',
  category: 'Off by one',
  title: 'One too few',
  body: 'The last is left out.',
  suggestion: 'third line!',
};

test('renders a rule with help for each check and category, and each finding at its lines', () => {
  const log = renderSarif([secret, bug], {
    ...context,
    sha: 'a'.repeat(40),
    repository: 'https://github.com/a/b',
  });
  expect(sarifProblems(log)).toEqual([]);
  const [run] = log.runs;
  expect(
    run?.tool.driver.rules.map(({ id, defaultConfiguration, properties }) => ({
      id,
      defaultConfiguration,
      properties,
    })),
  ).toEqual([
    {
      id: 'check/secrets',
      defaultConfiguration: { level: 'error' },
      properties: { tags: ['security', 'check'], precision: 'high', 'security-severity': '9.5' },
    },
    {
      id: 'review/off-by-one',
      defaultConfiguration: { level: 'note' },
      properties: { tags: ['review'], precision: 'medium' },
    },
  ]);
  expect(run?.tool.driver.rules.every(({ help }) => help.text.length > 20)).toBe(true);
  expect(run?.versionControlProvenance).toEqual([
    { repositoryUri: 'https://github.com/a/b', revisionId: 'a'.repeat(40) },
  ]);
  const fingerprint = { 'anodeFinding/v1': expect.stringMatching(/^[0-9a-f]{16}:1$/) };
  const place = { uri: 'b.ts', uriBaseId: 'SRCROOT' };
  expect(run?.results).toEqual([
    {
      ruleId: 'check/secrets',
      ruleIndex: 0,
      level: 'error',
      message: { text: 'A credential in the change\n\nRevoke it.' },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'src/a%20b/%C3%A4.ts', uriBaseId: 'SRCROOT' },
            region: { startLine: 1, endLine: 2 },
          },
        },
      ],
      partialFingerprints: fingerprint,
      properties: { severity: 'critical' },
    },
    {
      ruleId: 'review/off-by-one',
      ruleIndex: 1,
      level: 'note',
      message: { text: 'One too few\n\nThe last is left out.' },
      locations: [{ physicalLocation: { artifactLocation: place, region: { startLine: 3, endLine: 3 } } }],
      partialFingerprints: fingerprint,
      properties: { severity: 'low' },
      fixes: [
        {
          description: { text: 'What the reviewer suggests for these lines.' },
          artifactChanges: [
            {
              artifactLocation: place,
              replacements: [
                {
                  deletedRegion: { startLine: 3, endLine: 4, startColumn: 1, endColumn: 1 },
                  insertedContent: { text: 'third line!\n' },
                },
              ],
            },
          ],
        },
      ],
    },
  ]);
});

test('reports findings on deleted lines on the file, and numbers equal findings', () => {
  const log = renderSarif([{ ...bug, side: 'LEFT' }, secret, secret], {
    ...context,
    forUpload: true,
    complete: false,
  });
  expect(sarifProblems(log)).toEqual([]);
  const [run] = log.runs;
  expect(run?.invocations).toEqual([{ executionSuccessful: false }]);
  expect(run?.results[0]?.message).toEqual({
    text: 'One too few (of line 3 before the change)\n\nThe last is left out.',
  });
  expect(run?.results[0]?.locations[0]?.physicalLocation.region).toEqual({ startLine: 1, endLine: 1 });
  const hashes = run?.results.map(
    ({ partialFingerprints }) => partialFingerprints.primaryLocationLineHash ?? '',
  );
  expect(hashes?.map((hash) => hash.split(':')[1])).toEqual(['1', '1', '2']);
  expect(hashes?.[1]?.split(':')[0]).toEqual(hashes?.[2]?.split(':')[0]);
});

test('renders a valid log without findings, and marks a broken run', () => {
  const log = renderSarif([], context);
  expect([sarifProblems(log), sarifProblems({ ...log, version: '2' })]).toEqual([
    [],
    ['/version must be equal to one of the allowed values'],
  ]);
});

test('names repository and commit, and gives rules readable names', () => {
  const { runs, ...head } = renderSarif([{ ...bug, category: 'SECURITY', start_line: 5 }, secret], context);
  const [run] = runs;
  const { results, ...about } = run ?? {};
  const said = (title: string, help: string) => ({
    shortDescription: { text: title },
    fullDescription: { text: title },
    help: { text: help, markdown: help },
  });
  expect(head).toEqual({
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
  });
  expect(about).toEqual({
    tool: {
      driver: {
        name: 'Anode CI',
        rules: [
          {
            id: 'check/secrets',
            name: 'CheckSecrets',
            ...said(checkRules.secrets.title, checkRules.secrets.help),
            defaultConfiguration: { level: 'error' },
            properties: { tags: ['security', 'check'], precision: 'high', 'security-severity': '9.5' },
          },
          {
            id: 'review/security',
            name: 'ReviewSecurity',
            ...said('Review: security', expect.stringMatching(/^A reviewing model says this/)),
            defaultConfiguration: { level: 'note' },
            properties: { tags: ['security', 'review'], precision: 'medium', 'security-severity': '2.0' },
          },
        ],
      },
    },
    automationDetails: { id: 'anode-ci/review/' },
    columnKind: 'utf16CodeUnits',
    invocations: [{ executionSuccessful: true }],
    originalUriBaseIds: { SRCROOT: { description: { text: 'The root of the checkout.' } } },
  });
  expect(results?.map(({ locations }) => locations[0]?.physicalLocation.region)).toEqual([
    { startLine: 3, endLine: 5 },
    { startLine: 1, endLine: 2 },
  ]);
});

test.each([
  ['critical', 'error', '9.5'],
  ['high', 'error', '8.0'],
  ['medium', 'warning', '5.0'],
  ['low', 'note', '2.0'],
  ['info', 'note', '1.0'],
] as const)('Renders %s as %s with the score %s, also for the rule of its worst finding', (severity, level, score) => {
  const one: Finding = { ...bug, category: 'security', severity };
  const [run] = renderSarif([{ ...one, severity: 'info' }, one], context).runs;
  const [rule] = run?.tool.driver.rules ?? [];
  expect([
    rule?.defaultConfiguration.level,
    rule?.properties['security-severity'],
    run?.results.map((result) => [result.level, result.properties]),
  ]).toEqual([
    level,
    score,
    [
      ['note', { severity: 'info' }],
      [level, { severity }],
    ],
  ]);
});

test('names a rule by its category, in at most 200 characters', () => {
  const categories = ['  Off-by_ONE! ', '!!', 'x'.repeat(300), 'off by one'];
  const [run] = renderSarif(
    categories.map((category) => ({ ...bug, category, check: 'toString' })),
    context,
  ).runs;
  expect([
    run?.tool.driver.rules.map(({ id, name, shortDescription }) => [id, name, shortDescription.text]),
  ]).toEqual([
    [
      ['review/off-by-one', 'ReviewOffByOne', 'Review: off by one'],
      ['review/other', 'ReviewOther', 'Review: other'],
      [`review/${'x'.repeat(193)}`, `ReviewX${'x'.repeat(192)}`, `Review: ${'x'.repeat(193)}`],
    ],
  ]);
  expect(run?.results.map(({ ruleIndex }) => ruleIndex)).toEqual([0, 1, 2, 0]);
});

test('replaces whole lines by a suggestion, and offers none for deleted lines', () => {
  const suggested = (more: Partial<Finding>) =>
    renderSarif([{ ...bug, start_line: 2, ...more }], context).runs[0]?.results[0]?.fixes?.map(
      ({ artifactChanges }) => artifactChanges[0]?.replacements[0],
    );
  const deletedRegion = { startLine: 2, endLine: 4, startColumn: 1, endColumn: 1 };
  expect([suggested({ suggestion: 'a\nb\n' }), suggested({}), suggested({ side: 'LEFT' })]).toEqual([
    [{ deletedRegion, insertedContent: { text: 'a\nb\n' } }],
    [{ deletedRegion, insertedContent: { text: 'third line!\n' } }],
    undefined,
  ]);
});

test('omits an unknown repository or commit', () => {
  const provenance = (more: object) =>
    renderSarif([], { ...context, ...more }).runs[0]?.versionControlProvenance;
  expect([provenance({ sha: 'a' }), provenance({ repository: 'b' })]).toEqual([undefined, undefined]);
});

const api = loadApi();
let world: Awaited<ReturnType<typeof startShop>>;

beforeEach(async () => {
  world = await startShop({ api });
});
afterEach(async () => {
  const problems = world.github.problems();
  await world.github.close();
  expect(problems).toEqual([]);
});

const log = { version: '2.1.0', runs: [{ tool: { driver: { name: 'Anode CI' } }, results: [] }] };

function plan() {
  const { pull } = world;
  return {
    triggered_at: '2026-01-02T03:04:05.000Z',
    repository: {
      owner: 'acme',
      name: 'shop',
      default_branch: 'main',
      clone_url: 'https://github.example/acme/shop.git',
      private: false,
    },
    checkout: {
      ref: `refs/pull/${pull.number}/head`,
      sha: pull.headSha,
      base_ref: 'main',
      base_sha: null,
      fork: false,
    },
  };
}

it('uploads a whole log to code scanning, for the reviewed commit and ref', async () => {
  const permissions = { ...everything, security_events: 'write' } as const;
  const scanner = world.github.addApp({ slug: 'scanner', permissions });
  const { id } = await uploadSarif(log, plan(), octokitForApp(world.github, scanner));
  expect(world.repository.sarifs()).toEqual([
    { id, ref: 'refs/pull/2/head', sha: world.pull.headSha, tool: 'Anode CI', log },
  ]);
});

it('throws without the permission, and for a file that is not SARIF', async () => {
  const permissions = { ...everything, security_events: 'write' } as const;
  const scanner = octokitForApp(world.github, world.github.addApp({ slug: 'scanner', permissions }));
  expect([
    (await refusalOf(uploadSarif(log, plan(), world.bot))).status,
    (await refusalOf(uploadSarif({ runs: 'none' }, plan(), scanner))).status,
  ]).toEqual([403, 400]);
  expect(world.repository.sarifs()).toEqual([]);
});
