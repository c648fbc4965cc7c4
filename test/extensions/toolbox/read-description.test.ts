import { describe, expect, test } from 'vitest';
import { readDescription, readTextDescription } from '../../../src/extensions/toolbox/read-description.ts';
import { redactedOutput } from '../../../src/extensions/toolbox/toolbox-tool.ts';

/** What becomes of a description, with its schema as the model sees it. */
function read(printed: unknown) {
  const found = readDescription(typeof printed === 'string' ? printed : JSON.stringify(printed));
  return 'problem' in found ? found.problem : { ...found, schema: found.schema.shown };
}

const tests = { name: 'run-tests', description: 'Run the tests' };
const plain = { name: 'tb__run-tests', description: 'Run the tests', level: 'confirm_execute' };

describe('a description in JSON', () => {
  test('has arguments with a sentence each, none of them required', () => {
    const args = { filter: 'Test name pattern', verbose: 'Show output (true/false)' };
    expect(read({ ...tests, args, permission: 'auto_read', timeout_seconds: 60 })).toEqual({
      ...{ ...plain, level: 'auto_read', timeoutSeconds: 60, takes: 'json' },
      schema: {
        type: 'object',
        properties: {
          filter: { description: 'Test name pattern' },
          verbose: { description: 'Show output (true/false)' },
        },
      },
    });
  });

  test.for([
    ['a schema', { type: 'object', properties: { files: { type: 'array' } }, required: ['files'] }],
    ['a schema without its type', { properties: { files: { type: 'array' } }, required: ['files'] }],
  ] as const)('may have %s as args', ([, args]) => {
    expect(read({ ...tests, args })).toMatchObject({ schema: { ...args, type: 'object' } });
  });

  test("may have a type beside each argument's sentence, or a schema", () => {
    const args = { dir: ['string', 'the folder'], files: { type: 'array', items: { type: 'string' } } };
    expect(read({ ...tests, args })).toMatchObject({
      schema: {
        properties: { dir: { type: 'string', description: 'the folder' }, files: args.files },
      },
    });
  });

  test('permits only the named arguments, unless it has a schema', () => {
    const parsed = [{ dir: 'the folder' }, { properties: { dir: { type: 'string' } } }].map((args) => {
      const found = readDescription(JSON.stringify({ ...tests, args }));
      return 'problem' in found ? found.problem : found.schema.input.parse({ dir: 'a', folder: 'b' });
    });
    expect(parsed).toEqual([{ dir: 'a' }, { dir: 'a', folder: 'b' }]);
  });

  test('may call its schema inputSchema, as MCP servers do', () => {
    const inputSchema = { type: 'object', properties: { a: { type: 'integer' } } };
    expect(read({ ...tests, inputSchema })).toMatchObject({ schema: inputSchema });
  });

  test('needs no arguments, and has a time limit of half an hour', () => {
    expect(read({ ...tests, timeout_seconds: 1e9 })).toEqual({
      ...{ ...plain, timeoutSeconds: 1_800, takes: 'json', schema: { type: 'object' } },
    });
  });

  test.for([
    ['', 'described itself with nothing'],
    ['{"name":', 'described itself by neither JSON nor lines such as "name: …": "{\\"name\\":"'],
    ['starting up', 'described itself by neither JSON nor lines such as "name: …": "starting up"'],
    [
      { description: 'x' },
      'described itself wrongly at name: Invalid input: expected string, received undefined',
    ],
    [
      { name: 'x', description: ' ' },
      'described itself wrongly at description: Too small: expected string to have >=1 characters',
    ],
    [
      { name: 'x', description: 'x', permission: 'root' },
      'described itself wrongly at permission: Invalid option: expected one of "auto_read"|"external_read"|"state_write"|"confirm_execute"|"confirm_write"|"delegated"|"interactive"',
    ],
    [{ name: '日本', description: 'x' }, 'has a name without a letter or digit: "日本"'],
    [{ ...tests, args: [1] }, 'has a schema that is not an object'],
    [
      { ...tests, args: { type: 'object', properties: { a: { type: 'text' } } } },
      'has a schema that has the type "text", which JSON Schema does not know',
    ],
  ] as const)('%j is reported with a message', ([printed, problem]) => {
    expect(read(printed)).toBe(problem);
  });
});

describe('a description in lines', () => {
  test('has a type for each argument and marks optional ones', () => {
    const printed = [
      'name: Run Tests!',
      'description: Run the tests.',
      'description: Quick ones only.',
      '',
      'dir: string the folder',
      '  below the root',
      'count: int? how often',
      'watch: bool (optional) go on',
      'note: whatever else',
    ].join('\r\n');
    expect(read(printed)).toEqual({
      name: 'tb__run_tests',
      description: 'Run the tests.\nQuick ones only.',
      ...{ level: 'confirm_execute', timeoutSeconds: null, takes: 'lines' },
      schema: {
        type: 'object',
        properties: {
          dir: { type: 'string', description: 'the folder below the root' },
          count: { type: 'integer', description: 'how often' },
          watch: { type: 'boolean', description: 'go on' },
          note: { description: 'whatever else' },
        },
        required: ['dir', 'note'],
      },
    });
  });
});

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

  test('with only a name has no other fields', () => {
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
  ])('%j is invalid', (text) => {
    expect(readTextDescription(text)).toBeNull();
  });
});

describe('redacted output', () => {
  const play = (chunks: readonly Buffer[]) => {
    const passed: string[] = [];
    const output = redactedOutput(
      (text) => text.replaceAll('s3cret', '[hidden]'),
      (chunk) => passed.push(chunk.toString('utf8')),
    );
    for (const chunk of chunks) output.push(chunk);
    output.end();
    return passed.join('');
  };

  test('is text, even if characters and secrets arrive in pieces', () => {
    const [first, second] = [Buffer.from('ä s3c').subarray(0, 1), Buffer.from('ä s3c').subarray(1)];
    expect(play([first, second, Buffer.from('ret\nend'), Buffer.from([0xff])])).toBe('ä [hidden]\nend\ufffd');
    expect(play([])).toBe('');
    expect(play([Buffer.from([0xc3])])).toBe('\ufffd');
  });

  test('is stored up to 8 MiB, and the rest counted', () => {
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
