/** Translation of an input of another action into a workflow of ours. */
export interface ForeignInput {
  /** Our input of the same meaning; null for none. */
  readonly ours: string | null;
  /** The difference, or the remedy, in one sentence. */
  readonly note?: string;
}

/** An action whose workflows can be translated. */
export interface ForeignAction {
  /** Owner and name, as in `uses:`. */
  readonly uses: string;
  readonly inputs: Readonly<Record<string, ForeignInput>>;
  /** Our outputs by theirs; null for none. */
  readonly outputs: Readonly<Record<string, string | null>>;
}

const same = (ours: string, note?: string): ForeignInput => (note === undefined ? { ours } : { ours, note });
const none = (note: string): ForeignInput => ({ ours: null, note });

const environment = (name: string) => none(`Set ${name} in the step's env.`);
const notNeeded = none('Not needed: the Action brings all it runs.');
const signed = none('GitHub signs commits by itself, unless `commit.via` is `push`.');

/** Source: each action's `action.yml` at its newest stored commit of 2026. */
export const foreignActions: readonly ForeignAction[] = [
  {
    uses: 'anthropics/claude-code-action',
    inputs: {
      trigger_phrase: same('trigger_phrase'),
      assignee_trigger: same('assignee_trigger'),
      label_trigger: same('label_trigger'),
      base_branch: same('base_branch'),
      branch_prefix: same('branch_prefix'),
      branch_name_template: same(
        'branch_name_template',
        'There is no {{label}}; {{description}} is {{slug}}.',
      ),
      allowed_bots: same('allowed_bots', 'Exact names only; there is no `*`.'),
      allowed_non_write_users: none('Runs are for accounts with write permission.'),
      include_comments_by_actor: none('All comments are context, as text that is not trusted.'),
      exclude_comments_by_actor: none('All comments are context, as text that is not trusted.'),
      prompt: same('prompt'),
      settings: same('config', 'The keys are those of docs/configuration.md.'),
      anthropic_api_key: same('anthropic_api_key'),
      claude_code_oauth_token: none("Use a key of Anthropic's API."),
      anthropic_federation_rule_id: none('Use a key, or Bedrock or Vertex by OIDC.'),
      anthropic_organization_id: none('Use a key, or Bedrock or Vertex by OIDC.'),
      anthropic_service_account_id: none('Use a key, or Bedrock or Vertex by OIDC.'),
      anthropic_workspace_id: none('Use a key, or Bedrock or Vertex by OIDC.'),
      anthropic_oidc_audience: none('Use a key, or Bedrock or Vertex by OIDC.'),
      github_token: same('github_token'),
      use_bedrock: same('model', 'Name the model as bedrock/NAME.'),
      use_vertex: same('model', 'Name the model as vertex/NAME.'),
      use_foundry: same('model', 'Name the model as azure/NAME.'),
      claude_args: none(
        'Use the inputs: --max-turns is max_turns, --model is model, --json-schema is output_schema; rules of tools belong in `permissions.rules`.',
      ),
      additional_permissions: none("Set the job's permissions; the Action uses what the token has."),
      use_sticky_comment: same('use_sticky_comment'),
      classify_inline_comments: none('Findings are checked before they are posted.'),
      use_commit_signing: signed,
      ssh_signing_key: signed,
      bot_id: none('The account of github_token makes the commits.'),
      bot_name: none('The account of github_token makes the commits.'),
      track_progress: none('Progress is shown in a comment in any case.'),
      include_fix_links: none('Ask for a fix in a comment, or tick the box that applies suggestions.'),
      path_to_claude_code_executable: notNeeded,
      path_to_bun_executable: notNeeded,
      display_report: none("The job's summary is the report."),
      show_full_output: same('show_full_output', 'Secrets are removed.'),
      plugins: same('config', 'Plug-ins are named in `plugins`, and skills in `skills`.'),
      plugin_marketplaces: none('Plug-ins come from the repository or the system.'),
    },
    outputs: {
      conclusion: 'conclusion',
      execution_file: 'execution_file',
      branch_name: 'branch_name',
      github_token: null,
      structured_output: 'structured_output',
      session_id: 'session_id',
    },
  },
  {
    uses: 'openai/codex-action',
    inputs: {
      prompt: same('prompt'),
      'prompt-file': same('prompt_file', 'A path in the repository is read from the default branch.'),
      'output-file': none('Use the output final_message.'),
      'openai-api-key': same('openai_api_key'),
      'responses-api-endpoint': same('base_url', 'Without /responses at its end.'),
      'working-directory': same('working_directory'),
      sandbox: same('preset', 'read-only is strict. The sandbox is on unless `sandbox` says otherwise.'),
      'permission-profile': same('preset', ':read-only is strict, and :workspace is careful.'),
      'codex-version': notNeeded,
      'codex-args': none('Use the inputs, and `config` for everything else.'),
      'output-schema': same('output_schema'),
      'output-schema-file': same('output_schema', 'A path is read from the default branch.'),
      model: same('model', 'Name the model as openai/NAME.'),
      effort: same('config', 'Write `profiles: { craft: { effort: high } }`.'),
      'codex-home': same('config', 'The keys are those of docs/configuration.md.'),
      'safety-strategy': none('Commands never run with the rights of the job.'),
      'codex-user': none('Commands never run with the rights of the job.'),
      'allow-users': none('Runs are for accounts with write permission.'),
      'allow-bots': same('allowed_bots', 'Name github-actions[bot].'),
      'allow-bot-users': same('allowed_bots', 'With the suffix [bot].'),
    },
    outputs: { 'final-message': 'final_message', 'codex-version': null },
  },
  {
    uses: 'google-github-actions/run-gemini-cli',
    inputs: {
      gcp_location: environment('GOOGLE_CLOUD_LOCATION'),
      gcp_project_id: environment('GOOGLE_CLOUD_PROJECT'),
      gcp_service_account: none('Run google-github-actions/auth before.'),
      gcp_workload_identity_provider: none('Run google-github-actions/auth before.'),
      gcp_token_format: none('Run google-github-actions/auth with `token_format: access_token` before.'),
      gcp_access_token_scopes: none('Run google-github-actions/auth before.'),
      gemini_api_key: same('gemini_api_key'),
      gemini_cli_version: notNeeded,
      gemini_debug: same('show_full_output'),
      gemini_model: same('model', 'Name the model as gemini/NAME.'),
      google_api_key: same('gemini_api_key'),
      prompt: same('prompt'),
      settings: same('config', 'The keys are those of docs/configuration.md.'),
      use_gemini_code_assist: none('Use a key of the Gemini API.'),
      use_vertex_ai: none('Vertex serves the models of Anthropic only: name one as vertex/NAME.'),
      extensions: same('config', 'Servers of MCP are named in `mcp.servers`.'),
      upload_artifacts: none('Upload the output report_path by actions/upload-artifact.'),
      use_pnpm: notNeeded,
      workflow_name: none('No telemetry is sent.'),
      github_pr_number: none('The event names the pull request.'),
      github_issue_number: none('The event names the issue.'),
    },
    outputs: { summary: 'final_message', error: 'final_message' },
  },
];
