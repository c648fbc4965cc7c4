/** The names of the built-in skills. */
export const builtInSkillNames: readonly string[] = [
  'browse_wiki',
  'bug_hunt',
  'code_review',
  'commit_message',
  'docs_writer',
  'full_output_enforcement',
  'incident',
  'repo_summary',
  'security_review',
  'simplify',
  'test_failure_analysis',
  'ui_consistency_review',
];
