import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { noSessionUsage } from '../../../src/contract/usage-sums.ts';
import { createStoryFold } from '../../../src/reporting/html/fold-story.ts';
import { largestReport, renderRunReport } from '../../../src/reporting/html/render-run-report.ts';
import { finding as sampleFinding } from '../samples.ts';
import { attacks, endlessEntries, hostileReport } from './hostile-run.ts';
import { lineOf, sampleEntries, sampleReport, sampleRunOutcome, sampleRunPlan } from './sample-run.ts';

/** Every tag of a page with its attributes: nothing of a stranger's can be one. */
function tagsOf(page: string): { name: string; attributes: string[]; text: string }[] {
  const body = page.replace(/<style>[\s\S]*?<\/style>/, '');
  return [...body.matchAll(/<([!/]?[a-zA-Z][\w-]*)((?:\s+[\w:-]+(?:="[^"<>]*")?)*)\s*\/?>/g)].map(
    ([text, name = '', attributes = '']) => ({
      name,
      attributes: [...attributes.matchAll(/\s([\w:-]+)(?:="[^"]*")?/g)].map(([, one = '']) => one),
      text,
    }),
  );
}

const visible = (page: string): string =>
  page
    .replace(/<style>[\s\S]*?<\/style>/, '')
    .replace(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');

it('displays the whole of a run on one page', () => {
  const page = renderRunReport(sampleReport());
  const text = visible(page);
  for (const words of [
    'Done',
    'Asked by ada on acme/shop#7 Ranges of days · 22 November 2026, 04:00 UTC',
    'Model anthropic/claude-sonnet-4-5',
    'Preset careful sandboxed',
    'Cost $0.0735',
    'Tokens 53,568 33,600 from the cache',
    'Turns 4 of 40',
    'Commit c90d7e2 on ranges',
    'isAfter is not used any more',
    '2 files, +10 −1',
    'Calls that were refused bash npm version patch',
    'Publishing is for people',
    'Set-up: npm ci took 4.1 s',
    'child run review: Review the changes so far',
    'Made room in the conversation: 48,211 → 31,007 tokens.',
    'not ok 2 - the last day belongs to the range',
  ])
    expect(text).toContain(words);
  expect(
    [...page.matchAll(/(?:href|src)="([^"]*)"/g)]
      .map(([, url]) => url)
      .filter((url) => !url?.startsWith('#')),
  ).toEqual([
    expect.stringMatching(/^data:image\/svg\+xml,/),
    'https://github.com/acme/shop/pull/7',
    'https://github.com/acme/shop/commit/c90d7e2',
    'https://github.com/acme/shop/pull/7#pullrequestreview-1',
    'https://github.com/acme/shop/pull/7#issuecomment-2',
    `https://github.com/acme/shop/blob/${'a'.repeat(40)}/src/range.js#L1`,
  ]);
});

it('distinguishes a script that could not be parsed from a refused call', () => {
  const entries = sampleEntries
    .filter((entry) => entry.type !== 'refusal')
    .map((entry) =>
      entry.type === 'tool.call' && entry.decision?.action === 'reject'
        ? { ...entry, decision: { ...entry.decision, rule: null, mistake: true } }
        : entry,
    );
  const text = visible(renderRunReport(sampleReport(entries)));
  expect(text).toContain('failed: bash npm version patch');
  expect(text).toContain('Not run');
  expect(text).not.toContain('refused: bash npm version patch');
});

it('uses the thread’s title for our own prompts, and marks findings on deleted lines', () => {
  const finding = { ...sampleFinding, path: 'src/range.js', side: 'LEFT' as const, line: 3 };
  const page = renderRunReport(
    sampleReport(sampleEntries, {
      plan: { ...sampleRunPlan, verb: 'review' },
      outcome: { ...sampleRunOutcome, findings: [finding] },
    }),
  );
  expect(page).toContain('<h1>Review: Ranges of days</h1>');
  expect(visible(page)).toContain('The whole request');
  expect(visible(page)).toMatch(/src\/range\.js:3 before the change/);
});

it('displays the prompt of a resumed session as an answer', () => {
  const entries = sampleEntries.map((entry) =>
    entry.type === 'run.started' ? { ...entry, prompt: 'Yes', before: noSessionUsage } : entry,
  );
  const page = renderRunReport(sampleReport(entries));
  expect(page).toContain('<h1>Goes on: Yes</h1>');
  expect(visible(page)).not.toContain('The whole request');
});

it('displays the whole request if it says more than the heading', () => {
  const isShown = (prompt: string, verb: 'task' | 'review', before?: typeof noSessionUsage) => {
    const entries = sampleEntries.map((entry) =>
      entry.type === 'run.started' ? { ...entry, prompt, ...(before && { before }) } : entry,
    );
    const page = renderRunReport(sampleReport(entries, { plan: { ...sampleRunPlan, verb } }));
    return visible(page).includes('The whole request');
  };
  expect({
    'a title that ends in it': isShown('days', 'review'),
    'the title itself': isShown('Ranges of days', 'review'),
    'nothing was asked': isShown(' ', 'review'),
    'one line': isShown('Fix  it', 'task'),
    'two lines': isShown('Fix\nit', 'task'),
    'a long line': isShown(`${'x'.repeat(300)}`, 'task'),
    'an ellipsis of its own': isShown('Fix it …', 'task'),
    'a long answer': isShown(`Yes ${'x'.repeat(300)}`, 'task', noSessionUsage),
  }).toEqual({
    'a title that ends in it': true,
    'the title itself': false,
    'nothing was asked': false,
    'one line': false,
    'two lines': true,
    'a long line': true,
    'an ellipsis of its own': false,
    'a long answer': true,
  });
});

it('allows nothing but its own style, by its hash', () => {
  const page = renderRunReport(sampleReport());
  const style = /<style>([\s\S]*?)<\/style>/.exec(page)?.[1] ?? '';
  const hash = createHash('sha256').update(style).digest('base64');
  const policy = /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/
    .exec(page)?.[1]
    ?.replaceAll('&#39;', "'");
  expect(policy).toBe(
    `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'`,
  );
  expect(page.indexOf('Content-Security-Policy')).toBeLessThan(page.indexOf('<style>'));
  expect({ scripts: page.match(/<script/gi), styles: page.match(/<style>|\sstyle=/g) }).toEqual({
    scripts: null,
    styles: ['<style>'],
  });
});

it('renders the same page for the same run', () => {
  expect(renderRunReport(sampleReport())).toBe(renderRunReport(sampleReport()));
});

it('contains no tag, attribute or address from untrusted text', () => {
  const honest = tagsOf(renderRunReport(sampleReport()));
  const names = new Set([...honest.map(({ name }) => name), ...extraTags]);
  const attributes = new Set([...honest.flatMap((tag) => tag.attributes), 'start']);
  for (const attack of [...attacks, undefined]) {
    const page = renderRunReport(hostileReport(attack));
    const tags = tagsOf(page);
    expect(tags.filter(({ name }) => !names.has(name)).map(({ text }) => text)).toEqual([]);
    expect(tags.filter((tag) => tag.attributes.some((one) => !attributes.has(one)))).toEqual([]);
    // Whatever stands between tags has no bracket left that could be one.
    const rest = page.replace(/<style>[\s\S]*?<\/style>/, '').replace(/<[!/]?[a-zA-Z][^<>]*>/g, '');
    expect(rest.match(/[<>]/g)).toBeNull();
    const links = [...page.matchAll(/\shref="([^"]*)"/g)].map(([, url = '']) => url);
    expect(
      links.filter((url) => !/^(?:#|data:image\/svg\+xml,|https:\/\/github\.com\/(?!@))/.test(url)),
    ).toEqual([]);
  }
});

/** Tags that the sample has no use for. */
const extraTags = [
  'a',
  '/a',
  'blockquote',
  '/blockquote',
  'em',
  '/em',
  's',
  '/s',
  'hr',
  'br',
  'strong',
  '/strong',
  'ol',
  '/ol',
];

it('spells out invisible characters', () => {
  const page = renderRunReport(hostileReport());
  const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
  expect(
    [...page.matchAll(unseen)].map(([found]) => found).filter((found) => !'\n\t'.includes(found)),
  ).toEqual([]);
  for (const name of [
    'U+202E',
    'U+2066',
    'U+200B',
    'U+FEFF',
    'U+D800',
    'U+DC00',
    'U+E0041',
    'NUL',
    'ESC',
    '400 accents',
  ])
    expect(page).toContain(`<span class="u">${name}</span>`);
});

it('stays within its size for a very long run, and names what it omits', () => {
  const output = '<&>"\u202e'.repeat(2_000);
  const fold = createStoryFold();
  let seq = 0;
  for (const entry of endlessEntries(500, 8, output)) fold.add(lineOf(entry, ++seq));
  const page = renderRunReport(sampleReport(sampleEntries, { story: fold.story() }));
  expect(Buffer.byteLength(page)).toBeLessThanOrEqual(largestReport);
  expect(page).toMatch(/… [\d,]+ characters left out here …/);
  expect(visible(page)).toContain('more left out here.');
  expect(visible(page)).toContain('Turn 500');
});

it('stays within its size if a few texts are very long', () => {
  const endless = '\u0001'.repeat(5_000_000);
  const report = hostileReport(endless.slice(0, 60_000));
  const fold = createStoryFold();
  let seq = 0;
  for (const entry of endlessEntries(2, 2, endless)) fold.add(lineOf(entry, ++seq));
  const findings = Array.from({ length: 500 }, () => report.outcome.findings[0]).filter(
    (one) => one !== undefined,
  );
  const files = Array.from({ length: 400 }, () => report.outcome.changes.files[0]).filter(
    (one) => one !== undefined,
  );
  const refusals = Array.from({ length: 200 }, () => report.outcome.refusals[0]).filter(
    (one) => one !== undefined,
  );
  const outcome = { ...report.outcome, findings, refusals, changes: { ...report.outcome.changes, files } };
  const page = renderRunReport({ ...report, outcome, story: fold.story() });
  expect(Buffer.byteLength(page)).toBeLessThanOrEqual(largestReport);
});

it('trims an answer, whose first line would otherwise become code', () => {
  const outcome = { ...sampleRunOutcome, answer: '\n    All is well.\n', todos: [] };
  expect(renderRunReport({ ...sampleReport(), outcome })).toContain(
    '<h2>Answer</h2><div class="card"><div class="md"><p>All is well.</p></div></div></section>',
  );
});
