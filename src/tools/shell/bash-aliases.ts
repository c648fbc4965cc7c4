/** What models trained elsewhere call `bash`; whoever disables it by one of these names has no commands either. */
export const bashAliases = {
  shell: {},
  shell_command: {},
  Bash: {},
  'container.exec': {},
  local_shell: {},
  exec_command: {},
  execute_command: {},
  run_command: {},
  run_shell_command: {},
  run_terminal_cmd: {},
} as const;
