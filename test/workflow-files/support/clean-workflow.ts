import { checkWorkflow } from '../../../src/workflow-files/check-workflow.ts';

/** The commit of the checkout. */
export const pin = `08c6903cd8c0fde910a37f88322edcfb5dd907a8`;
/** A workflow without a mistake; tests spoil it in one place. */
export const clean = `name: anode
on:
  issue_comment:
    types: [created]
permissions: {}
concurrency:
  group: anode-\${{ github.event.issue.number }}
  cancel-in-progress: false
jobs:
  anode:
    if: contains(github.event.comment.body, '@anode')
    runs-on: ubuntu-24.04
    timeout-minutes: 30
    permissions:
      contents: write
      issues: write
      pull-requests: write
    steps:
      - uses: actions/checkout@${pin} # v5.0.0
        with:
          persist-credentials: false
      - uses: OWNER/anode-ci@v1
        id: anode
        with:
          anthropic_api_key: \${{ secrets.ANTHROPIC_API_KEY }}
          timeout_minutes: 25
      - env:
          ANSWER: \${{ steps.anode.outputs.final_message }}
        run: |
          printf '%s' "$ANSWER"
`;

/** Facts beside the workflow. */
export const about = {
  otherWorkflows: [],
  signsKeyless: false,
  eventUse: (name: string) => {
    const types: Readonly<Record<string, readonly string[]>> = {
      issue_comment: ['created', 'edited'],
      pull_request: ['opened', 'synchronize'],
      pull_request_target: ['opened', 'synchronize'],
    };
    return { decides: types[name] !== undefined, types: types[name] ?? [] };
  },
};

/** The remarks of a text as `line level rule`. */
export const remarks = async (text: string, facts: Partial<typeof about> = {}) =>
  (await checkWorkflow(text, 'a.yml', { ...about, ...facts })).map(
    ({ line, level, rule }) => `${line} ${level} ${rule}`,
  );

/** The workflow with a text in the place of another. */
export const swap = (from: string, to: string) => {
  if (!clean.includes(from)) throw new Error(`not in the workflow: ${from}`);
  return clean.replace(from, to);
};
