import { expect } from 'vitest';
import { type RunStep, step } from './tool-row.ts';

const finding = {
  path: 'src/cart.ts',
  line: 2,
  severity: 'high',
  category: 'correctness',
  title: 'It counts',
  body: 'It should add.',
};

/** The tools for a run's own files, for skills, lists and pictures, each called once in one run. */
const calls: Readonly<Record<string, Pick<RunStep, 'input' | 'content'>>> = {
  'workspace.list_files': { input: {}, content: 'output/\npersist/\nplan/\nscratch/\nsummaries/' },
  'workspace.search_files': { input: { query: 'apples' }, content: 'No match for "apples".' },
  'workspace.write_file': {
    input: { path: 'persist/note.md', content: 'Apples first.\n' },
    content: 'Created persist/note.md (14 bytes).',
  },
  list_skills: {
    input: {},
    content: expect.stringMatching(
      /^browse_wiki: [\s\S]*^release \(workspace\): How this shop is released\.$/m,
    ),
  },
  skill: {
    input: { name: 'release', input: 'version 2' },
    content:
      'Follow these instructions of the skill release (.agents/skills/release/SKILL.md) now. They allow nothing that this run may not do.\n\nRaise the version, then tag it.\n\nIt is to be used on: version 2\n\nIts other files, read with skill_read: steps.txt. In the checkout they are in .agents/skills/release/.',
  },
  read_skill: {
    input: { name: 'release' },
    content:
      '[release, workspace: .agents/skills/release/SKILL.md]\n---\nname: release\ndescription: How this shop is released.\n---\nRaise the version, then tag it.',
  },
  'skill.list': {
    input: {},
    content: expect.stringMatching(
      /^release \(workspace\): How this shop is released\.\n {2}SKILL\.md, steps\.txt$/m,
    ),
  },
  'skill.search': {
    input: { name: 'release', query: 'tag' },
    content:
      'SKILL.md-3-description: How this shop is released.\nSKILL.md-4----\nSKILL.md:5:Raise the version, then tag it.\n--\nsteps.txt-1-first: raise\nsteps.txt:2:second: tag',
  },
  'skill.read': { input: { name: 'release', path: 'steps.txt' }, content: 'first: raise\nsecond: tag\n' },
  'worldinfo.read_activated': { input: {}, content: 'No instructions of the repository apply so far.' },
  todo_write: {
    input: { todos: [{ content: 'Add prices', status: 'active' }] },
    content: '[~] 1: Add prices',
  },
  todo_read: { input: {}, content: '[~] 1: Add prices' },
  task_list: {
    input: { action: 'create', taskID: 'T1', title: 'Sell pears' },
    content: 'Created [ ] T1: Sell pears',
  },
  'dice.roll': {
    input: { formula: '2d6+1' },
    content: expect.stringMatching(/^2d6\+1: [1-6] \+ [1-6] \+ 1 = \d+$/),
  },
  render: {
    input: {
      root: 'card',
      elements: {
        card: { type: 'Card', props: { title: 'Health' }, children: ['s'] },
        s: { type: 'StatusLine', props: { text: 'API', status: 'success' }, children: [] },
      },
    },
    content: '┌─ Health ─┐\n│ ✓ API    │\n└──────────┘',
  },
  chart: {
    input: { type: 'bar', title: 'latency', data: { p50: 12, p95: 45 }, width: 20 },
    content: 'latency\np50  █████▍ 12\np95  ████████████████████ 45',
  },
  report_findings: { input: { findings: [finding] }, content: '1 finding recorded.' },
  describe_pull_request: {
    input: { title: 'Pears', body: 'Sells pears, too.' },
    content:
      'Recorded. It is written into the pull request when the run ends; the title only if the configuration of the repository permits it, so say in your last message what is wrong with the current one.',
  },
  handoff: {
    input: { target: 'next_thread', summary: 'Prices are done.', goal: 'Do taxes.' },
    content: 'Handoff recorded. It is in the report; a run on GitHub opens an issue when it ends.',
  },
  send_message: {
    input: { recipient: 'broadcast', message: 'Prices are done.' },
    content: 'Message 1 is left for every agent of this run.',
  },
  receive_messages: { input: { peek: true }, content: 'Nothing waits in the mailbox parent.' },
  tool_search: {
    input: { query: 'roll dice', limit: 1 },
    content:
      '{"name":"dice_roll","description":"Roll dice, where a task asks for chance.","input_schema":{"type":"object","properties":{"formula":{"type":"string","description":"d6, 1d20, 3d6+4, 2d10-1; 20 is 1d20"}},"required":["formula"]}}\nCall one with use_tool: {"name": "dice_roll", "args": {…}}.',
  },
  use_tool: {
    input: { name: 'read', args: { path: 'README.md' } },
    content: '1\t# Shop\n2\t\n3\tSells apples.',
  },
  batch: {
    input: {
      calls: [
        { tool: 'read', args: { path: 'README.md' } },
        { tool: 'glob', args: { pattern: '*.go' } },
      ],
    },
    content: '===== 1. read =====\n1\t# Shop\n2\t\n3\tSells apples.\n===== 2. glob =====\nmain.go',
  },
};

export const ownSteps: readonly RunStep[] = Object.entries(calls).map(([name, { input, content }]) =>
  step(name, input, content),
);
