/** Other harnesses' names of `bash`. Disabling one of them disables all commands. */
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
