import { expect, test } from 'vitest';
import { decideVerdict, type VerdictFacts } from '../../../src/reporting/findings/decide-verdict.ts';

const decide = (facts: Partial<VerdictFacts>) => {
  const { event, withdraw } = decideVerdict({
    ...{ open: [], complete: true, unseen: false, moved: false, fork: false, current: null, settings: {} },
    ...facts,
  });
  return `${event}${withdraw ? ', withdrawn' : ''}`;
};

test.each<[string, Partial<VerdictFacts>, string]>([
  ['nothing configured', { open: ['critical'] }, 'COMMENT'],
  ['nothing found, nothing configured', {}, 'COMMENT'],
  ['nothing open, approving on', { settings: { approve: true } }, 'APPROVE'],
  ['a fork', { settings: { approve: true }, fork: true }, 'COMMENT'],
  ['another head or base by now', { settings: { approve: true }, moved: true }, 'COMMENT'],
  ['nothing to see', { settings: { approve: true }, unseen: true }, 'COMMENT'],
  [
    'nothing left to see',
    { settings: { approve: true }, unseen: true, current: 'APPROVED' },
    'COMMENT, withdrawn',
  ],
  ['a review that broke off', { settings: { approve: true }, complete: false }, 'COMMENT'],
  ['the least thing open', { settings: { approve: true }, open: ['info'] }, 'COMMENT'],
  ['a blocker', { settings: { requestChanges: true }, open: ['high'] }, 'REQUEST_CHANGES'],
  ['less than a blocker', { settings: { requestChanges: true }, open: ['medium'] }, 'COMMENT'],
  ['a blocker by configuration', { settings: { requestChanges: 'low' }, open: ['low'] }, 'REQUEST_CHANGES'],
  [
    'a blocker in a fork',
    { settings: { requestChanges: true }, open: ['high'], fork: true },
    'REQUEST_CHANGES',
  ],
  ['requests switched off', { settings: { requestChanges: false }, open: ['critical'] }, 'COMMENT'],
  [
    'blockers gone',
    { settings: { requestChanges: true }, open: ['low'], current: 'CHANGES_REQUESTED' },
    'COMMENT, withdrawn',
  ],
  [
    'blockers not seen',
    { settings: { requestChanges: true }, complete: false, current: 'CHANGES_REQUESTED' },
    'COMMENT',
  ],
  [
    'all gone',
    { settings: { requestChanges: true, approve: true }, current: 'CHANGES_REQUESTED' },
    'APPROVE, withdrawn',
  ],
])('decides the verdict with %s', (_, facts, verdict) => {
  expect(decide(facts)).toBe(verdict);
});
