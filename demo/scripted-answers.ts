import type { Message } from '../src/contract/message.ts';
import type { Script, ScriptedCall, ScriptedReply, ScriptedRequest } from '../test/support/model/script.ts';
import type { Sample } from './sample.ts';

/** What the scripted model does with one task, turn by turn; `said` are the tool results it has so far. */
type Play = (turn: number, request: ScriptedRequest) => ScriptedReply;

const call = (name: string, input: ScriptedCall['input']): ScriptedCall => ({ name, input });
const todo = (content: string, status: 'pending' | 'in_progress' | 'completed') => ({ content, status });

/** What a person asks for in the demo; the scripted model knows its part by these words. */
export const tasks = {
  fix: 'the last test fails. Please find out why and fix it.',
  ask: 'give `mergeRanges` a guard against ranges that end before they start. Ask me whether to throw or to skip; hand over what `createRange` needs then.',
  step: 'Write CONTRIBUTING.md: how to run the tests and where code and tests belong.',
  fork: 'the same bug is here. Fix it, and note it in a CHANGELOG.md.',
} as const;

/**
 * The demo's model: it reads, tests, edits and answers as a real one would, but by heart. Everything it
 * calls is really done, and it says so when a result is not what it expects.
 */
export function scriptedAnswers(sample: Sample): Script {
  const plays: readonly { knows: (task: string) => boolean; play: Play }[] = [
    { knows: (task) => task.includes(tasks.fix), play: fix(sample) },
    { knows: (task) => task.includes(tasks.ask), play: ask(sample) },
    { knows: (task) => task.includes(tasks.step), play: step() },
    { knows: (task) => task.includes(tasks.fork), play: fork(sample) },
    { knows: (task) => task.includes('Implement what this issue asks for'), play: implement(sample) },
    // Other requests on a pull request show its change as well.
    { knows: (task) => task.includes('The change under review'), play: review(sample) },
  ];
  return (request) => {
    // What other comments on the thread asked for stands before the task itself.
    const first = textOf(request.messages[0]);
    const task = first.slice(first.lastIndexOf('<task>'));
    const found = plays.find((one) => one.knows(task));
    if (found === undefined) return { text: 'I know no part for this task.' };
    const turn = request.messages.filter((message) => message.role === 'assistant').length + 1;
    return found.play(turn, request);
  };
}

const fix =
  (sample: Sample): Play =>
  (turn, request) => {
    const { path } = sample.fix;
    const list = (a: number) => [
      todo('Run the tests', a > 0 ? 'completed' : 'in_progress'),
      todo('Find the cause', a > 1 ? 'completed' : a === 1 ? 'in_progress' : 'pending'),
      todo('Fix it and run the tests again', a > 2 ? 'completed' : a === 2 ? 'in_progress' : 'pending'),
    ];
    switch (turn) {
      case 1:
        return {
          text: 'I start with the failing test.',
          calls: [call('todo_write', { todos: list(0) }), call('bash', { command: sample.testCommand })],
        };
      case 2:
        return { calls: [call('todo_write', { todos: list(1) }), call('read', { path })] };
      case 3:
        return {
          text: 'A range inside an earlier one moves the end back.',
          calls: [
            call('todo_write', { todos: list(2) }),
            call('edit_file', { path, old_str: sample.fix.old, new_str: sample.fix.new }),
            call('bash', { command: sample.testCommand }),
          ],
        };
      case 4:
        return { calls: [call('todo_write', { todos: list(3) })] };
      default:
        return {
          text: [
            'Keep the later end when merging ranges',
            '',
            `\`mergeRanges\` took the end of the last range it saw, so a range inside an earlier one cut that one short. It now keeps the later of both ends (\`${path}\`).`,
            '',
            testWords(request),
            '',
            `Fixed: ${openFindings(request).join(', ') || 'none'}`,
          ].join('\n'),
        };
    }
  };

/** The ids of the open findings that a request lists. */
function openFindings({ messages: [first] }: ScriptedRequest): string[] {
  const list = /<findings>\n(.*?)\n<\/findings>/s.exec(textOf(first))?.[1] ?? '';
  return [...list.matchAll(/^- (\S+) /gm)].flatMap(([, id]) => id ?? []);
}

const review =
  (sample: Sample): Play =>
  (turn, request) => {
    const { path, line } = sample.fix;
    if (turn === 1) return { calls: [call('read', { path })] };
    if (!textOf(request.messages[0]).includes(sample.fix.old))
      return turn === 2
        ? { calls: [call('report_findings', { findings: [] })] }
        : { text: 'Nothing to add.' };
    if (turn === 2) {
      const finding = {
        path,
        line,
        severity: 'high',
        category: 'correctness',
        title: 'A range inside an earlier one cuts that one short',
        body: 'With [1, 10] and [2, 3] the merged range ends at 3. The later of both ends has to win.',
        suggestion: `      ${sample.fix.new}`,
      };
      return { calls: [call('report_findings', { findings: [finding] })] };
    }
    return { text: 'One defect: merged ranges can end too early. The rest reads well-bounded.' };
  };

const ask =
  (sample: Sample): Play =>
  (turn, request) => {
    const { path } = sample.fix;
    const guard =
      "    if (range.to < range.from) throw new RangeError('A range cannot end before it starts.');\n";
    switch (turn) {
      case 1:
        return { calls: [call('read', { path })] };
      case 2:
        return {
          text: 'Both are sensible, and callers will notice the difference.',
          calls: [
            call('ask_user', {
              question: 'What should `mergeRanges` do with a range that ends before it starts?',
              reason: 'Throwing tells callers at once; skipping keeps old callers working.',
              options: [
                { id: 'throw', label: 'Throw a RangeError' },
                { id: 'skip', label: 'Skip the range silently' },
              ],
            }),
          ],
        };
      case 3: {
        const insert = lastResult(request).includes('skip')
          ? '    if (range.to < range.from) continue;\n'
          : guard;
        const old = '  for (const range of sorted) {\n';
        return { calls: [call('edit_file', { path, old_str: old, new_str: old + insert })] };
      }
      case 4:
        return {
          calls: [
            call('handoff', {
              target: 'user',
              summary: '`mergeRanges` now rejects ranges that end before they start.',
              goal: 'Make `createRange` and `mergeRanges` reject wrong ranges with the same words.',
              completed: ['Guard in `mergeRanges`'],
              open_questions: ['Should the message name the range?'],
              recommended_next_steps: ['Share one check between both functions'],
              relevant_files: [path, 'src/range.js'],
            }),
          ],
        };
      default:
        return {
          text: 'Reject ranges that end before they start\n\n`mergeRanges` now checks each range first.',
        };
    }
  };

const step = (): Play => (turn) => {
  if (turn === 1) return { calls: [call('multi_read', { paths: ['AGENTS.md', 'package.json'] })] };
  if (turn === 2) {
    const content = [
      '# Contributing',
      '',
      'Run `node --test`: it needs no packages.',
      '',
      'One function a file in `src/`, exported again from `src/index.js`; its tests stand in `test/` under the same name.',
      '',
    ].join('\n');
    return { calls: [call('create_file', { path: 'CONTRIBUTING.md', content })] };
  }
  return { text: 'Wrote CONTRIBUTING.md from what AGENTS.md and package.json say.' };
};

const fork =
  (sample: Sample): Play =>
  (turn) => {
    const { path } = sample.fix;
    if (turn === 1) {
      return {
        calls: [
          // Not the words of the review's suggestion, which would not be offered twice.
          call('edit_file', {
            path,
            old_str: sample.fix.old,
            new_str: 'if (range.to > last.to) last.to = range.to;',
          }),
          call('create_file', {
            path: 'CHANGELOG.md',
            content: '# Changes\n\n- `mergeRanges` keeps the later end of two ranges.\n',
          }),
          call('bash', { command: sample.testCommand }),
        ],
      };
    }
    return { text: 'The merged range has to keep the later end. I could not run the tests on a fork.' };
  };

const implement =
  (sample: Sample): Play =>
  (turn, request) => {
    if (turn === 1)
      return { calls: [call('multi_read', { paths: ['AGENTS.md', 'src/index.js', 'src/day.js'] })] };
    if (turn === 2) {
      return {
        calls: [
          ...Object.entries(sample.issue.files).map(([path, content]) =>
            call('create_file', { path, content }),
          ),
          ...sample.issue.edits.map((edit) =>
            call('edit_file', { path: edit.path, old_str: edit.old, new_str: edit.new }),
          ),
          call('bash', { command: sample.testCommand }),
        ],
      };
    }
    return {
      text: [
        'Add eachDay, which lists the dates of a range',
        '',
        'It is a generator, so asking for the first few dates does not build the whole list.',
        '',
        testWords(request),
      ].join('\n'),
    };
  };

function textOf(message: Message | undefined): string {
  return (message?.parts ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}

/** The text of the newest tool result. */
function lastResult(request: ScriptedRequest): string {
  const results = request.messages.flatMap((message) =>
    message.parts.flatMap((part) => (part.type === 'tool_result' ? [part] : [])),
  );
  return (results.at(-1)?.content ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}

/** What the last test run of the conversation came to, as the answer says it. */
function testWords(request: ScriptedRequest): string {
  const texts = request.messages.flatMap((message) =>
    message.parts.flatMap((part) => (part.type === 'tool_result' ? part.content : [])),
  );
  const counts = texts.flatMap((part) =>
    part.type === 'text' ? (/(?:#|ℹ) fail (\d+)/.exec(part.text)?.[1] ?? []) : [],
  );
  const failed = counts.at(-1);
  if (failed === undefined) return 'I could not run the tests here.';
  return failed === '0' ? '`node --test` passes.' : '`node --test` still fails.';
}
