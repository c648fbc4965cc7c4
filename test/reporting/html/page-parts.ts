import type { Outcome } from '../../../src/contract/outcome.ts';
import { sampleOutcome, samplePlan } from '../samples.ts';

export const places = { origins: ['https://github.com'], hosts: [] };
export const story = { started: null, startedAt: '', endedAt: '', finished: true, before: [], turns: [] };
export const context = (outcome: Partial<Outcome>, more: object = {}) =>
  ({
    ...{ story, outcome: sampleOutcome(outcome), plan: samplePlan(), published: null, runUrl: null },
    ...{ places, scale: 1, ...more },
  }) as never;
/** The words that a reader sees of a piece of a page, in one line. */
export const seen = (piece: { html: string } | null) =>
  piece === null
    ? null
    : piece.html
        .replaceAll(/<[^>]*>/g, '|')
        .replaceAll(/\s+/g, ' ')
        .replaceAll(/ ?(?:\| ?)+/g, '|');
