import { expect, test } from 'vitest';
import { bytesOfName, entryPath, nameOfBytes, printableName } from '../../../src/workspace/git/tree-names.ts';

/** A name of plain letters, characters of two, three and four bytes, and bytes that are no text. */
const bytes = Buffer.concat([
  Buffer.from('aé€😀'),
  Buffer.from([0xff]),
  Buffer.from('b'),
  Buffer.from([0xc3]),
  Buffer.from('c€'),
  Buffer.from([0xe2, 0x82]),
]);
const name = 'aé€😀\udcffb\udcc3c€\udce2\udc82';

test('bytes that are no text become lone surrogates, and are found again', () => {
  expect([nameOfBytes(bytes.toString('latin1')), bytesOfName(name)]).toEqual([name, bytes]);
});

test('a name that is text stays as it is', () => {
  expect([
    nameOfBytes('plain.ts'),
    nameOfBytes(Buffer.from('é€.ts').toString('latin1')),
    bytesOfName('é'),
    printableName('é'),
    entryPath('/a', 'é'),
  ]).toEqual(['plain.ts', 'é€.ts', Buffer.from('é'), 'é', '/a/é']);
});

test('people see bytes that are no text as escapes, and the system gets the bytes', () => {
  expect([printableName(name), entryPath('/a', 'x\udcff')]).toEqual([
    'aé€😀\\xffb\\xc3c€\\xe2\\x82',
    Buffer.from([0x2f, 0x61, 0x2f, 0x78, 0xff]),
  ]);
});
