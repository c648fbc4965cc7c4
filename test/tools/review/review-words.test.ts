import { describe, expect, test } from 'vitest';
import { ToolError } from '../../../src/contract/errors.ts';
import type { Finding } from '../../../src/contract/findings.ts';
import {
  checkPrompt,
  reviewPrompt,
  selectChecks,
  wantedOnly,
} from '../../../src/tools/review/code-review.ts';
import { diffLines, notInDiff, spansParts, withoutPrefix } from '../../../src/tools/review/diff-lines.ts';
import { type ReviewerResult, renderReview } from '../../../src/tools/review/render-findings-list.ts';
import {
  checkFinding,
  findingLines,
  normaliseSuggestion,
} from '../../../src/tools/review/report-findings.ts';

const finding: Finding = {
  ...{ path: 'a.ts', side: 'RIGHT', line: 3, severity: 'high', category: 'bug', title: 'T', body: 'B' },
};

describe('the lines of a diff', () => {
  const diff =
    'diff --git a/old.ts b/new.ts\nrename from old.ts\nrename to new.ts\n--- a/old.ts\n+++ b/new.ts\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n@@ -10,1 +10,2 @@\n ten\n+eleven\n\\ No newline at end of file\n' +
    'diff --git a/gone.ts b/gone.ts\n--- a/gone.ts\n+++ /dev/null\n@@ -4,2 +0,0 @@\n-a\n-b\n';

  test('are those displayed on each side, under both names of a file', async () => {
    const displayed = await diffLines(diff);
    const all = [...(displayed ?? [])].map(([path, { LEFT, RIGHT }]) => [path, [...LEFT], [...RIGHT]]);
    expect(all).toEqual([
      ['old.ts', [2], [1, 2, 3, 10, 11]],
      ['new.ts', [2], [1, 2, 3, 10, 11]],
      ['gone.ts', [4, 5], []],
    ]);
    expect([await diffLines(''), await diffLines('@@ -1 +1 @@\n*')]).toEqual([null, null]);
  });

  test('are counted on each side, also when a removed line follows added ones', async () => {
    const displayedText = await diffLines(
      'diff --git a/data/x b/data/x\n--- a/data/x\n+++ b/data/x\n@@ -1,3 +1,4 @@\n one\n+new\n+newer\n-two\n three\n',
    );
    const all = [...(displayedText ?? [])].map(([path, { LEFT, RIGHT }]) => [path, [...LEFT], [...RIGHT]]);
    const both = new Map(['a/x', 'x'].map((path) => [path, { LEFT: new Set([1]), RIGHT: new Set([1, 2]) }]));
    expect([
      all,
      notInDiff(both, { path: 'x', line: 3, start_line: 2, side: 'RIGHT' }),
      ['a/x', 'b/x', 'x', 'b/y'].map((path) => withoutPrefix(both, path)),
    ]).toEqual([
      [['data/x', [2], [1, 2, 3, 4]]],
      'the diff does not show line 3 of side RIGHT, but 1-2',
      ['a/x', 'x', 'x', 'b/y'],
    ]);
  });

  test('are listed for a location outside them', async () => {
    const displayedLines = (await diffLines(diff)) ?? new Map();
    const at = (path: string, line: number, more: Partial<Finding> = {}) =>
      notInDiff(displayedLines, { path, line, side: 'RIGHT', ...more });
    expect([
      at('new.ts', 10),
      at('new.ts', 3, { start_line: 1 }),
      at('new.ts', 4),
      at('new.ts', 3, { start_line: 4 }),
      at('new.ts', 1, { side: 'LEFT' }),
      at('gone.ts', 4),
      at('other.ts', 1),
    ]).toEqual([
      null,
      null,
      'the diff does not show line 4 of side RIGHT, but 1-3, 10-11',
      'the diff does not show line 4 of side RIGHT, but 1-3, 10-11',
      'the diff does not show line 1 of side LEFT, but 2',
      'the diff shows no lines of side RIGHT of this file',
      'the change under review does not touch this file',
    ]);
  });

  test('are listed for ten parts around the intended line', () => {
    const parts = (count: number, line: number) => {
      const lines = new Set(Array.from({ length: count }, (_, index) => index * 2 + 1));
      return notInDiff(new Map([['a', { LEFT: new Set<number>(), RIGHT: lines }]]), {
        ...{ path: 'a', line, side: 'RIGHT' },
      })?.replace(/^.*, but /, '');
    };
    expect([parts(10, 2), parts(11, 2), parts(12, 12), parts(12, 14), parts(12, 100)]).toEqual([
      '1, 3, 5, 7, 9, 11, 13, 15, 17, 19',
      '1, 3, 5, 7, 9, 11, 13, 15, 17, 19, …',
      '…, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, …',
      '…, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23',
      '…, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23',
    ]);
  });

  test('show whether a range is in one part, and accept a prefix', async () => {
    const shown = await diffLines(diff);
    const spans = (start_line: number | undefined, line: number, path = 'new.ts') =>
      spansParts(shown, { path, line, start_line, side: 'RIGHT' });
    expect([
      spans(1, 3),
      spans(3, 10),
      spans(4, 10),
      spans(undefined, 3),
      spans(1, 3, 'x'),
      spansParts(null, finding),
    ]).toEqual([...[false, true, false, false, false, false]]);
    const bare = ['b/new.ts', 'a/old.ts', 'new.ts', 'c/new.ts', 'b/other.ts'].map((path) =>
      withoutPrefix(shown, path),
    );
    expect([bare, withoutPrefix(null, 'b/new.ts')]).toEqual([
      ['new.ts', 'old.ts', 'new.ts', 'c/new.ts', 'b/other.ts'],
      'b/new.ts',
    ]);
  });
});

describe('the place of a finding', () => {
  const workspace = (text: string | null, kind = 'file') =>
    ({
      files: {
        relative: (path: string) => {
          if (path.startsWith('..')) throw new ToolError('outside_workspace', `${path} lies outside.`);
          return path;
        },
        stat: async () => ({ kind }),
        read: async () => {
          if (text === null) throw new ToolError('not_found', 'a.ts does not exist.');
          return { bytes: Buffer.from(text) };
        },
      },
    }) as never;
  const check = (text: string | null, more: Partial<Finding> = {}, kind?: string) =>
    checkFinding(workspace(text, kind), { ...finding, ...more });
  const left = 'for a deleted line give side LEFT and its old number.';

  test('must exist, as far as that can be checked', async () => {
    expect([
      await check('1\n2\n3\n'),
      await check('1\n2\n3'),
      await check('1\n2\n'),
      await check('', { line: 1 }),
      await check('', { line: 2 }),
      await check('', { side: 'LEFT', line: 9 }),
      await check(null),
      await check('x', { path: '../a' }),
      await check('1\n2\n3', { start_line: 4 }),
      await check('1\n2\n3', { start_line: 3 }),
      await check('long\npath', { line: 2 }, 'symlink'),
    ]).toEqual([
      null,
      null,
      `a.ts has the lines 1 to 2; ${left}`,
      null,
      `a.ts has no lines; ${left}`,
      null,
      'a.ts does not exist. For a file that the change deletes, give side LEFT.',
      '../a lies outside.',
      'start_line 4 comes after line 3; give the first line and the last one.',
      null,
      `a.ts has the lines 1 to 1; ${left}`,
    ]);
  });

  test('has lines if they can be read', async () => {
    const lines = (more: Partial<Finding>, kind?: string) =>
      findingLines(workspace('1\r\n2\n3\n4', kind), { ...finding, ...more });
    expect([
      await lines({}),
      await lines({ start_line: 2 }),
      await lines({ side: 'LEFT' }),
      await lines({}, 'symlink'),
    ]).toEqual([['3'], ['2', '3'], null, null]);
  });
});

describe('a suggestion', () => {
  const settled = (
    suggestion: string,
    standing: string[] | null = null,
    more: Partial<Finding> = {},
    apart = false,
  ) => {
    const { finding: stored, note } = normaliseSuggestion(
      { ...finding, suggestion, ...more },
      standing,
      apart,
    );
    return [stored.suggestion, note];
  };

  test('is taken out of a surrounding fence, in Markdown only out of a suggestion fence', () => {
    expect([
      settled('```ts\na();\n```\n'),
      settled('~~~\na();\n~~~'),
      settled('````\n```\n````'),
      settled(' ```\n a\n ```'),
      settled('```\na\n``` b'),
      settled('```\na\n```\nb\n```'),
      settled('```ts\na\n```', null, { path: 'a.md' }),
      settled('```suggestion\na\n```', null, { path: 'a.MDX' }),
      settled('```ts\na\n```', null, { path: 'a.mdc' }),
      settled('``a``'),
    ]).toEqual([
      ['a();', null],
      ['a();', null],
      ['```', null],
      [' a', null],
      ['```\na\n``` b', null],
      ['```\na\n```\nb\n```', null],
      ['```ts\na\n```', null],
      ['a', null],
      ['a', null],
      ['``a``', null],
    ]);
  });

  test('is dropped if it changes nothing, and reported if it is probably a mistake', () => {
    const shift = (by: number) =>
      `its suggestion replaces whole lines: it is not indented, and they are by ${by}. If that is not intended, report the whole list again`;
    expect([
      settled('a\r\nb\r\n', ['a', 'b']),
      settled('a\n', ['b'], { side: 'LEFT' }),
      settled('a', ['  a']),
      settled('a\n  b', ['    a', '      b', '']),
      settled(' a', ['  a']),
      settled('a', ['a ']),
      settled('a', ['']),
      settled('', ['  a']),
      settled('a', ['  a'], {}, true),
      settled('a', null, {}, true),
      settled('a'),
    ]).toEqual([
      [undefined, 'its suggestion is left out: it is what these lines say already'],
      [undefined, 'its suggestion is left out: a deleted line cannot be replaced'],
      ['a', shift(2)],
      ['a\n  b', shift(4)],
      [' a', null],
      ['a', null],
      ['a', null],
      ['', null],
      [
        'a',
        'its lines are not all in one part of the diff, so its suggestion can only be shown; take lines of one part',
      ],
      [
        'a',
        'its lines are not all in one part of the diff, so its suggestion can only be shown; take lines of one part',
      ],
      ['a', null],
    ]);
    expect(normaliseSuggestion(finding, ['  a'], true)).toEqual({ finding, note: null });
  });
});

describe('the task of a reviewer', () => {
  const change = { description: 'D', files: [], instructions: null, scope: null };
  const ending = 'State what you find with report_findings, then answer with a short summary.';

  test('includes what is known about the change', () => {
    const prompt = (more: object) => reviewPrompt({ ...change, ...more }, []).split('\n\n');
    const all =
      'Review the changed files as a whole, and the code that depends on them: also report earlier defects, and mark them as earlier.';
    const only = 'Report only what the change itself brings in.';
    expect([
      prompt({}),
      prompt({ files: ['a', 'b'], instructions: 'I', scope: 'ALL' }),
      ...['changes-only', 'change only', 'Changes_Only'].map((scope) => prompt({ scope })[1]),
      ...['only changes', 'changes-only!', 'overall', 'changesonly'].map((scope) => prompt({ scope })[1]),
    ]).toEqual([
      ['The change:\nD', ending],
      ['The change:\nD', 'Files to look at first: a, b', all, 'I', ending],
      ...[only, only, only],
      ...['Scope: only changes', 'Scope: changes-only!', 'Scope: overall', 'Scope: changesonly'],
    ]);
  });

  test('names at most fifty existing findings', () => {
    const reported = (count: number) =>
      reviewPrompt(
        change,
        Array.from({ length: count }, () => ({ ...finding, path: 'a"b', title: 'x\n y' })),
      )
        .split('\n\n')[1]
        ?.split('\n');
    const line = '- "a\\"b":3 x y';
    expect([reported(1), reported(50)?.length, reported(51)?.slice(-2)]).toEqual([
      ['Found already, do not report it again:', line],
      51,
      [line, '- and 1 more'],
    ]);
  });

  test('may be a single check', () => {
    const check = { name: 'sql', description: '', severity: null, tools: null, instructions: 'Look.' };
    const head = 'Carry out one check on a change, and report nothing else.\n\n# Check: sql\nLook.';
    expect([checkPrompt(change, check), checkPrompt(change, { ...check, severity: 'low' })]).toEqual([
      `${head}\n\nThe change:\nD\n\n${ending}`,
      `${head}\n\nSeverity of what you find, unless it clearly differs: low.\n\nThe change:\nD\n\n${ending}`,
    ]);
  });
});

test('more than twenty checks are only named', () => {
  const checks = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      ...{ name: `c${index}`, description: '', severity: null, tools: null, instructions: 'x' },
    }));
  const selected = (filter: string[], count: number) => {
    const { described, notes, wants } = selectChecks(filter, checks(count));
    return [described.length, notes, wants('secrets'), wants('C1')];
  };
  expect([selected([], 20), selected([], 22), selected(['C1*'], 22), selected(['SECRETS'], 2)]).toEqual([
    [20, [], true, true],
    [20, ['Not run, because at most 20 run at once: c20, c21.'], true, true],
    [11, [], false, true],
    [0, [], true, false],
  ]);
});

test('checks without a model count if they were requested and had something to check', () => {
  const result = {
    ran: ['secrets', 'files', 'linters'],
    idle: ['files'],
    findings: [finding, { ...finding, check: 'secrets' }, { ...finding, check: 'linters' }],
    notes: ['n'],
  };
  const only = (name: string) => name !== 'linters';
  expect([
    wantedOnly(result as never, only),
    wantedOnly({ ...result, idle: undefined } as never, () => true).ran,
  ]).toEqual([
    { ran: ['secrets'], idle: ['files'], findings: result.findings.slice(0, 2), notes: ['n'] },
    ['secrets', 'files', 'linters'],
  ]);
});

describe('a review', () => {
  const settling =
    '[A finding counts as fixed once you change its lines; any other stands open in the report. The same review again replaces this one.]';
  const reviewer = (more: Partial<ReviewerResult> = {}): ReviewerResult => ({
    ...{ name: null, findings: [], childRunId: 'run_2', conclusion: 'success', answer: '' },
    ...more,
  });
  const rendered = (reviewed: ReviewerResult[], findings: Finding[] = [], more: object = {}) =>
    renderReview({
      ...{ findings, reviewed, alone: { ran: [], findings: [], notes: [] }, notes: [], checksOnly: false },
      ...more,
    }).split('\n');

  test('reports its findings, its reviewers and its end', () => {
    expect([
      rendered([]),
      rendered([reviewer()]),
      rendered([reviewer({ answer: 'Fine.' })]),
      rendered([reviewer({ answer: 'Fine.' })], [], { checksOnly: true }),
      rendered([reviewer({ conclusion: 'limit' })], [finding]),
      rendered([reviewer({ findings: null, conclusion: 'limit' })]),
      rendered([reviewer({ findings: null })], [finding]),
    ]).toEqual([
      ['The checks found nothing.'],
      ['The review found nothing.'],
      ['The review found nothing.', '', 'Fine.'],
      ['The review found nothing.'],
      ['1 finding. The review ended early (limit).', '- a.ts:3 [high] T: B', settling],
      ['The reviewer reported no findings. The review ended early (limit).'],
      ['The reviewer reported no findings. Of the checks: 1 finding.', '- a.ts:3 [high] T: B', settling],
    ]);
  });

  test('names the checks that ran and those without a result', () => {
    const findings = [{ ...finding, check: 'sql', suggestion: 'x' }, finding];
    const checks = [
      reviewer({ name: 'sql', findings }),
      reviewer({ name: 'locks', findings: null, conclusion: 'limit' }),
      reviewer({ name: 'io', findings: null, conclusion: 'failed', answer: 'Broken.' }),
    ];
    const alone = { ran: ['secrets'], findings: [], notes: [] };
    expect(rendered(checks, findings, { alone, notes: ['n'] })).toEqual([
      '2 findings.',
      ...['- a.ts:3 [high] T: B (sql)', '  Suggested:', 'x', '- a.ts:3 [high] T: B'],
      'Checks that ran: secrets, sql.',
      ...['Check without a result: locks (limit)', 'Check without a result: io (failed) Broken.'],
      ...['[n]', settling],
    ]);
  });
});
