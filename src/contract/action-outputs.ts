/** All outputs of the Action. `action/action.yml` has their descriptions. */
export const actionOutputs = [
  'conclusion',
  'run_id',
  'session_id',
  'branch_name',
  'pr_number',
  'comment_id',
  'findings_count',
  'cost_usd',
  'needs_input',
  'final_message',
  'structured_output',
  'execution_file',
  'report_path',
  'sarif_file',
  'attestation',
] as const;

export type ActionOutput = (typeof actionOutputs)[number];
