import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/contract/json.ts';
import type { Controls } from '../../../src/contract/thread-records.ts';
import { clickedBox } from '../../../src/webhooks/answers/read-ticks.ts';
import type { EditedComment } from '../../../src/webhooks/commands/trigger.ts';
import { readCommentEdit } from '../../../src/webhooks/triggers/comment-edited.ts';

const own = 'anode-ci[bot]';
const marker = '<!-- anode:controls v1 run=run_1 -->';
const text = `${marker}\n- [ ] Stop\n- [ ] Retry\n\n<sub>Tick.</sub>`;
const controls: Controls = {
  version: 1,
  run_id: 'run_1',
  comment_id: 7,
  text,
  boxes: [
    { line: 1, does: 'stop' },
    { line: 2, does: 'retry' },
  ],
};

const event = (change: JsonObject = {}) => ({
  name: 'issue_comment',
  delivery_id: 'guid',
  payload: {
    action: 'edited',
    repository: { name: 'shop', owner: { login: 'acme' } },
    issue: { number: 3, pull_request: {} },
    sender: { login: 'ada', id: 1, type: 'User' },
    comment: { id: 7, body: text, updated_at: '2026-01-02T03:04:05Z', user: { login: own } },
    changes: { body: { from: text } },
    ...change,
  },
});
const edit = (body: string, from = text): EditedComment => ({ from, body });
const tick = (line: string) => text.replace(`- [ ] ${line}`, `- [x] ${line}`);

describe('an edited comment of ours', () => {
  it('is recognised by its earlier marker, even if the edit removed it', () => {
    const taken = { id: 7, body: 'Gone', updated_at: '2026-01-02T03:04:05Z', user: { login: own } };
    expect(readCommentEdit(event({ comment: taken }), ['other[bot]', own])).toEqual({
      kind: 'edit',
      of: 'controls',
      named: 'run_1',
      repository: { owner: 'acme', name: 'shop' },
      thread: { kind: 'pull_request', number: 3 },
      comment_id: 7,
      from: text,
      body: 'Gone',
      editor: { login: 'ada', id: 1, type: 'User' },
      at: '2026-01-02T03:04:05.000Z',
      installation_id: null,
    });
  });

  it.each([
    ['its earlier text is unknown', { changes: {} }],
    ['we edited it ourselves', { sender: { login: own, id: 2, type: 'Bot' } }],
    ['it only quotes a marker', { changes: { body: { from: `> ${text}` } }, comment: { body: `> ${text}` } }],
    ['it was just created', { action: 'created' }],
  ])('does not count if %s', (_, change) => {
    expect(readCommentEdit(event(change), ['other[bot]', own.toUpperCase()]).kind).toBe('ignored');
  });

  it('any payload can be read without an exception', () => {
    fc.assert(
      fc.property(fc.object({ maxDepth: 4 }), (payload) => {
        const odd = { action: 'edited', ...(payload as JsonObject) };
        expect(readCommentEdit({ name: 'issue_comment', delivery_id: null, payload: odd }, [own]).kind).toBe(
          'ignored',
        );
      }),
    );
  });
});

describe('a control', () => {
  it.each([
    ['one box is ticked', edit(tick('Stop')), 'stop'],
    ['GitHub’s editor changed line ends', edit(`${tick('Retry').replaceAll('\n', '\r\n')}\r\n`), 'retry'],
    ['nothing is ticked', edit(text), null],
    ['both are ticked', edit(tick('Stop').replace('[ ]', '[x]')), null],
    ['more text is added', edit(`${tick('Stop')}\nMore`), null],
    ['its text is changed', edit(tick('Stop').replace('Retry', 'Delete')), null],
    [
      'someone else ticked another box before',
      edit(tick('Stop').replace('[ ]', '[x]'), tick('Retry')),
      'stop',
    ],
  ])('gives its action or none if %s', (_, given, does) => {
    expect(clickedBox(controls, given)?.does ?? null).toBe(does);
  });
});
