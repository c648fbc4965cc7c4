import { expect, it } from 'vitest';
import { sanitise } from '../../../src/untrusted-text/sanitise.ts';
import { threadContext } from '../../../src/webhooks/plan/thread-context.ts';
import { imagesNote, nameThreadImages } from '../../../src/webhooks/plan/thread-images.ts';

const server = 'https://github.com';
const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const upload = (number: number) => `https://github.com/user-attachments/assets/${id(number)}`;
const named = (number: number) => `[image-${number}, attached]`;
const clean = (text: string) => sanitise(text).text;
const description = { kind: 'description' } as const;

it('names uploaded images in Markdown and HTML, the same one once', () => {
  const images = nameThreadImages(server, []);
  const text = [
    `Before ![a (screen) shot](${upload(1)} "title") after`,
    `<img width="1512" height="20" alt="Say yes" src="${upload(2)}" />`,
    `[![](<${upload(1)}>)](https://example.com)`,
    `![](https://private-user-images.githubusercontent.com/1/2-${id(2)}.png?jwt=old)`,
  ].join('\n');
  expect(images.mark(clean(text), description).split('\n')).toEqual([
    `Before ${named(1)} after`,
    named(2),
    `[${named(1)}](https://example.com)`,
    named(2),
  ]);
  expect(images.list()).toEqual([
    { name: 'image-1', url: upload(1), place: description },
    { name: 'image-2', url: upload(2), place: description },
  ]);
});

it('leaves everything else unchanged', () => {
  const images = nameThreadImages(server, []);
  const text = [
    '![](https://example.com/user-attachments/assets/a.png)',
    `<img src="https://evil.example/${id(1)}">`,
    '![](relative.png) ![broken](',
    `[a link](${upload(1)}) ${upload(1)}`,
    `<img width="1" src="${upload(1)}"> <img height=0 src=${upload(1)}>`,
    '<img>',
  ].join('\n');
  expect([images.mark(text, description), images.list()]).toEqual([text, []]);
});

it('ignores images that readers do not see', () => {
  const images = nameThreadImages(server, []);
  const text = `Seen <!-- ![](${upload(1)}) --> <template><img src="${upload(2)}"></template>`;
  expect([images.mark(clean(text), description).trim(), images.list()]).toEqual(['Seen', []]);
});

it('accepts at most ten, first of the request, then the description, then the newest comments', () => {
  const images = nameThreadImages(server, []);
  const picture = (number: number) => `![](${upload(number)})`;
  const comment = (number: number, body: string) => ({
    kind: 'comment' as const,
    id: number,
    author: 'rex',
    body,
    created_at: `2026-01-02T02:0${number}:00Z`,
    updated_at: `2026-01-02T02:0${number}:00Z`,
    location: null,
  });
  const request = images.markRequest(picture(1), { id: 99, kind: 'review_comment' });
  const text = threadContext(
    {
      title: picture(50),
      author: 'ada',
      body: picture(2),
      entries: [
        comment(1, picture(3)),
        comment(2, [4, 5, 6, 7, 8, 9].map(picture).join('')),
        comment(3, picture(10) + picture(11)),
      ],
    },
    { at: '2026-01-02T03:00:00Z', sanitise: clean, markImages: images.mark },
  );
  const list = images.list();
  expect(request).toBe(named(1));
  expect(
    list.map(({ url, place }) => [Number(url.slice(-12)), 'id' in place ? place.id : place.kind]),
  ).toEqual([
    [1, 99],
    [2, 'description'],
    [10, 3],
    [11, 3],
    ...[4, 5, 6, 7, 8, 9].map((number) => [number, 2]),
  ]);
  expect(list.map(({ name }) => name)).toEqual(
    Array.from({ length: 10 }, (_, index) => `image-${index + 1}`),
  );
  expect(text).toContain('\n[image, not attached: there are more than 10]\n');
});

it('continues with the names of the earlier conversation', () => {
  const before = [
    { name: 'image-1', url: upload(1), place: description },
    { name: 'image-4', url: upload(4), place: { kind: 'comment' as const, id: 5 } },
  ];
  const images = nameThreadImages(server, before);
  const comment = { id: 6, kind: 'issue_comment' as const };
  expect(images.markRequest(`Like ![](${upload(4)}), not ![](${upload(7)})`, comment)).toBe(
    `Like ${named(4)}, not ${named(5)}`,
  );
  expect(images.list()).toEqual([
    ...before,
    { name: 'image-5', url: upload(7), place: { kind: 'comment', id: 6 } },
  ]);
  expect(images.markRequest(`![](${upload(9)})`, null)).toBe(`![](${upload(9)})`);
});

it('describes once how an image can be seen', () => {
  const images = [1, 2].map((number) => ({
    name: `image-${number}`,
    url: upload(number),
    place: description,
  }));
  expect([imagesNote([]), imagesNote(images)]).toEqual([
    '',
    '(Attached images: image-1, image-2. To see one, call use_tool with {"name":"look_at","args":{"target":"image-1"}}.)',
  ]);
});

it('reads hostile text in linear time', () => {
  const images = nameThreadImages(server, []);
  const texts = ['![](', '![](a ', '![', '<img ', '![]( ', `![](${upload(1)} `].map((piece) =>
    piece.repeat(500_000 / piece.length),
  );
  // Where time grew with the square of the length, this would not end within the limit of a test.
  for (const text of [...texts, `![](${'a'.repeat(500_000)}`, `![](a${' '.repeat(500_000)}`]) {
    images.mark(text, description);
  }
  expect(images.list()).toEqual([]);
});
