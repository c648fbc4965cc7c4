import { expect, test } from 'vitest';
import type { Trigger } from '../../../src/webhooks/commands/trigger.ts';
import { chatSnapshot } from '../../../src/webhooks/plan/chat-snapshot.ts';
import {
  entriesBefore,
  originIn,
  originOf,
  type ThreadEntry,
  threadContext,
} from '../../../src/webhooks/plan/thread-context.ts';
import { nameThreadImages } from '../../../src/webhooks/plan/thread-images.ts';
import { withoutOwnFrame } from '../../../src/webhooks/plan/without-own-frame.ts';
import { askedFor } from '../event-request.ts';

const at = '2026-01-02T03:00:00Z';
function entry(body: string, minute: number, more: Partial<ThreadEntry> = {}): ThreadEntry {
  const time = `2026-01-02T02:${String(minute).padStart(2, '0')}:00Z`;
  return {
    ...{ kind: 'comment', id: minute, author: 'rex', body, location: null },
    ...{ created_at: time, updated_at: time },
    ...more,
  };
}
const thread = (entries: readonly ThreadEntry[], more: object = {}) => ({
  ...{ title: 'T', author: 'ada', body: 'B', entries },
  ...more,
});
const plain = (text: string) => text;

test('the origin of a text has its location and its author', () => {
  expect([
    originIn({ author: 'ada' }, 'the title'),
    originIn({ author: 'ci', bot: true }, 'the description'),
    originIn({ author: 'ada', bot: false }, 'the title'),
    originOf(entry('a', 1)),
    originOf(entry('a', 1, { location: 'a.ts:3', bot: true })),
    originOf(entry('a', 1, { kind: 'review', bot: false })),
  ]).toEqual([
    { where: 'the title', author: 'ada' },
    { where: 'the description', author: 'ci', bot: true },
    { where: 'the title', author: 'ada' },
    { where: 'a comment', author: 'rex' },
    { where: 'a comment on a.ts:3', author: 'rex', bot: true },
    { where: 'a review', author: 'rex' },
  ]);
});

test('returns entries before a time, oldest first, without empty and edited ones', () => {
  const later = '2026-01-02T03:00:01Z';
  const all = [
    entry('c', 9),
    entry(' \n', 2),
    entry('a', 1),
    entry('edited', 3, { updated_at: at }),
    entry('late', 4, { created_at: at, updated_at: '2026-01-02T02:00:00Z' }),
    entry('later', 5, { created_at: later, updated_at: later }),
  ];
  expect(entriesBefore(thread(all), at).map(({ body }) => body)).toEqual(['a', 'c']);
});

/** Each text is shown with the origin that it was cleaned with. */
const told: [string, unknown][] = [];
const tell = (text: string, origin?: unknown) => {
  told.push([text, origin]);
  return text;
};

test('each text of a thread is sanitised and marked with its origin', () => {
  told.length = 0;
  const places: unknown[] = [];
  const markImages = (text: string, place: unknown) => {
    places.push([text, place]);
    return text;
  };
  const entries = [
    entry('one', 1),
    entry('two', 2, { kind: 'review_comment', location: 'a.ts:3', bot: true }),
  ];
  threadContext(thread(entries, { bot: true }), { at, sanitise: tell, markImages });
  const withOrigin = () => told.filter(([, origin]) => origin !== undefined);
  expect(withOrigin()).toEqual([
    ['T', { where: 'the title', author: 'ada', bot: true }],
    ['B', { where: 'the description', author: 'ada', bot: true }],
    ['two', { where: 'a comment on a.ts:3', author: 'rex', bot: true }],
    ['one', { where: 'a comment', author: 'rex' }],
  ]);
  const marked = [
    ['B', { kind: 'description' }],
    ['two', { kind: 'review_comment', id: 2 }],
    ['one', { kind: 'comment', id: 1 }],
  ];
  expect(places).toEqual(marked);
  told.length = 0;
  places.length = 0;
  const trigger = askedFor({ comment: null, at });
  chatSnapshot(thread(entries, { bot: true }), trigger, { ownLogins: [], sanitise: tell, markImages });
  expect(withOrigin().map(([text]) => text)).toEqual(['two', 'one', 'T', 'B']);
  expect(places).toEqual([...marked.slice(1), ...marked.slice(0, 1)]);
});

test('a description is cut at half the budget and a comment at 8,000 bytes, between characters', () => {
  const shown = (more: object, entries: readonly ThreadEntry[] = [], maxBytes?: number) =>
    threadContext(thread(entries, more), {
      ...{ at, sanitise: plain },
      ...(maxBytes === undefined ? {} : { maxBytes }),
    });
  const rest = (bytes: number, index: number) =>
    `\n(cut: it has ${bytes} bytes; chat_read_messages has the whole, index ${index})\n</untrusted>`;
  const described = (body: string) => shown({ body }).split('\n').slice(4).join('\n');
  expect(described('b'.repeat(16_000))).toBe(`${'b'.repeat(16_000)}\n</untrusted>`);
  expect(described('b'.repeat(16_001))).toBe(`${'b'.repeat(16_000)}${rest(16_001, 0)}`);
  expect(described(`${'b'.repeat(15_999)}üb`)).toBe(`${'b'.repeat(15_999)}${rest(16_002, 0)}`);
  const last = (body: string) =>
    shown({}, [entry(body, 1)])
      .split('\n')
      .slice(7)
      .join('\n');
  expect(last('c'.repeat(8_000))).toBe(`${'c'.repeat(8_000)}\n</untrusted>`);
  expect(last('c'.repeat(8_001))).toBe(`${'c'.repeat(8_000)}${rest(8_001, 1)}`);
});

test('has the newest comments that fit exactly', () => {
  const entries = [entry('one', 1), entry('two', 2), entry('six', 3)];
  const whole = threadContext(thread(entries), { at, sanitise: plain });
  const lines = whole.split('\n');
  const head = lines.slice(0, 6).join('\n').length;
  const each = (whole.length - head) / 3;
  const kept = (maxBytes: number) =>
    threadContext(thread(entries), { at, sanitise: plain, maxBytes: head + maxBytes }).slice(head + 1);
  const note = (count: string, which: string) =>
    `(${count} left out; chat_search and chat_read_messages have them, ${which})`;
  const from = (line: number) => lines.slice(line).join('\n');
  expect([kept(3 * each), kept(3 * each - 1), kept(2 * each), kept(2 * each - 1), kept(0)]).toEqual([
    from(6),
    `${note('1 older comment is', 'index 1')}\n${from(9)}`,
    `${note('1 older comment is', 'index 1')}\n${from(9)}`,
    `${note('2 older comments are', 'index 1 to 2')}\n${from(12)}`,
    note('3 older comments are', 'index 1 to 3'),
  ]);
});

test('has 32,000 bytes of a thread', () => {
  const entries = Array.from({ length: 9 }, (_, index) => entry(`${index}${'x'.repeat(7_999)}`, index));
  const text = threadContext(thread(entries), { at, sanitise: plain });
  expect([...text.matchAll(/^(\d)x+$/gm)].map(([, index]) => index)).toEqual(['6', '7', '8']);
  const three = text.slice(text.indexOf('(6 older')).length;
  expect(three).toBeGreaterThan(24_000);
});

const options = { ownLogins: ['Bot[bot]'], sanitise: (text: string) => text.replaceAll('BAD', '') };
const asked = (change: Partial<Trigger>) => {
  const [, ...messages] = chatSnapshot(thread([]), askedFor({ at, ...change }), options);
  return messages;
};
const said = { index: 1, role: 'user', author: 'ada', kind: 'comment', at, text: 'fix it' };

test('the request is in the chat if it is a comment with text', () => {
  const location = { path: 'a.tsBAD', line: 3, side: 'RIGHT', diff_hunk: '', root_id: null } as const;
  const onLine = { id: 9, kind: 'review_comment' } as const;
  expect([
    asked({}),
    asked({ actor: { login: 'ci', id: 1, type: 'Bot' } }),
    asked({ actor: { login: 'bot[BOT]', id: 1, type: 'Bot' } }),
    asked({ comment: onLine, location }),
    asked({ comment: onLine, location: { ...location, line: null } }),
    asked({ text: '  fix it ' }),
  ]).toEqual([
    [said],
    [{ ...said, role: 'system', author: 'ci' }],
    [{ ...said, role: 'assistant', author: 'bot[BOT]' }],
    [{ ...said, kind: 'review_comment', place: 'a.ts:3' }],
    [{ ...said, kind: 'review_comment', place: 'a.ts' }],
    [said],
  ]);
  const edited = { from: 'a', body: 'b' };
  expect([asked({ comment: null }), asked({ text: ' ' }), asked({ edited })]).toEqual([[], [], []]);
});

test('a message has at most 65,536 characters, and all together 400,000', () => {
  const chat = (bodies: readonly number[], more: object = {}) =>
    chatSnapshot(
      thread(
        bodies.map((length, index) => entry('x'.repeat(length), index)),
        more,
      ),
      askedFor({ at, comment: null }),
      options,
    ).map(({ index, text }) => [index, text.length]);
  expect(chat([65_536, 65_537], { body: 'y'.repeat(70_000) })).toEqual([
    [0, 65_536],
    [1, 65_536],
    [2, 65_536],
  ]);
  const six = [60_000, 60_000, 60_000, 60_000, 60_000, 60_000];
  expect(chat([40_000, ...six]).length).toBe(8);
  expect(chat([40_001, ...six]).length).toBe(7);
  const described = chatSnapshot(
    thread([], { author: 'BADci', bot: true, body: ' ' }),
    askedFor({ comment: null }),
    options,
  );
  expect(described).toEqual([
    { index: 0, role: 'system', author: 'ci', kind: 'description', at: '', text: '# T' },
  ]);
});

const server = 'https://github.com';
const upload = (number: number) =>
  `https://github.com/user-attachments/assets/00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

test('an image is recognised in every form of Markdown and HTML', () => {
  const marked = (text: string) => nameThreadImages(server, []).mark(text, { kind: 'description' });
  const one = upload(1);
  const seen = [
    `![a](${one})`,
    `![]( <${one}> 'title' )`,
    `<img src="${one}">`,
    `<IMG SRC='${one}'/>`,
    `<img src=${one}>`,
    `<img\nalt="x" src = "${one}" width="16">`,
    `<img height='16px' src="${one}">`,
  ];
  expect(seen.map(marked)).toEqual(seen.map(() => '[image-1, attached]'));
  const unseen = [
    `<img width="15" src="${one}">`,
    `<img height=15 src="${one}">`,
    `<img src="${one}" WIDTH = '3'>`,
    `<image src="${one}">`,
    `<img data="${one}">`,
    `![a][${one}]`,
    `[a](${one})`,
  ];
  expect(unseen.map(marked)).toEqual(unseen);
  // Other sizes than these two say nothing of what is shown.
  expect(marked(`<img border="1" src="${one}">`)).toBe('[image-1, attached]');
});

test('twenty earlier images have their names, and ten new ones are accepted', () => {
  const before = Array.from({ length: 21 }, (_, index) => ({
    name: `image-${index + 1}`,
    url: upload(index + 1),
    place: { kind: 'description' as const },
  }));
  const images = nameThreadImages(server, before);
  expect(images.list()).toEqual(before.slice(1));
  const text = (number: number) => images.mark(`![](${upload(number)})`, { kind: 'comment', id: 3 });
  expect([text(1), text(2)]).toEqual(['[image-22, attached]', '[image-2, attached]']);
  for (let number = 101; number < 110; number += 1) text(number);
  expect([text(109), text(110)]).toEqual([
    '[image-31, attached]',
    '[image, not attached: there are more than 10]',
  ]);
  expect(images.list().length).toBe(30);
});

test('our own frame is recognised by its marker, its boxes and its last line', () => {
  const own = 'bot[bot]';
  const left = (body: string, author = own) =>
    withoutOwnFrame(thread([entry(body, 1, { author })]), ['BOT[bot]']).entries.map((one) => one.body);
  const marker = (kind: string, version = 'v1') => `<!-- anode:${kind} ${version} run=r -->`;
  const figures = '\n\n<sub>3 turns</sub>\n';
  expect([
    left(`${marker('progress')} \n**Done.**${figures}`),
    left(`${marker('report', 'v12')}**Done.**${figures}`),
    left(`${marker('report')}**Waiting for an answer.**`),
    left(`${marker('controls', 'v2')}\n- [ ] Stop`),
    left(`${marker('plan')}\nP${figures}`),
    left(`${marker('report')}\nA <sub>small</sub> word`),
    left(`${marker('controls', 'vx')}\nA`),
    left(`Says ${marker('report')}\nA${figures}`),
    left(`${marker('report')}\nA${figures}`, 'rex'),
  ]).toEqual([
    [`${marker('progress')} \n**Done.**`],
    [`${marker('report', 'v12')}**Done.**`],
    [],
    [],
    [`${marker('plan')}\nP${figures}`],
    [`${marker('report')}\nA <sub>small</sub> word`],
    [`${marker('controls', 'vx')}\nA`],
    [`Says ${marker('report')}\nA${figures}`],
    [`${marker('report')}\nA${figures}`],
  ]);
});
