import { advertisedTools } from './advertised-tools.ts';
import { agentAwait } from './agent-await.ts';
import { agentDelegate } from './agent-delegate.ts';
import { agentList } from './agent-list.ts';
import { batch } from './batch.ts';
import { chart } from './chart.ts';
import { chatReadMessages } from './chat-read-messages.ts';
import { chatSearch } from './chat-search.ts';
import { closeAgent } from './close-agent.ts';
import { compact } from './compact.ts';
import { createSkill } from './create-skill.ts';
import { diceRoll } from './dice-roll.ts';
import { findThread } from './find-thread.ts';
import { getContextRemaining } from './get-context-remaining.ts';
import { handoff } from './handoff.ts';
import { initExperiment } from './init-experiment.ts';
import { insertText } from './insert-text.ts';
import { listAgents } from './list-agents.ts';
import { listDirectory } from './list-directory.ts';
import { listSkills } from './list-skills.ts';
import { logExperiment } from './log-experiment.ts';
import { lookAt } from './look-at.ts';
import { multiEdit } from './multi-edit.ts';
import { oracle } from './oracle.ts';
import { patch } from './patch.ts';
import { proposePatch } from './propose-patch.ts';
import { readSkill } from './read-skill.ts';
import { readThread } from './read-thread.ts';
import { receiveMessages } from './receive-messages.ts';
import { render } from './render.ts';
import { repoSearch } from './repo-search.ts';
import { requestPermissions } from './request-permissions.ts';
import { runExperiment } from './run-experiment.ts';
import { sendInput } from './send-input.ts';
import { sendMessage } from './send-message.ts';
import { shellSession } from './shell-session.ts';
import { skill } from './skill.ts';
import { skillList } from './skill-list.ts';
import { skillRead } from './skill-read.ts';
import { skillSearch } from './skill-search.ts';
import { spawnAgent } from './spawn-agent.ts';
import { subAgent } from './sub-agent.ts';
import { taskCoordinator } from './task-coordinator.ts';
import { taskList } from './task-list.ts';
import { taskReturn } from './task-return.ts';
import { todoRead } from './todo-read.ts';
import type { Tool } from './tool.ts';
import { viewImage } from './view-image.ts';
import { waitAgent } from './wait-agent.ts';
import { workspaceApplyPatch } from './workspace-apply-patch.ts';
import { workspaceCommit } from './workspace-commit.ts';
import { workspaceFinish } from './workspace-finish.ts';
import { workspaceListFiles } from './workspace-list-files.ts';
import { workspaceReadFile } from './workspace-read-file.ts';
import { workspaceSearchFiles } from './workspace-search-files.ts';
import { workspaceWriteFile } from './workspace-write-file.ts';
import { worldinfoReadActivated } from './worldinfo-read-activated.ts';

/** Every tool that is built in, those that a first request may tell of before all others. */
export const builtinTools: readonly Tool[] = [
  ...advertisedTools,
  listDirectory,
  repoSearch,
  multiEdit,
  insertText,
  patch,
  proposePatch,
  todoRead,
  requestPermissions,
  handoff,
  oracle,
  viewImage,
  lookAt,
  workspaceListFiles,
  workspaceSearchFiles,
  workspaceReadFile,
  workspaceWriteFile,
  workspaceApplyPatch,
  workspaceCommit,
  workspaceFinish,
  taskList,
  diceRoll,
  render,
  chart,
  shellSession,
  initExperiment,
  runExperiment,
  logExperiment,
  findThread,
  readThread,
  chatSearch,
  chatReadMessages,
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
  listSkills,
  skill,
  readSkill,
  createSkill,
  skillList,
  skillSearch,
  skillRead,
  worldinfoReadActivated,
  compact,
  getContextRemaining,
  batch,
];
