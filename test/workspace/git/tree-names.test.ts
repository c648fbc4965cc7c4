import { expect, test } from 'vitest';
import { bytesOfName, entryPath, nameOfBytes, printableName } from '../../../src/workspace/git/tree-names.ts';

/** A name with characters of one to four bytes and with invalid bytes. */
const bytes = Buffer.concat([
  Buffer.from('aé€😀'),
  Buffer.from([0xff]),
  Buffer.from('b'),
  Buffer.from([0xc3]),
  Buffer.from('c€'),
  Buffer.from([0xe2, 0x82]),
]);
const name = 'aé€😀\udcffb\udcc3c€\udce2\udc82';

test('invalid bytes become lone surrogates and are restored from them', () => {
  expect([nameOfBytes(bytes.toString('latin1')), bytesOfName(name)]).toEqual([name, bytes]);
});

test('a name of valid text stays unchanged', () => {
  expect([
    nameOfBytes('plain.ts'),
    nameOfBytes(Buffer.from('é€.ts').toString('latin1')),
    bytesOfName('é'),
    printableName('é'),
    entryPath('/a', 'é'),
  ]).toEqual(['plain.ts', 'é€.ts', Buffer.from('é'), 'é', '/a/é']);
});

test('invalid bytes are displayed as escapes, while the system gets the bytes', () => {
  expect([printableName(name), entryPath('/a', 'x\udcff')]).toEqual([
    'aé€😀\\xffb\\xc3c€\\xe2\\x82',
    Buffer.from([0x2f, 0x61, 0x2f, 0x78, 0xff]),
  ]);
});
