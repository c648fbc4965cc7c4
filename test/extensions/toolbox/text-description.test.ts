import { describe, expect, test } from 'vitest';
import { hiddenOutput } from '../../../src/extensions/toolbox/hidden-output.ts';
import { readTextDescription } from '../../../src/extensions/toolbox/text-description.ts';

describe('a description in lines', () => {
  test('has a name, texts, terms and arguments', () => {
    expect(
      readTextDescription(
        [
          'name: run_tests',
          'description: Runs tests.',
          '  In one folder.',
          '',
          'description : Then stops.\r',
          'permission: confirm',
          'timeout_seconds: 90',
          'dir: string the folder',
          'n: INT? how many',
          'all: bool (optional) all of them',
          'rate: float optional: the rate',
          'x.y-z: number',
          'free: any text',
          'maybe: optional, any text',
          'str: str',
          'on: boolean Optional - on',
          'i: integer',
          'many: optionally',
          '_e:',
        ].join('\n'),
      ),
    ).toEqual({
      name: 'run_tests',
      description: 'Runs tests. In one folder.\nThen stops.',
      permission: 'confirm',
      timeout_seconds: 90,
      args: {
        type: 'object',
        properties: {
          dir: { type: 'string', description: 'the folder' },
          n: { type: 'integer', description: 'how many' },
          all: { type: 'boolean', description: 'all of them' },
          rate: { type: 'number', description: 'the rate' },
          'x.y-z': { type: 'number' },
          free: { description: 'any text' },
          maybe: { description: 'any text' },
          str: { type: 'string' },
          on: { type: 'boolean', description: 'on' },
          i: { type: 'integer' },
          many: { description: 'optionally' },
          _e: {},
        },
        required: ['dir', 'x.y-z', 'free', 'str', 'i', 'many', '_e'],
      },
    });
  });

  test('with nothing but a name has no terms', () => {
    expect(readTextDescription('name: a\nname: b')).toEqual({
      name: 'a',
      description: '',
      args: { type: 'object', properties: {}, required: [] },
    });
  });

  test.each([
    'description: x',
    'name a',
    ' name: a',
    '',
    'name: a\nand more',
    '1a: x\nname: y',
  ])('%j is none', (text) => {
    expect(readTextDescription(text)).toBeNull();
  });
});

describe('output with values taken out', () => {
  const play = (chunks: readonly Buffer[]) => {
    const passed: string[] = [];
    const output = hiddenOutput(
      (text) => text.replaceAll('s3cret', '[hidden]'),
      (chunk) => passed.push(chunk.toString('utf8')),
    );
    for (const chunk of chunks) output.push(chunk);
    output.end();
    return passed.join('');
  };

  test('is text, though its letters and the values come in pieces', () => {
    const [first, second] = [Buffer.from('ä s3c').subarray(0, 1), Buffer.from('ä s3c').subarray(1)];
    expect(play([first, second, Buffer.from('ret\nend'), Buffer.from([0xff])])).toBe('ä [hidden]\nend\ufffd');
    expect(play([])).toBe('');
    expect(play([Buffer.from([0xc3])])).toBe('\ufffd');
  });

  test('is kept up to 8 MiB, and the rest counted', () => {
    const most = 8 * 1024 * 1024;
    const whole = play([Buffer.alloc(most, 'a')]);
    const more = play([Buffer.alloc(most - 1, 'a'), Buffer.from('bc'), Buffer.from('defg')]);
    expect([whole.length, whole.endsWith('a'), more.slice(most - 2)]).toEqual([
      most,
      true,
      'ab\n[5 more bytes are not kept, as this program is given variables of its own]\n',
    ]);
  });
});
