import { expect } from 'vitest';
import { call } from '../support/conversation.ts';
import type { Part } from '../support/start-app.ts';
import { type RunStep, step } from './tool-row.ts';

/** The id of the newest child or session that a result names. */
const newest = (pattern: RegExp) => (reply: readonly string[]) => {
  const found = reply.toReversed().flatMap((one) => pattern.exec(one)?.[0] ?? []);
  return found[0] ?? '';
};
const child = newest(/child_\w+/);
const first = (replyText: readonly string[]) =>
  replyText.flatMap((one) => /child_\w+/.exec(one)?.[0] ?? [])[0] ?? '';
const session = newest(/session_\d+/);

/** The tasks of the run's children, and the model's part in each. */
export const runChildren: Readonly<Record<string, Part>> = {
  'CHILD-DELEGATED': (turn) =>
    turn === 1
      ? { calls: [call('task_return', { summary: 'Prices add up.', confidence: 'high' })] }
      : { text: 'Never said.' },
  'CHILD-BESIDE': (turn) => ({ text: turn === 1 ? 'I looked.' : 'I looked again.' }),
};

/**
 * Tools that need a run: background programs, experiments, children, the conversation and the run's
 * own message. In the order of their calls, one a turn.
 */
export const runSteps: readonly RunStep[] = [
  step(
    'workspace.write_file',
    { path: 'output/main.md', content: 'Prices add.\n' },
    'Created output/main.md (12 bytes).',
  ),
  step('workspace.read_file', { path: 'output/main.md' }, '1\tPrices add.'),
  step(
    'workspace.apply_patch',
    { path: 'output/main.md', old_string: 'add', new_string: 'add up' },
    'Patched output/main.md in 1 place:\n1\tPrices add up.',
  ),
  step(
    'shell_session',
    { action: 'open', command: 'cat' },
    '[session_1 is running]\n[It has its own network: only programs that it starts reach a server in it.]\n[Its input is evaluated as shell commands. Open a REPL such as python3 -i as a session of its own.]',
  ),
  step(
    'shell_session',
    (replies) => ({ action: 'write', session_id: session(replies), input: 'pears' }),
    expect.stringMatching(/^pears\n\[session_1 is running\]/),
  ),
  step(
    'write_stdin',
    (said) => ({ session_id: session(said), chars: 'plums\n' }),
    expect.stringMatching(/^plums\n\[session_1 is running\]/),
  ),
  step(
    'BashOutput',
    (said) => ({ bash_id: session(said) }),
    expect.stringMatching(/\[session_1 is running\]/),
  ),
  step(
    'bash_output',
    (said) => ({ bash_id: session(said) }),
    expect.stringMatching(/\[session_1 is running\]/),
  ),
  step('KillShell', (said) => ({ shell_id: session(said) }), expect.stringMatching(/session_1 /)),
  step(
    'bash',
    { command: 'cat', run_in_background: true },
    '[session_2 is running]\n[See its output with use_tool {"name":"shell_session","args":{"action":"poll","session_id":"session_2"}}; end it with the action kill. It ends with this run. Each command has its own network: only programs of the same command reach a server in it.]',
  ),
  step('kill_shell', (said) => ({ shell_id: session(said) }), expect.stringMatching(/session_2 /)),
  step(
    'bash',
    { command: 'cat', run_in_background: true },
    '[session_3 is running]\n[See its output with use_tool {"name":"shell_session","args":{"action":"poll","session_id":"session_3"}}; end it with the action kill. It ends with this run. Each command has its own network: only programs of the same command reach a server in it.]',
  ),
  step('KillBash', (said) => ({ shell_id: session(said) }), expect.stringMatching(/session_3 /)),
  step(
    'init_experiment',
    {
      name: 'size',
      primary_metric: 'bytes',
      direction: 'lower',
      command: 'echo METRIC bytes=$(wc -c < README.md)',
    },
    expect.stringMatching(/^The experiment size begins: bytes, lower is better\.\nChange nothing yet: /),
  ),
  step(
    'run_experiment',
    {},
    expect.stringMatching(
      /^Run 1: bytes 22 \(\d+\.\d s\)\.\nNow call log_experiment with status baseline\.\n--- output\nMETRIC bytes=22$/,
    ),
  ),
  step(
    'log_experiment',
    { status: 'baseline', description: 'as it is' },
    'Run 1 is logged as baseline.\n1. baseline 22 (best): as it is\nChange one thing, then call run_experiment again.',
  ),
  step(
    'agent.list',
    { query: 'find' },
    'find: Finds where something is in the repository and its notes, read-only. At most 8 rounds; changes nothing.',
  ),
  step(
    'agent.delegate',
    { agentId: 'find', task: { objective: 'CHILD-DELEGATED: add the prices' }, budget: { maxRounds: 3 } },
    expect.stringMatching(/^Task child_\w+ is (?:queued|running)\. Go on, or wait for it with agent_await\./),
  ),
  step(
    'agent.await',
    (said) => ({ taskIds: [child(said)], mode: 'allCompleted' }),
    expect.stringMatching(
      /^== child_\w+ \(find\): CHILD-DELEGATED: add the prices — completed ==\nPrices add up\.\nconfidence: high$/,
    ),
  ),
  step(
    'spawn_agent',
    { message: 'CHILD-BESIDE: look', agent_type: 'find' },
    expect.stringMatching(/^Agent child_\w+ is (?:queued|running)\.$/),
  ),
  step(
    'wait_agent',
    (said) => ({ ids: [child(said)] }),
    expect.stringMatching(/^== child_\w+ \(find\): CHILD-BESIDE: look — completed ==\nI looked\.$/),
  ),
  step(
    'send_input',
    (said) => ({ id: child(said), message: 'Look again.' }),
    expect.stringMatching(/^Agent child_\w+ is told; it is (?:queued|running)\.$/),
  ),
  step(
    'wait',
    (said) => ({ ids: [child(said)] }),
    expect.stringMatching(/^== child_\w+ \(find\): CHILD-BESIDE: look — completed ==\nI looked again\.$/),
  ),
  step(
    'list_agents',
    {},
    expect.stringMatching(
      /^== child_\w+ \(find\): CHILD-DELEGATED: add the prices — completed ==\n== child_\w+ \(find\): CHILD-BESIDE: look — completed ==$/,
    ),
  ),
  step(
    'close_agent',
    (said) => ({ id: first(said) }),
    expect.stringMatching(
      /^== child_\w+ \(find\): CHILD-DELEGATED: add the prices — closed ==\nPrices add up\.\nconfidence: high$/,
    ),
  ),
  step(
    'get_context_remaining',
    {},
    expect.stringMatching(/^\d+ of 200000 tokens used \(\d+ %\), \d+ left\. /),
  ),
  step('context_remaining', {}, expect.stringMatching(/^\d+ of 200000 tokens used \(\d+ %\), \d+ left\. /)),
  step(
    'compact',
    { instructions: 'the prices' },
    expect.stringMatching(/^The conversation has \d+ tokens, .*There is nothing to gain yet\. Go on\.$/),
  ),
  step(
    'compact_context',
    {},
    expect.stringMatching(/^The conversation has \d+ tokens, .*There is nothing to gain yet\. Go on\.$/),
  ),
  step(
    'workspace.commit',
    { path: 'output/main.md' },
    'output/main.md is now the message of this run (15 characters). It is posted when the run ends.',
  ),
  step('workspace.finish', { reason: 'Done.' }, null),
];
