import { describe, expect, it } from 'vitest';
import type { IncomingEvent } from '../../../src/contract/event.ts';
import { notYetTold } from '../../../src/contract/known-head.ts';
import { stateKeys } from '../../../src/contract/state-keys.ts';
import { decideHead, readHeadRecord, recordHead } from '../../../src/webhooks/records/head-record.ts';
import { memoryStore } from '../memory-store.ts';

const key = stateKeys.head(7);

/** GitHub's event about the pull request's head. */
function told(sha: string, updated_at: string, action = 'synchronize'): IncomingEvent {
  const repository = { name: 'shop', owner: { login: 'acme' } };
  const payload = { action, repository, pull_request: { number: 7, head: { sha }, updated_at } };
  return { name: 'pull_request', delivery_id: null, payload };
}

async function headAfter(...events: readonly IncomingEvent[]) {
  const store = memoryStore();
  for (const event of events) await recordHead(store, event);
  return readHeadRecord(store, key);
}

describe('the head of a pull request', () => {
  it('is the last pushed one, in whatever order deliveries arrive', async () => {
    const [first, second] = [told('one', '2026-01-01T10:00:00Z'), told('two', '2026-01-01T10:00:05Z')];
    const newest = { sha: 'two', at: '2026-01-01T10:00:05.000Z' };
    expect([await headAfter(first, second), await headAfter(second, first)]).toEqual([newest, newest]);
    const at = '2026-01-01T10:00:05Z';
    expect(await headAfter(told('one', at), told('two', at))).toEqual(newest);
  });

  it('has the time of its first report, whatever else changes', async () => {
    const edited = told('one', '2026-01-01T11:00:00Z', 'edited');
    expect(await headAfter(told('one', '2026-01-01T10:00:00Z'), edited)).toEqual({
      sha: 'one',
      at: '2026-01-01T10:00:00.000Z',
    });
  });

  it('below our own commits is recorded without replacing the newest', async () => {
    const store = memoryStore();
    const ours = { sha: 'ours', at: '2026-01-01T11:00:00.000Z', made: ['ours'] };
    store.values.set(key, JSON.stringify({ ...ours, under: { sha: 'one', at: notYetTold } }));
    await recordHead(store, told('one', '2026-01-01T10:00:00Z'));
    await recordHead(store, told('ours', '2026-01-01T11:00:01Z'));
    const under = { sha: 'one', at: '2026-01-01T10:00:00.000Z' };
    expect(await readHeadRecord(store, key)).toEqual({ ...ours, under });
  });

  it('is removed when the pull request is closed, and set by no other event', async () => {
    const opened = told('one', '2026-01-01T10:00:00Z');
    const closed = told('one', '2026-01-01T10:00:05Z', 'closed');
    const other = { ...opened, name: 'push' };
    const undated = told('one', 'soon');
    expect([await headAfter(opened, closed), await headAfter(other), await headAfter(undated)]).toEqual([
      null,
      null,
      null,
    ]);
  });
});

describe('decideHead', () => {
  const at = '2026-01-01T10:00:05Z';
  const facts = { head: '0123456789abcdef', checkedSince: null, commentedAt: at, fork: true };
  const later = {
    kind: 'moved',
    reason: 'The head is 0123456789ab now, and it was pushed after your comment. Comment again to run on it.',
  };

  it.each([
    ['pushed in the same second', at, { kind: 'fits' }],
    ['pushed before', '2026-01-01T10:00:04Z', { kind: 'fits' }],
    ['pushed after', '2026-01-01T10:00:06Z', later],
  ])('compares the time of a comment with that of a head %s', (_, since, expected) => {
    const recorded = { sha: facts.head, at: since };
    expect(decideHead({ ...facts, recorded })).toEqual(expected);
    expect(decideHead({ ...facts, recorded: null, checkedSince: since })).toEqual(expected);
  });

  it('refuses a head with another record, or one of unknown age on a fork', () => {
    const recorded = { sha: 'another', at: '2026-01-01T10:00:00Z' };
    expect(decideHead({ ...facts, recorded })).toEqual(later);
    expect([true, false].map((fork) => decideHead({ ...facts, recorded: null, fork }))).toEqual([
      {
        kind: 'moved',
        reason: later.reason.replace('was pushed after your comment', 'is not known when it was pushed'),
      },
      { kind: 'fits' },
    ]);
  });
});
