import { agentAwait } from '../children/agent-await.ts';
import { agentDelegate } from '../children/agent-delegate.ts';
import { agentList } from '../children/agent-list.ts';
import { closeAgent } from '../children/close-agent.ts';
import { listAgents } from '../children/list-agents.ts';
import { oracle } from '../children/oracle.ts';
import { receiveMessages } from '../children/receive-messages.ts';
import { sendInput } from '../children/send-input.ts';
import { sendMessage } from '../children/send-message.ts';
import { spawnAgent } from '../children/spawn-agent.ts';
import { subAgent } from '../children/sub-agent.ts';
import { taskCoordinator } from '../children/task-coordinator.ts';
import { taskReturn } from '../children/task-return.ts';
import { waitAgent } from '../children/wait-agent.ts';
import { repoSearch } from '../code/repo-search.ts';
import { diceRoll } from '../dice/dice-roll.ts';
import { insertText } from '../edit/insert-text.ts';
import { multiEdit } from '../edit/multi-edit.ts';
import { initExperiment } from '../experiment/init-experiment.ts';
import { logExperiment } from '../experiment/log-experiment.ts';
import { runExperiment } from '../experiment/run-experiment.ts';
import { lookAt } from '../image/look-at.ts';
import { viewImage } from '../image/view-image.ts';
import { patch } from '../patch/patch.ts';
import { proposePatch } from '../patch/propose-patch.ts';
import { handoff } from '../people/handoff.ts';
import { requestPermissions } from '../people/request-permissions.ts';
import { listDirectory } from '../search/list-directory.ts';
import { shellSession } from '../shell/shell-session.ts';
import { chart } from '../show/chart.ts';
import { render } from '../show/render.ts';
import { createSkill } from '../skills/create-skill.ts';
import { listSkills } from '../skills/list-skills.ts';
import { readSkill } from '../skills/read-skill.ts';
import { skill } from '../skills/skill.ts';
import { skillList } from '../skills/skill-list.ts';
import { skillRead } from '../skills/skill-read.ts';
import { skillSearch } from '../skills/skill-search.ts';
import { worldinfoReadActivated } from '../skills/worldinfo-read-activated.ts';
import { workspaceApplyPatch } from '../storage/workspace-apply-patch.ts';
import { workspaceCommit } from '../storage/workspace-commit.ts';
import { workspaceFinish } from '../storage/workspace-finish.ts';
import { workspaceListFiles } from '../storage/workspace-list-files.ts';
import { workspaceReadFile } from '../storage/workspace-read-file.ts';
import { workspaceSearchFiles } from '../storage/workspace-search-files.ts';
import { workspaceWriteFile } from '../storage/workspace-write-file.ts';
import { taskList } from '../tasks/task-list.ts';
import { todoRead } from '../tasks/todo-read.ts';
import { chatReadMessages } from '../threads/chat-read-messages.ts';
import { chatSearch } from '../threads/chat-search.ts';
import { findThread } from '../threads/find-thread.ts';
import { readThread } from '../threads/read-thread.ts';
import type { Tool } from '../tool.ts';
import { batch } from './batch.ts';
import { compact } from './compact.ts';
import { getContextRemaining } from './get-context-remaining.ts';
import { standardTools } from './standard-tools.ts';

/**
 * Every built-in tool, those of the first request first. The order of the others is that of their
 * kinds in the description of `tool_search`. A profile has a tool only if
 * `agent/profiles/builtin-profiles.ts` names it.
 */
export const builtinTools: readonly Tool[] = [
  ...standardTools,
  viewImage,
  lookAt,
  chart,
  render,
  shellSession,
  insertText,
  repoSearch,
  taskList,
  batch,
  workspaceListFiles,
  workspaceSearchFiles,
  workspaceReadFile,
  workspaceWriteFile,
  workspaceApplyPatch,
  workspaceCommit,
  workspaceFinish,
  listSkills,
  skill,
  readSkill,
  createSkill,
  skillList,
  skillSearch,
  skillRead,
  worldinfoReadActivated,
  oracle,
  agentList,
  agentDelegate,
  agentAwait,
  taskReturn,
  subAgent,
  taskCoordinator,
  spawnAgent,
  sendInput,
  waitAgent,
  listAgents,
  closeAgent,
  sendMessage,
  receiveMessages,
  chatSearch,
  chatReadMessages,
  findThread,
  readThread,
  handoff,
  initExperiment,
  runExperiment,
  logExperiment,
  listDirectory,
  multiEdit,
  patch,
  proposePatch,
  todoRead,
  requestPermissions,
  diceRoll,
  compact,
  getContextRemaining,
];
