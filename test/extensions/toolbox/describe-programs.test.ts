// biome-ignore-all lint/suspicious/noTemplateCurlyInString: bash writes its variables so
import { expect, test } from 'vitest';
import { type Described, describePrograms } from '../../../src/extensions/toolbox/describe-programs.ts';
import type { CommandRequest, CommandRunner } from '../../../src/sandbox/command-runner.ts';

const signal = new AbortController().signal;

/** What is read of programs by their names, where the script prints `output`; then what was run and learnt. */
async function describeAll(
  names: readonly string[],
  output: readonly (string | Buffer)[],
  { known = {}, within }: { known?: Record<string, string>; within?: number } = {},
) {
  const requests: CommandRequest[] = [];
  const learnt: [string, string][] = [];
  const runner = {
    run: async (request: CommandRequest) => {
      requests.push(request);
      for (const chunk of output) request.onOutput?.(Buffer.from(chunk));
    },
  } as unknown as CommandRunner;
  const described = await describePrograms(
    names.map((name) => ({ shown: `.tools/${name}`, file: `/box/${name}`, digest: name })),
    {
      runner: async () => runner,
      workspaceRoot: '/work',
      signal,
      cache: {
        get: async (digest) => known[digest] ?? null,
        add: async (printed) => {
          learnt.push(...printed);
        },
      },
      seconds: 5,
      ...(within === undefined ? {} : { within }),
    },
  );
  const reply = (one: Described) => ('problem' in one ? one.problem : one.description.name);
  return { said: described.map(reply), requests, learnt };
}

const answer = (code: number, printed: string, error = '') =>
  `${code} ${Buffer.byteLength(printed)} ${error}\n${printed}`;
const lines = (name: string) => `name: ${name}\ndescription: Works.\n`;

test('programs are described by their output, each separately', async () => {
  const { said, learnt } = await describeAll(
    ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'],
    [
      answer(0, lines('ä'.concat('one'))),
      answer(124, ''),
      answer(137, 'x'),
      answer(999, ''),
      answer(0, 'x'.repeat(65_537)),
      answer(126, '', ' no rights '),
      answer(127, ''),
      answer(3, 'y', 'bad'),
      answer(0, ''),
    ],
  );
  expect(said).toEqual([
    'tb__one',
    'did not describe itself within 5 s',
    'did not describe itself within 5 s',
    'was not reached before the time was up',
    'printed more than 65536 bytes to describe itself',
    'could not be run: no rights',
    'could not be run',
    'ended with exit code 3 when asked to describe itself: bad',
    'described itself with nothing',
    'was not reached before the time was up',
  ]);
  expect(learnt).toEqual([['a', lines('äone')]]);
});

test('known programs are not asked again, and an interruption ends the answers', async () => {
  const { said, requests, learnt } = await describeAll(
    ['a', 'b', 'c'],
    [answer(0, lines('b')).slice(0, 9), answer(0, lines('b')).slice(9), 'broken off'],
    { known: { a: lines('a') } },
  );
  expect([said, learnt]).toEqual([
    ['tb__a', 'tb__b', 'was not reached before the time was up'],
    [['b', lines('b')]],
  ]);
  const [request] = requests;
  const { command = '', onOutput: _, ...rest } = request ?? {};
  expect(rest).toEqual({
    cwd: '/work',
    timeoutMs: 12_000,
    signal,
    env: { TOOLBOX_ACTION: 'describe', TOOLBOX_WORKSPACE: '/work' },
    readOnlyWorkspace: true,
  });
  expect(command.split('\n').slice(0, 14)).toEqual([
    'folder=$(mktemp -d) || exit 1',
    'files=(/box/b /box/c)',
    'ask() {',
    '  left=$((7 - SECONDS))',
    '  [ "$left" -gt 0 ] && cd "$(dirname "$2")" || return',
    '  most=$((left < 5 ? left : 5))',
    '  timeout -k 1 $most "$2" </dev/null 2>"$folder/$1.err" | (',
    '    ulimit -c 0 -f 65',
    '    timeout -k 1 $((most + 1)) cat >"$folder/$1.out"',
    '  ) 2>/dev/null',
    '  echo "${PIPESTATUS[0]}" >"$folder/$1.code"',
    '}',
    'for ((worker = 0; worker < 8; worker++)); do',
    '  (for ((i = worker; i < ${#files[@]}; i += 8)); do ask "$i" "${files[i]}"; done) &',
  ]);
});

test('no program starts if all are known, and they share the time limit', async () => {
  const nothing = await describeAll(['a'], [], { known: { a: lines('a') } });
  expect([nothing.said, nothing.requests, nothing.learnt]).toEqual([['tb__a'], [], []]);
  const nine = 'abcdefghi'.split('');
  const time = async (within?: number) =>
    (await describeAll(nine, [], within === undefined ? {} : { within })).requests[0]?.timeoutMs;
  expect([await time(), await time(4), await time(99)]).toEqual([19_000, 9_000, 19_000]);
});

test('output over the limit for all programs is dropped', async () => {
  const room = 65_536 + 4_096 + 4_096;
  const flood = async (over: number) => {
    const head = answer(0, lines('a'));
    return (await describeAll(['a'], [Buffer.alloc(room - head.length + over, 'x'), head])).said;
  };
  const before = await describeAll(['a'], [Buffer.from(answer(0, lines('a'))), Buffer.alloc(room, 'x')]);
  expect([before.said, await flood(0)]).toEqual([['tb__a'], ['was not reached before the time was up']]);
});
