import { call } from '../support/conversation.ts';
import type { HandRow } from './tool-row.ts';

const finding = {
  path: 'src/cart.ts',
  line: 2,
  severity: 'high',
  category: 'correctness',
  title: 'It counts',
  body: 'It should add.',
};

/** The tools that start children and wait for them, and those that ask people, called directly. */
export const agentRows: Readonly<Record<string, HandRow>> = {
  ask_user: {
    input: { question: 'Which fruit?', options: ['Apples', { id: 'p', label: 'Pears' }], default: 'p' },
    stdin: 'plums\n2\n',
    content: 'The user chose: p (Pears)',
  },
  confirm: { input: { message: 'Close the shop?' }, stdin: 'yes\n', content: 'The user chose: yes (Yes)' },
  task: {
    input: { goal: 'CHILD-TASK: close the shop', max_steps: 3 },
    child: {
      words: 'CHILD-TASK',
      part: (turn) =>
        turn === 1
          ? {
              calls: [call('edit_file', { path: 'README.md', old_str: 'Sells apples.', new_str: 'Closed.' })],
            }
          : { text: 'It is closed.' },
    },
    content: 'It is closed.\n\n[files it changed: README.md]',
    changed: { 'README.md': '# Shop\n\nClosed.\n' },
  },
  sub_agent: {
    input: { task: 'CHILD-SUB: say the price', read_only: true },
    child: { words: 'CHILD-SUB', part: () => ({ text: 'Two each.' }) },
    content: 'Two each.',
  },
  task_coordinator: {
    input: {
      tasks: [
        { id: 'a', task: 'CHILD-MANY: look', read_only: true },
        { id: 'b', task: 'CHILD-MANY: then tell', depends_on: ['a'], read_only: true },
      ],
    },
    child: { words: 'CHILD-MANY', part: () => ({ text: 'Looked.' }) },
    content: '== a: completed ==\nLooked.\n\n== b: completed ==\nLooked.',
  },
  oracle: {
    input: { question: 'CHILD-ORACLE: is the total right?', files: ['src/cart.ts'], focus: 'sums' },
    child: { words: 'CHILD-ORACLE', part: () => ({ text: 'It counts and does not add.' }) },
    content: 'It counts and does not add.',
  },
  code_review: {
    input: {
      diff_description: 'CHILD-REVIEW: the total',
      files: ['src/cart.ts'],
      check_filter: ['conflicts', 'prices'],
    },
    child: {
      words: 'the total',
      part: (turn) =>
        turn === 1 ? { calls: [call('report_findings', { findings: [finding] })] } : { text: 'One.' },
    },
    content:
      '1 finding.\n- src/cart.ts:2 [high] It counts: It should add.\nChecks that ran: conflicts, prices.\n[A finding counts as fixed once you change its lines; any other stands open in the report. The same review again replaces this one.]\n\nOne.',
  },
  'agent.list': {
    input: { query: 'oracle' },
    content: 'oracle: A second opinion on a hard question, read-only. At most 8 rounds; changes nothing.',
  },
  'agent.await': { input: { mode: 'statusOnly' }, content: 'This run has started no agents.' },
  wait_agent: { input: {}, content: 'This run has started no agents.' },
  list_agents: { input: {}, content: 'This run has started no agents.' },
};
